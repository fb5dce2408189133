// Sends turns and answers to the workflows of conversations, through the client of Temporal that the program has.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { isRecord } from '@inboard/core/util/guards.js';
import {
  checkShape,
  filledText,
  milliseconds,
  requireShape,
  wholeNumber,
} from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject } from '@inboard/core/util/options-object.js';
import { sleep } from '@inboard/core/util/timers.js';
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';
import { checkTurn, type EngineTurn } from '../turn/engine-turn.js';
import type { TemporalConversation, TemporalConversationState } from './workflow/conversation-facts.js';
import { countBytes, MOST_ANSWERS_BYTES, MOST_TURN_BYTES } from './workflow/message-limits.js';
import { TURN_FAILURES, TURN_MESSAGES } from './workflow/message-names.js';

/** What is used of a workflow's handle in `@temporalio/client`. */
export interface TemporalWorkflowHandle {
  signal(name: string, ...args: unknown[]): Promise<void>;
  query(name: string, ...args: unknown[]): Promise<unknown>;
  executeUpdate(name: string, options: { args: [unknown]; updateId?: string }): Promise<unknown>;
}

/** What is used of the `Client` of `@temporalio/client`. */
export interface TemporalClient {
  readonly workflow: {
    signalWithStart(
      workflow: string,
      options: {
        workflowId: string;
        taskQueue: string;
        args: [unknown];
        signal: string;
        signalArgs: [unknown];
      },
    ): Promise<unknown>;
    getHandle(workflowId: string): TemporalWorkflowHandle;
  };
}

/** How conversations are found in Temporal. */
export interface ConversationClientOptions extends Pick<
  TemporalConversation,
  'attempts' | 'turnsPerRun' | 'closeAfterMs'
> {
  client: TemporalClient;
  /** Where the workers are that have `conversationWorkflow`. */
  taskQueue: string;
  /** The name under which they have it. Default 'conversationWorkflow'. */
  workflow?: string | undefined;
  /** What the ids of workflows begin with. Default 'conversation-'. */
  idPrefix?: string | undefined;
}

/** Conversations in Temporal, as a program outside sees them. */
export interface ConversationClient {
  /**
   * Sends a turn. Starts the workflow of its conversation if there is none. A turn with an id that was sent before changes nothing. It may
   * have 500,000 bytes as JSON.
   */
  send(turn: EngineTurn): Promise<void>;
  /** Waits for the outcome of a turn that was sent. */
  outcome(conversation: string, id: string): Promise<AttemptOutcome>;
  questions(conversation: string): Promise<ApprovalQuestion[]>;
  pending(conversation: string): Promise<AwaitedCall[]>;
  state(conversation: string): Promise<TemporalConversationState>;
  /**
   * Answers a question. Returns false if it was answered before, and rejects if the turn at work has no such question. A worker checks
   * that, so this waits for one.
   */
  answer(conversation: string, answer: QuestionAnswer): Promise<boolean>;
  /** Leaves an answer, even if no worker is there. It is not checked: one to a question that is not open changes nothing. */
  postAnswer(conversation: string, answer: QuestionAnswer): Promise<void>;
  /** Says that a pending call was completed. */
  wake(conversation: string): Promise<void>;
  /** Stops a turn: the one with this id, or the one that is at work, or the first that waits if none is. */
  stop(conversation: string, id?: string): Promise<void>;
  workflowId(conversation: string): string;
}

const OF = 'conversationClient()';
const TAKER = {
  of: OF,
  example: "conversationClient({ client, taskQueue: 'agents' })",
  known: ['client', 'taskQueue', 'workflow', 'idPrefix', 'attempts', 'turnsPerRun', 'closeAfterMs'],
};

const MOST_ID_BYTES = 1000;
const MOST_TRIES = 50;
const BETWEEN_TRIES_MS = 200;

/**
 * Makes a client of the conversations that `conversationWorkflow` runs.
 * @example
 * ```ts
 * const conversations = conversationClient({ client, taskQueue: 'agents' });
 * await conversations.send({ conversation: 'chat-1', agent: 'support', id: 'message-1', content: 'Pay order 7 back.' });
 * ```
 * @experimental Its names may change in any release.
 */
export function conversationClient(options: ConversationClientOptions): ConversationClient;
export function conversationClient(
  options: ConversationClientOptions,
  ...others: readonly unknown[]
): ConversationClient {
  checkOptionsObject(options, others, TAKER);
  const { client, taskQueue, attempts, turnsPerRun, closeAfterMs } = options;
  const { workflow = 'conversationWorkflow', idPrefix = 'conversation-' } = options;
  if (!isRecord(client) || !isRecord(client['workflow']))
    throw new InvalidOptionsError(['client'], `${OF} needs "client", a Client of @temporalio/client`);
  requireShape('taskQueue', taskQueue, filledText, { called: `${OF}: "taskQueue"` });
  checkShape('turnsPerRun', turnsPerRun, wholeNumber(1), { called: `${OF}: "turnsPerRun"` });
  checkShape('closeAfterMs', closeAfterMs, milliseconds, { called: `${OF}: "closeAfterMs"` });
  const workflowId = (conversation: string): string => `${idPrefix}${conversation}`;
  const handleOf = (conversation: string): TemporalWorkflowHandle =>
    client.workflow.getHandle(workflowId(conversation));
  return {
    workflowId,
    send: async (turn) => {
      checkTurn(OF, turn);
      checkSize(turn);
      const { conversation, agent, ...message } = turn;
      const input: TemporalConversation = { conversation, agent, attempts, turnsPerRun, closeAfterMs };
      await client.workflow.signalWithStart(workflow, {
        workflowId: workflowId(conversation),
        taskQueue,
        args: [input],
        signal: TURN_MESSAGES.send,
        signalArgs: [{ ...message, agent }],
      });
    },
    outcome: (conversation, id) =>
      onNewestRun(() =>
        handleOf(conversation).executeUpdate(TURN_MESSAGES.outcome, { args: [id], ...shareUpdate(id) }),
      ) as Promise<AttemptOutcome>,
    questions: (conversation) =>
      handleOf(conversation).query(TURN_MESSAGES.questions) as Promise<ApprovalQuestion[]>,
    pending: (conversation) => handleOf(conversation).query(TURN_MESSAGES.pending) as Promise<AwaitedCall[]>,
    state: (conversation) =>
      handleOf(conversation).query(TURN_MESSAGES.state) as Promise<TemporalConversationState>,
    answer: async (conversation, answer) => {
      checkAnswerSize(answer);
      return (await onNewestRun(() =>
        handleOf(conversation).executeUpdate(TURN_MESSAGES.answer, { args: [answer] }),
      )) as boolean;
    },
    postAnswer: async (conversation, answer) => {
      checkAnswerSize(answer);
      await handleOf(conversation).signal(TURN_MESSAGES.answer, answer);
    },
    wake: (conversation) => handleOf(conversation).signal(TURN_MESSAGES.wake),
    stop: (conversation, id) =>
      handleOf(conversation).signal(TURN_MESSAGES.stop, ...(id === undefined ? [] : [id])),
  };
}

/** All that wait for one outcome share one update. Temporal takes ids of 1,000 bytes, and few are that long. */
function shareUpdate(id: string): { updateId?: string } {
  const updateId = `inboard-outcome/${id}`;
  return countBytes(updateId) < MOST_ID_BYTES ? { updateId } : {};
}

/** A signal cannot be refused by the workflow, and the history keeps the turn once for each attempt. */
function checkSize(turn: EngineTurn): void {
  const bytes = countBytes(turn);
  if (bytes <= MOST_TURN_BYTES) return;
  throw new InvalidOptionsError(
    ['content', 'data'],
    `${OF}: the turn "${turn.id}" has ${bytes} bytes as JSON, and Temporal keeps at most ${MOST_TURN_BYTES} well. Put large files where a tool can read them, and name them in the turn`,
  );
}

function checkAnswerSize(answer: QuestionAnswer): void {
  const size = countBytes(answer);
  if (size > MOST_ANSWERS_BYTES)
    throw new InvalidOptionsError(
      ['answer'],
      `${OF}: the answer to "${answer.id}" has ${size} bytes as JSON. The answers to a turn may have ${MOST_ANSWERS_BYTES} together`,
    );
}

/** Asks again when a new run of the workflow goes on with the conversation. The old one may take a moment to end. */
async function onNewestRun(ask: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isMovedOn(error) || tries === MOST_TRIES) throw error;
    }
    await sleep(BETWEEN_TRIES_MS);
  }
}

function isMovedOn(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as { type?: unknown }).type === TURN_FAILURES.movedOn || isMovedOn(error.cause);
}
