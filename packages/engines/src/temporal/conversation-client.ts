// Sends turns and answers to the workflows of conversations, through the client of Temporal that the program has.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { filledText, requireShape } from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject } from '@inboard/core/util/options-object.js';
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';
import { checkTurn, type EngineTurn } from '../turn/engine-turn.js';
import { awaitOutcome } from './await-outcome.js';
import {
  isGone,
  readPendingAttempt,
  type TemporalAttempt,
  type TemporalClient,
  type TemporalStartOptions,
  type TemporalWorkflowHandle,
} from './client-library.js';
import { answerConversation } from './answer-conversation.js';
import type { TemporalConversation, TemporalConversationState } from './workflow/conversation-facts.js';
import {
  findSettingsFault,
  type ConversationSettings,
  type SettingsChange,
} from './workflow/conversation-settings.js';
import { countBytes, MOST_ANSWERS_BYTES, MOST_TURN_BYTES } from './workflow/message-limits.js';
import { TURN_MESSAGES } from './workflow/message-names.js';

/** How conversations are found in Temporal, and the settings with which their workflows start. */
export interface ConversationClientOptions extends ConversationSettings {
  client: TemporalClient;
  /** Where the workers are that have `conversationWorkflow`. */
  taskQueue: string;
  /** The name under which they have it. Default 'conversationWorkflow'. */
  workflow?: string | undefined;
  /** What the ids of workflows begin with. Default 'conversation-'. */
  idPrefix?: string | undefined;
  /** What a workflow is started with besides, such as a memo and search attributes, or a function that makes it of the first turn. */
  start?:
    | TemporalStartOptions
    | ((turn: EngineTurn) => TemporalStartOptions | Promise<TemporalStartOptions>)
    | undefined;
}

/** Where a conversation stands. */
export interface ConversationStanding extends TemporalConversationState {
  /** The attempt that Temporal makes, or will make again after a failure. */
  attempt?: TemporalAttempt;
}

/** Conversations in Temporal, as a program outside sees them. */
export interface ConversationClient {
  /**
   * Sends a turn. Starts the workflow of its conversation if there is none. A turn with an id that was sent before changes nothing. It may
   * have 500,000 bytes as JSON.
   */
  send(turn: EngineTurn): Promise<void>;
  /** Waits for the outcome of a turn that was sent. Any number may wait. Rejects with a TemporalError if there will be none. */
  outcome(conversation: string, id: string): Promise<AttemptOutcome>;
  questions(conversation: string): Promise<ApprovalQuestion[]>;
  pending(conversation: string): Promise<AwaitedCall[]>;
  /** Where the conversation stands, and why the last attempt failed, if one did. */
  state(conversation: string): Promise<ConversationStanding>;
  /**
   * Answers a question. Returns whether this answer counts: true if it is the first one or the same again, and false if another one came
   * before. Rejects if the turn at work has no such question. A worker checks that, so this waits for one.
   */
  answer(conversation: string, answer: QuestionAnswer): Promise<boolean>;
  /** Leaves an answer, even if no worker is there. It is not checked: one to a question that is not open changes nothing. */
  postAnswer(conversation: string, answer: QuestionAnswer): Promise<void>;
  /** Says that a pending call was completed. */
  wake(conversation: string): Promise<void>;
  /** Stops a turn: the one with this id, or the one that is at work, or the first that waits if none is. */
  stop(conversation: string, id?: string): Promise<void>;
  /** Changes settings of a conversation that runs. What is not given stays, and null takes the default again. */
  change(conversation: string, settings: SettingsChange): Promise<void>;
  /**
   * Lets a conversation complete as soon as it has no turn. No turn is lost: those that it has are worked on, also those that come before
   * it has completed, and a later one starts a new workflow. Returns false if no workflow runs.
   */
  close(conversation: string): Promise<boolean>;
  workflowId(conversation: string): string;
}

const OF = 'conversationClient()';
const TAKER = {
  of: OF,
  example: "conversationClient({ client, taskQueue: 'agents' })",
  known: ['client', 'taskQueue', 'workflow', 'idPrefix', 'start', 'attempts', 'turnsPerRun', 'closeAfterMs'],
};
const START_OPTIONS = ['memo', 'typedSearchAttributes', 'priority', 'staticSummary', 'staticDetails'];

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
  const { client, taskQueue, start, attempts, turnsPerRun, closeAfterMs } = options;
  const { workflow = 'conversationWorkflow', idPrefix = 'conversation-' } = options;
  if (!isRecord(client) || !isRecord(client['workflow']))
    throw new InvalidOptionsError(['client'], `${OF} needs "client", a Client of @temporalio/client`);
  requireShape('taskQueue', taskQueue, filledText, { called: `${OF}: "taskQueue"` });
  const settings = { attempts, turnsPerRun, closeAfterMs };
  checkSettings(settings);
  if (typeof start !== 'function') checkStart(start);
  const workflowId = (conversation: string): string => `${idPrefix}${conversation}`;
  const handleOf = (conversation: string): TemporalWorkflowHandle =>
    client.workflow.getHandle(workflowId(conversation));
  return {
    workflowId,
    send: async (turn) => {
      checkTurn(OF, turn);
      checkSize(turn);
      const { conversation, agent, ...message } = turn;
      const input: TemporalConversation = { conversation, agent, ...settings };
      const startOptions = typeof start === 'function' ? await start(turn) : start;
      checkStart(startOptions);
      await client.workflow.signalWithStart(workflow, {
        ...startOptions,
        workflowId: workflowId(conversation),
        taskQueue,
        args: [input],
        signal: TURN_MESSAGES.send,
        signalArgs: [{ ...message, agent }],
      });
    },
    outcome: (conversation, id) => awaitOutcome(() => handleOf(conversation), id),
    questions: (conversation) =>
      handleOf(conversation).query(TURN_MESSAGES.questions) as Promise<ApprovalQuestion[]>,
    pending: (conversation) => handleOf(conversation).query(TURN_MESSAGES.pending) as Promise<AwaitedCall[]>,
    state: async (conversation) => {
      const handle = handleOf(conversation);
      const state = (await handle.query(TURN_MESSAGES.state)) as TemporalConversationState;
      const attempt = state.turn === undefined ? undefined : readPendingAttempt(await handle.describe());
      return { ...state, ...(attempt && { attempt }) };
    },
    answer: async (conversation, answer) => {
      checkAnswerSize(answer);
      return await answerConversation(handleOf(conversation), answer);
    },
    postAnswer: async (conversation, answer) => {
      checkAnswerSize(answer);
      await handleOf(conversation).signal(TURN_MESSAGES.answer, answer);
    },
    wake: (conversation) => handleOf(conversation).signal(TURN_MESSAGES.wake),
    stop: (conversation, id) =>
      handleOf(conversation).signal(TURN_MESSAGES.stop, ...(id === undefined ? [] : [id])),
    change: async (conversation, change) => {
      checkSettings(change);
      await handleOf(conversation).signal(TURN_MESSAGES.settings, change);
    },
    close: async (conversation) => {
      try {
        await handleOf(conversation).signal(TURN_MESSAGES.close);
        return true;
      } catch (error) {
        if (isGone(error)) return false;
        throw error;
      }
    },
  };
}

function checkSettings(settings: unknown): void {
  const fault = findSettingsFault(settings);
  if (fault) throw new InvalidOptionsError(fault.path, `${OF}: ${fault.message}`);
}

function checkStart(start: unknown): void {
  if (start === undefined) return;
  const unknown = isRecord(start) ? Object.keys(start).find((name) => !START_OPTIONS.includes(name)) : '';
  if (unknown === undefined) return;
  throw new InvalidOptionsError(
    ['start'],
    `${OF}: "start" must be, or return, an object with some of ${START_OPTIONS.map((each) => `"${each}"`).join(', ')}${unknown === '' ? '' : `, and not "${unknown}"`}`,
  );
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
