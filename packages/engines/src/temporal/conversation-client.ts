// Sends turns and answers to the workflows of conversations, through the client of Temporal that the program has.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { filledText, requireShape } from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject } from '@inboard/core/util/options-object.js';
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/attempt-waits.js';
import { checkTurn, type EngineTurn } from '../turn/engine-turn.js';
import type { TemporalConversation, TemporalConversationState } from './workflow/conversation-run.js';
import { MOVED_ON, TURN_MESSAGES } from './workflow/message-names.js';

/** What is used of a workflow's handle in `@temporalio/client`. */
export interface TemporalWorkflowHandle {
  signal(name: string, ...args: unknown[]): Promise<void>;
  query(name: string, ...args: unknown[]): Promise<unknown>;
  executeUpdate(name: string, options: { args: [unknown] }): Promise<unknown>;
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
  /** Sends a turn. Starts the workflow of its conversation if there is none. A turn with an id that was sent before changes nothing. */
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
  /** Stops a turn: the one with this id, or the one that is at work. */
  stop(conversation: string, id?: string): Promise<void>;
  workflowId(conversation: string): string;
}

const OF = 'conversationClient()';
const TAKER = {
  of: OF,
  example: "conversationClient({ client, taskQueue: 'agents' })",
  known: ['client', 'taskQueue', 'workflow', 'idPrefix', 'attempts', 'turnsPerRun', 'closeAfterMs'],
};

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
  const workflowId = (conversation: string): string => `${idPrefix}${conversation}`;
  const handleOf = (conversation: string): TemporalWorkflowHandle =>
    client.workflow.getHandle(workflowId(conversation));
  return {
    workflowId,
    send: async (turn) => {
      checkTurn(OF, turn);
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
        handleOf(conversation).executeUpdate(TURN_MESSAGES.outcome, { args: [id] }),
      ) as Promise<AttemptOutcome>,
    questions: (conversation) =>
      handleOf(conversation).query(TURN_MESSAGES.questions) as Promise<ApprovalQuestion[]>,
    pending: (conversation) => handleOf(conversation).query(TURN_MESSAGES.pending) as Promise<AwaitedCall[]>,
    state: (conversation) =>
      handleOf(conversation).query(TURN_MESSAGES.state) as Promise<TemporalConversationState>,
    answer: (conversation, answer) =>
      onNewestRun(() =>
        handleOf(conversation).executeUpdate(TURN_MESSAGES.answer, { args: [answer] }),
      ) as Promise<boolean>,
    postAnswer: (conversation, answer) => handleOf(conversation).signal(TURN_MESSAGES.answer, answer),
    wake: (conversation) => handleOf(conversation).signal(TURN_MESSAGES.wake),
    stop: (conversation, id) =>
      handleOf(conversation).signal(TURN_MESSAGES.stop, ...(id === undefined ? [] : [id])),
  };
}

/** Asks again when a new run of the workflow has gone on with the conversation. */
async function onNewestRun(ask: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isMovedOn(error)) throw error;
    }
  }
}

function isMovedOn(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as { type?: unknown }).type === MOVED_ON || isMovedOn(error.cause);
}
