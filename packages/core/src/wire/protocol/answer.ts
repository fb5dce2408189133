// The contract between the channel and the answerers. An answerer gets a request of the CLI, and returns the answer.
import type { WireObject } from './codec.js';

/** What an answerer receives besides the request. */
export interface AnswerContext {
  readonly requestId: string;
  /** Aborts when the CLI withdraws the request, when it is answered by its id, or when the session ends. */
  readonly signal: AbortSignal;
  /**
   * Sets the watcher that is told when the request is withdrawn. It does the same as a listener on `signal`, but creates
   * no signal. A signal's controller and listener take 4.5 µs, more than the rest of a short answer. There can be only
   * one watcher, which belongs to the code that works on the answer.
   */
  watch?(watcher: WithdrawalWatcher): void;
  /** Whether the answer is no longer wanted; undefined if that is not known. */
  readonly isWithdrawn?: boolean;
  /** Announces an answer of megabytes. It is encoded in pieces, so that the process can do other things in between. */
  expectLong?(): void;
}

/** An object that is told when an answer is no longer wanted. */
export interface WithdrawalWatcher {
  /** Called once, with the reason that the signal has. Called at once if the request was withdrawn before. */
  withdraw(reason: unknown): void;
}

/**
 * Answers one kind of request. The returned value is the answer, except for `LEFT_OPEN` and `NOT_OURS`. A thrown error
 * refuses the request.
 */
export type Answerer = (request: WireObject, context: AnswerContext) => unknown;

/** Returned by an answerer to leave a request open; it can be answered later by its id. */
export const LEFT_OPEN: unique symbol = Symbol('left open');

/** Returned by an answerer for a request that another client answers. The request is forgotten, and nothing is written. */
export const NOT_OURS: unique symbol = Symbol('not ours');

/** The `cause` of the signal's reason if the CLI withdrew the request. */
export const WITHDRAWN = 'withdrawn';

/** Whether a request's signal has aborted because the CLI withdrew the request. */
export function isWithdrawn({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.cause === WITHDRAWN;
}
