// Keeps the first answer to a question. DBOS does not say which of two messages came first, but of two workflows with one id, it keeps
// the first. So each answer is a workflow, which sends itself to the turn: also if the process that began it dies at once.
import { isRecord } from '@inboard/core/util/guards.js';
import { randomness } from '@inboard/core/util/system/randomness.js';
import type { QuestionAnswer } from '@inboard/durable/attempt/attempt-questions.js';
import type { DbosCalls, DbosEnqueueOptions } from './dbos-library.js';
import { nameAnswer, nameAnswerWorkflow, TOPIC, type KeptAnswer, type WaitingTurn } from './turn-messages.js';

/** Puts a workflow into the queue. */
export type Enqueue = (options: DbosEnqueueOptions, input: unknown) => Promise<unknown>;

/** A turn and where it is. */
export interface TurnPlace {
  readonly calls: DbosCalls;
  readonly queue: string;
  /** The id of its workflow. */
  readonly workflow: string;
  /** What it waits for. Undefined if it does not wait. */
  readonly waiting: WaitingTurn | undefined;
}

/** Returns whether this was the first answer to an open question. */
export async function keepAnswer(
  { calls, queue, workflow, waiting }: TurnPlace,
  { id, result, by }: QuestionAnswer,
  enqueue: Enqueue,
): Promise<boolean> {
  if (!waiting?.questions.some((question) => question.id === id)) return false;
  const asking = waiting.askings?.[id] ?? 0;
  const key = nameAnswer(id, asking);
  const mark = randomness.uuid();
  const answer = { id, result, ...(by !== undefined && { by }) };
  const own: KeptAnswer = { turn: workflow, key, message: { answer, asking }, mark };
  await enqueue(
    {
      queueName: queue,
      workflowName: nameAnswerWorkflow(queue),
      workflowID: `${workflow}/${key}`,
      queuePartitionKey: key,
    },
    own,
  );
  const first = (await readKeptAnswer(calls, workflow, key)) ?? own;
  // The workflow does this as well, once a process takes it.
  await sendAnswer(calls, first);
  return first.mark === mark;
}

/** Sends a kept answer to its turn, which gets it once. */
export async function sendAnswer(
  calls: Pick<DbosCalls, 'send'>,
  { turn, message, key }: KeptAnswer,
): Promise<void> {
  await calls.send(turn, message, TOPIC, key);
}

/** The answer that was kept first. */
export async function readKeptAnswer(
  calls: DbosCalls,
  workflow: string,
  key: string,
): Promise<KeptAnswer | undefined> {
  const status = await calls.retrieveWorkflow(`${workflow}/${key}`).getStatus();
  const kept = status?.input?.[0];
  return isRecord(kept) ? (kept as unknown as KeptAnswer) : undefined;
}
