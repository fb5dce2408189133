// Sends turns and answers to the workflows of DBOS, and reads what they wait for and how they ended.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { checkAnswer } from '@inboard/core/answer/permissions/approvals/approval-result.js';
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { checkShape, filledText, requireShape } from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject } from '@inboard/core/util/options-object.js';
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';
import { conversationKey } from '@inboard/durable/ledger/check-ledger-input.js';
import { checkTurn, type EngineTurn } from '../turn/engine-turn.js';
import { readKeptOutcome } from '../turn/stored-outcome.js';
import type { DbosCalls, DbosClient } from './dbos-library.js';
import { keepAnswer, type Enqueue, type TurnPlace } from './keep-answer.js';
import { recoverTurns } from './recover-turns.js';
import { retryTurn, sendKeptAnswers } from './retry-turn.js';
import {
  DEFAULT_QUEUE,
  nameStop,
  nameStopWorkflow,
  nameTurnWorkflow,
  nameWorkflow,
  TOPIC,
  WAITING_EVENT,
  type TurnMessage,
  type WaitingTurn,
} from './turn-messages.js';

/** Turns on DBOS, as any process with access to its database sees them. */
export interface DbosTurns {
  /** Sends a turn. Turns of one conversation run in the order in which they were sent. Sending a turn again changes nothing. */
  send(turn: EngineTurn): Promise<void>;
  /**
   * Takes a turn up again whose attempts have failed for good, where it was cut off, and returns true. Returns false if it has not failed.
   * Turns of the conversation that were sent after it may have begun: if they are in the transcript, the outcome of this one is `lost`.
   */
  retry(conversation: string, id: string): Promise<boolean>;
  /** Waits for the outcome of a turn. Rejects with the error of a turn that failed, and if the turn was not sent. */
  outcome(conversation: string, id: string): Promise<AttemptOutcome>;
  /** The questions to people that a turn waits for. Empty while it does not wait. */
  questions(conversation: string, id: string): Promise<ApprovalQuestion[]>;
  /** The pending calls that a turn waits for. */
  pending(conversation: string, id: string): Promise<AwaitedCall[]>;
  /**
   * Answers a question. Returns false if it was answered before, or if the turn has no such question open. Needs no process that works on
   * the turn.
   */
  answer(conversation: string, id: string, answer: QuestionAnswer): Promise<boolean>;
  /** Says that a pending call of the turn was completed, so that it goes on at once. Rejects if the turn was not sent. */
  wake(conversation: string, id: string): Promise<void>;
  /** Stops a turn, as an interruption by a person. A turn that has ended stays as it is. Rejects if the turn was not sent. */
  cancel(conversation: string, id: string): Promise<void>;
  /**
   * Puts the turns of an executor back into the queue, for the other executors. Call it when a process is gone and will not be started
   * again under this executor id, because DBOS does not notice that. Returns how many there were. Rejects if some of them belong to another
   * version of the application, and leaves those as they are.
   */
  recover(executorId: string): Promise<number>;
  /** The id of the workflow of a turn. */
  workflowId(conversation: string, id: string): string;
}

/** How a program reaches turns that other processes work on. */
export interface DbosTurnsClientOptions {
  /** A `DBOSClient` of DBOS. */
  client: DbosClient;
  /** The name of the queue that `dbosTurns` was given. Default 'inboard'. */
  queue?: string | undefined;
}

const OF = 'dbosTurnsClient()';
const POLL_MS = 250;
/** Longer ids of workflows do not fit into the indexes of DBOS. */
const MOST_CHARACTERS = 2500;

/**
 * Makes a client for a process that runs no agents, such as a web server.
 * @example
 * ```ts
 * const turns = dbosTurnsClient({ client });
 * console.log(await turns.questions('chat-1', 'message-1'));
 * ```
 * @experimental Its names may change in any release.
 */
export function dbosTurnsClient(options: DbosTurnsClientOptions): DbosTurns;
export function dbosTurnsClient(options: DbosTurnsClientOptions, ...others: readonly unknown[]): DbosTurns {
  checkOptionsObject(options, others, {
    of: OF,
    example: `dbosTurnsClient({ client })`,
    known: ['client', 'queue'],
  });
  const { client, queue = DEFAULT_QUEUE } = options;
  if (!isRecord(client) || typeof client['enqueue'] !== 'function')
    throw new InvalidOptionsError(
      ['client'],
      `${OF} needs "client", as DBOSClient.create() of DBOS makes one`,
    );
  checkShape('queue', queue, filledText);
  return createTurns(
    OF,
    queue,
    () => client,
    (enqueue, input) => client.enqueue(enqueue, input),
  );
}

/** Makes turns of what DBOS offers. `of` is the function that was called. */
export function createTurns(of: string, queue: string, calls: () => DbosCalls, enqueue: Enqueue): DbosTurns {
  const workflowId = (conversation: string, id: string): string => {
    requireShape('conversation', conversation, conversationKey);
    requireShape('id', id, conversationKey);
    const name = nameTurnWorkflow(queue, conversation, id);
    if (name.length > MOST_CHARACTERS)
      throw new InvalidOptionsError(
        ['id'],
        `${of}: the names of the queue, the conversation and the turn, encoded as in a URL, must have at most ${MOST_CHARACTERS} characters together, not ${name.length}`,
      );
    return name;
  };
  const tell = (workflow: string, message: TurnMessage): Promise<void> =>
    calls().send(workflow, message, TOPIC);
  const readEvent = async (workflow: string): Promise<WaitingTurn | undefined> => {
    const waiting = await calls().getEvent(workflow, WAITING_EVENT, { timeoutSeconds: 0 });
    return isRecord(waiting) ? (waiting as unknown as WaitingTurn) : undefined;
  };
  const findTurn = async (conversation: string, id: string): Promise<TurnPlace> => {
    const workflow = workflowId(conversation, id);
    // A turn that has ended, failed or was cancelled leaves its last event.
    const status = await calls().retrieveWorkflow(workflow).getStatus();
    const goesOn = status?.status === 'PENDING' || status?.status === 'ENQUEUED';
    return { calls: calls(), queue, workflow, waiting: goesOn ? await readEvent(workflow) : undefined };
  };
  /** DBOS would wait for ever for a turn that nobody has sent, as one with a misspelled id. */
  const requireSent = async (conversation: string, id: string): Promise<string> => {
    const workflow = workflowId(conversation, id);
    if ((await calls().retrieveWorkflow(workflow).getStatus()) !== null) return workflow;
    throw new InvalidOptionsError(
      ['id'],
      `${of}: the queue "${queue}" has no turn "${id}" of the conversation "${conversation}". Send it first: send({ conversation, agent, id, content })`,
    );
  };
  return {
    workflowId,
    send: async (turn) => {
      checkTurn(of, turn);
      const { conversation, agent, id, content, data } = turn;
      await enqueue(
        {
          queueName: queue,
          workflowName: nameWorkflow(queue),
          workflowID: workflowId(conversation, id),
          queuePartitionKey: conversation,
        },
        { conversation, agent, id, content, ...(data !== undefined && { data }) },
      );
    },
    outcome: async (conversation, id) => {
      const handle = calls().retrieveWorkflow(await requireSent(conversation, id));
      try {
        return readKeptOutcome((await handle.getResult({ pollingIntervalMs: POLL_MS })) as AttemptOutcome);
      } catch (error) {
        const status = await handle.getStatus();
        if (status?.status === 'CANCELLED') return CANCELLED;
        throw error;
      }
    },
    retry: async (conversation, id) => {
      const place = await findTurn(conversation, id);
      if (!(await retryTurn(place, conversation))) return false;
      await sendKeptAnswers({ ...place, waiting: await readEvent(place.workflow) });
      return true;
    },
    questions: async (conversation, id) => (await findTurn(conversation, id)).waiting?.questions ?? [],
    pending: async (conversation, id) => (await findTurn(conversation, id)).waiting?.pending ?? [],
    answer: async (conversation, id, answer) => {
      if (!isRecord(answer) || typeof answer['id'] !== 'string' || !isRecord(answer['result']))
        throw new InvalidOptionsError(
          ['answer'],
          `${of}: an answer is { id, result }: the id of the question, and what allow() or deny() returned`,
        );
      checkAnswer(answer.result);
      return await keepAnswer(await findTurn(conversation, id), answer, enqueue);
    },
    wake: async (conversation, id) => await tell(await requireSent(conversation, id), { wake: true }),
    cancel: async (conversation, id) => {
      const workflow = await requireSent(conversation, id);
      const stop = nameStop(workflow);
      await enqueue(
        {
          queueName: queue,
          workflowName: nameStopWorkflow(queue),
          workflowID: stop,
          queuePartitionKey: stop,
        },
        null,
      );
      await tell(workflow, { wake: true });
    },
    recover: async (executorId) => {
      requireShape('executorId', executorId, filledText);
      return await recoverTurns(of, calls(), queue, executorId);
    },
  };
}

/** DBOS keeps no result of a workflow that was cancelled with its own means. */
const CANCELLED: AttemptOutcome = {
  ok: false,
  kind: 'interrupted',
  text: 'The turn was cancelled.',
  turnCostUsd: 0,
  retryable: true,
};
