// The error of whatever waits for a conversation that is over.
import { SessionClosedError } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';

/** Says itself why the conversation ended, where it was not simply closed; `error` is also the cause. */
export function closedBecause(error: unknown): SessionClosedError {
  if (error === undefined) return new SessionClosedError();
  return new SessionClosedError(`The session is closed: ${messageOf(error)}`, { cause: error });
}
