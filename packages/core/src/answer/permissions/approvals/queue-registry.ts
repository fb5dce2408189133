// The queues of this process, for whoever shows their questions. A queue is named here by what it tells; while nobody listens,
// a question costs one look at an empty list.
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import type { ApprovalQuestion } from './approval.js';
import type { ApprovalContext } from './question-names.js';

/** What can be asked of a queue by whoever shows its questions. */
export interface AnsweringQueue {
  answer(id: string, result: PermissionResult, options?: { by?: string | undefined }): Promise<boolean>;
}

/** The field by which copies of a queue, made with spread, are known as that queue. */
export const QUEUE: unique symbol = Symbol('queue');

/** Whether a question was asked with a queue, or with a copy of it. */
export function isAskedWith({ queue }: WaitingQuestion, given: object): boolean {
  return queue === given || queue === (given as { [QUEUE]?: unknown })[QUEUE];
}

/** A question that somebody of this process waits for. */
export interface WaitingQuestion {
  queue: AnsweringQueue;
  question: ApprovalQuestion;
  /** Of the CLI's request, for permission questions. */
  requestId?: string | undefined;
  /** Of the call whose handler asks. */
  context?: ApprovalContext | undefined;
}

/** Hears of the questions of all queues. */
export interface QueueListener {
  asked(waiting: WaitingQuestion): void;
  /** Nobody waits any more; `result` is the answer, undefined where there is none. */
  settled(waiting: WaitingQuestion, result: PermissionResult | undefined, by: string | undefined): void;
}

const listeners = new Set<QueueListener>();
const waiting = new Set<WaitingQuestion>();

/** Hears of every question from now on, and of those that wait; the returned function ends that. */
export function watchQueues(listener: QueueListener): () => void {
  listeners.add(listener);
  for (const each of waiting) listener.asked(each);
  return () => listeners.delete(listener);
}

/** The questions that somebody of this process waits for. */
export function listWaiting(): WaitingQuestion[] {
  return [...waiting];
}

/** Whether anybody wants to know who answered. */
export function areQueuesWatched(): boolean {
  return listeners.size > 0;
}

/** Somebody waits for the answer to a question. */
export function noteWaiting(each: WaitingQuestion): void {
  waiting.add(each);
  for (const listener of listeners) listener.asked(each);
}

/** Nobody does any more. */
export function noteSettled(
  each: WaitingQuestion,
  result: PermissionResult | undefined,
  by: string | undefined,
): void {
  waiting.delete(each);
  for (const listener of listeners) listener.settled(each, result, by);
}
