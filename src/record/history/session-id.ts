// What counts as the id of a session. It becomes a file name, so nothing else is let through.
import { InvalidOptionsError } from '../../errors.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a value can name a session. */
export function isSessionId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** Throws an InvalidOptionsError when a value cannot name a session. */
export function checkSessionId(value: unknown): asserts value is string {
  if (isSessionId(value)) return;
  throw new InvalidOptionsError(
    ['sessionId'],
    `Invalid sessionId: ${String(value)}. A session's id is a UUID, as in the session_id of its messages`,
  );
}
