// The contract between the channel and those who answer the CLI's requests: a question in, a value out.
import type { WireObject } from './codec.js';

/** What an answerer is told besides the request itself. */
export interface AnswerContext {
  readonly requestId: string;
  /** Fires when the other side withdraws the request, or the session ends. */
  readonly signal: AbortSignal;
}

/** Answers one kind of inbound request: the value is the answer, a throw is the refusal, `LEFT_OPEN` and `NOT_OURS` are neither. */
export type Answerer = (request: WireObject, context: AnswerContext) => unknown;

/** What an answerer returns to leave a request open, to be settled later by its id. */
export const LEFT_OPEN: unique symbol = Symbol('left open');

/** What an answerer returns when the request is not ours to answer: it is forgotten, and nothing is written. */
export const NOT_OURS: unique symbol = Symbol('not ours');
