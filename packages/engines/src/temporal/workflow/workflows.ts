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
  workflowInfo,
};

/** How `runTurn` makes attempts, and where it gets answers from. */
export interface RunTurnOptions extends TurnActivitySettings {
  /** What `receiveAnswers()` returned. Needed if several turns of a workflow run at the same time. */
  answers?: TurnAnswers | undefined;
}

/**
 * Takes the messages that turns wait for: the handlers of `inboardAnswer`, `inboardWake`, `inboardStop`, `inboardQuestions` and
 * `inboardPending` are set. Call it once, at the beginning of a workflow.
 * @experimental Its names may change in any release.
 */
export function receiveAnswers(): TurnAnswers {
  const answers = new WorkflowAnswers(library);
  answers.listen();
  return answers;
}

/**
 * Runs a turn of a conversation, for use in any workflow. Attempts are made by the activities of `turnActivities`; between them the
 * workflow waits for answers. Returns the outcome, whose `costUsd` is what all attempts cost that returned. If the workflow is
 * cancelled, the turn is stopped first.
 * @example
 * ```ts
 * const outcome = await runTurn({ conversation, agent: 'support', id: 'first', content: `Look into order ${order}.` });
 * ```
 * @experimental Its names may change in any release.
 */
export async function runTurn(turn: EngineTurn, options: RunTurnOptions = {}): Promise<AttemptOutcome> {
  const { answers = new WorkflowAnswers(library), ...settings } = options;
  if (!(answers instanceof WorkflowAnswers))
    throw library.ApplicationFailure.create({
      message: 'runTurn(): "answers" must be what receiveAnswers() returned',
      type: 'InvalidOptionsError',
      nonRetryable: true,
    });
  const open = new TurnInWorkflow();
  answers.add(turn.id, open);
  if (options.answers === undefined) answers.listen();
  try {
    // Nothing asks this turn to leave.
    const outcome = (await driveTurn({ library, settings, turn, open })) as AttemptOutcome;
    if (isCancelled(library))
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
  const carried = await new ConversationTurns(library, input).run();
  if (carried) await (continueAsNew as (next: TemporalConversation) => Promise<never>)({ ...input, carried });
}
