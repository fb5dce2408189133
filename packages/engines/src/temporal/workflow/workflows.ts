// The functions for workflows, on Temporal's library. Nothing here may need Node, or any other part of inboard when it runs: it is put
// into the bundle of a workflow.
import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  log,
  proxyActivities,
  setHandler,
  sleep,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { EngineTurn } from '../../turn/engine-turn.js';
import type { TemporalConversation } from './conversation-facts.js';
import { ConversationTurns } from './conversation-run.js';
import { driveTurn, isCancelled, type TurnActivitySettings } from './drive-turn.js';
import { TurnInWorkflow } from './open-turn.js';
import { WorkflowAnswers, type TurnAnswers } from './turn-answers.js';
import type { WorkflowLibrary } from './workflow-library.js';

const library: WorkflowLibrary = {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  log,
  proxyActivities,
  setHandler,
  sleep,
  TemporalFailure,
  workflowInfo,
};

/** Of the workflow that is at work: Temporal gives each one modules of its own. */
let received: WorkflowAnswers | undefined;

/**
 * Takes the messages that turns wait for: the handlers of `inboardAnswer`, `inboardAnswered`, `inboardWake`, `inboardStop`,
 * `inboardQuestions` and `inboardPending` are set. `runTurn` does so, too. Call it before if the workflow answers, wakes or stops turns
 * itself. All calls in a workflow return the same.
 * @experimental Its names may change in any release.
 */
export function receiveAnswers(): TurnAnswers {
  received ??= new WorkflowAnswers(library);
  received.listen();
  return received;
}

/**
 * Runs a turn of a conversation, for use in any workflow, also several at the same time. Attempts are made by the activities of
 * `turnActivities`; between them the workflow waits for answers. Returns the outcome, whose `turnCostUsd` is what all attempts cost that
 * returned. If the workflow is cancelled, the turn is stopped, and this throws a CancelledFailure, unless the turn had ended before.
 * @example
 * ```ts
 * const outcome = await runTurn({ conversation, agent: 'support', id: 'first', content: `Look into order ${order}.` });
 * ```
 * @experimental Its names may change in any release.
 */
export async function runTurn(
  turn: EngineTurn,
  settings: TurnActivitySettings = {},
): Promise<AttemptOutcome> {
  const open = new TurnInWorkflow();
  // A message that came before the handlers were set arrives while they are set, so the turn must be there.
  const answers = (received ??= new WorkflowAnswers(library));
  answers.add(turn.id, open);
  answers.listen();
  try {
    // Nothing asks this turn to leave.
    const outcome = (await driveTurn({
      library,
      readSettings: () => settings,
      turn,
      open,
    })) as AttemptOutcome;
    // A turn that had ended all the same has its outcome, as an activity has that ends although it was cancelled.
    if (outcome.kind === 'interrupted' && isCancelled(library))
      throw new CancelledFailure('The workflow was cancelled, and its turn was stopped');
    return outcome;
  } finally {
    answers.remove(open);
  }
}

/**
 * A conversation as a workflow. Turns come as signals or updates `inboardSend` and run one after the other. Start one workflow for each
 * conversation, with an id that is made of its key.
 * @experimental Its names may change in any release.
 */
export async function conversationWorkflow(input: TemporalConversation): Promise<void> {
  const next = await new ConversationTurns(library, input).run();
  if (next) await (continueAsNew as (input: TemporalConversation) => Promise<never>)(next);
}
