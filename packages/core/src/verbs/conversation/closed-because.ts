// The error for everything that still waits when a conversation ends.
import { SessionClosedError } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';

/**
 * Without `error` the conversation was closed on request. Otherwise the message says why it ended, and `error` is the
 * cause.
 */
export function closedBecause(error: unknown): SessionClosedError {
  if (error === undefined) return new SessionClosedError();
  return new SessionClosedError(`The session is closed: ${messageOf(error)}`, { cause: error });
}
