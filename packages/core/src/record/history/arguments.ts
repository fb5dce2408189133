// What callers pass to the functions of this room: the id of a session, and which part of a list they want.
import { InvalidOptionsError } from '../../errors.js';
import { filledText, requireShape } from '../../util/option-shapes.js';
import type { SessionMutationOptions } from '../../wire/protocol/config/past-sessions.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a value can be a session's id. It becomes a file name, so only a UUID is accepted. */
export function isSessionId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** The longest name a file can have nearly everywhere, less the longest ending, `.meta.json`, in bytes. */
const MAX_NAME_BYTES = 255 - '.meta.json'.length;

/** Whether a text can be one name in a path: it leads nowhere else, on any system, and no log line is broken by it. */
export function isSafeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..') return false;
  // On Windows a backslash separates folders and a colon follows a drive letter.
  return !/[/\\:\p{Cc}\p{Zl}\p{Zp}]/u.test(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** Whether a text can be where a subagent's transcript is below its session. Neither a store nor the CLI is trusted with paths. */
export function isSafeSubpath(subpath: string): boolean {
  return subpath.length <= MAX_SUBPATH && subpath.split('/').every(isSafeName);
}

const MAX_SUBPATH = 1024;

/** Throws an InvalidOptionsError when a value cannot be a session's id. */
export function checkSessionId(value: unknown): asserts value is string {
  if (isSessionId(value)) return;
  throw new InvalidOptionsError(
    ['sessionId'],
    `Invalid sessionId: ${String(value) || '(empty)'}. A session id is a UUID, as in the session_id of its messages`,
  );
}

/** Throws an InvalidOptionsError for a project key that names nothing, or that no store is there for. */
export function checkProjectKey({ projectKey, sessionStore }: SessionMutationOptions): void {
  if (projectKey === undefined) return;
  requireShape('projectKey', projectKey, filledText, { called: 'projectKey' });
  if (sessionStore) return;
  throw new InvalidOptionsError(
    ['projectKey', 'sessionStore'],
    'projectKey names a project in a sessionStore, but there is none. Pass the store, or dir for a project on disk',
  );
}

/** Which part of a list is wanted. */
export interface PageOptions {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** The bounds for `slice`; a value that is not a positive number sets no bound. */
export function readPage({ limit, offset }: PageOptions): { start: number; end: number } {
  const start = Number(offset) > 0 ? Number(offset) : 0;
  return { start, end: Number(limit) > 0 ? start + Number(limit) : Number.POSITIVE_INFINITY };
}
