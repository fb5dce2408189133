// Lists the open questions of all approval queues of this process, and tells listeners of them, for code that shows them.
// Without a listener, this costs almost nothing.
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import type { ApprovalQuestion } from './approval.js';
import type { ApprovalContext } from './question-names.js';

/** The part of a queue that answers a question. */
export interface AnsweringQueue {
  answer(id: string, result: PermissionResult, options?: { by?: string | undefined }): Promise<boolean>;
}

/** The field that leads from a copy of a queue, made by spreading it, to the queue itself. */
export const QUEUE: unique symbol = Symbol('queue');

/** Whether a question belongs to a queue, or to a copy of it. */
export function isAskedWith({ queue }: WaitingQuestion, given: object): boolean {
  return queue === given || queue === (given as { [QUEUE]?: unknown })[QUEUE];
}

/** A question whose answer a caller in this process awaits. */
export interface WaitingQuestion {
  queue: AnsweringQueue;
  question: ApprovalQuestion;
  /** The id of the CLI's request, for permission questions. */
  requestId?: string | undefined;
  /** The call whose handler asks. */
  context?: ApprovalContext | undefined;
}

/** Is told of the questions of all queues. */
export interface ApprovalListener {
  asked(waiting: WaitingQuestion): void;
  /** Called when the question is no longer awaited. `result` is its answer, or undefined if there is none. */
  settled(waiting: WaitingQuestion, result: PermissionResult | undefined, by: string | undefined): void;
}

const listeners = new Set<ApprovalListener>();
const waiting = new Set<WaitingQuestion>();

/** Tells the listener of the open questions, and of every later one. The returned function removes the listener. */
export function watchQueues(listener: ApprovalListener): () => void {
  listeners.add(listener);
  for (const each of waiting) listener.asked(each);
  return () => listeners.delete(listener);
}

/** The questions whose answers are awaited in this process. */
export function listWaiting(): WaitingQuestion[] {
  return [...waiting];
}

/** Notes that a caller begins to wait for an answer. */
export function noteWaiting(each: WaitingQuestion): void {
  waiting.add(each);
  for (const listener of listeners) listener.asked(each);
}

/** Notes that the caller no longer waits. */
export function noteSettled(
  each: WaitingQuestion,
  result: PermissionResult | undefined,
  by: string | undefined,
): void {
  waiting.delete(each);
  for (const listener of listeners) listener.settled(each, result, by);
}
