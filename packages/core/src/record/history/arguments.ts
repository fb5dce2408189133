// Checks the arguments of the functions in this folder, and names that become parts of a path.
import { InvalidOptionsError } from '../../errors.js';
import { filledText, requireShape } from '../../util/option-shapes.js';
import type { SessionMutationOptions } from '../../wire/protocol/config/past-sessions.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a value can be a session's id. It becomes a file name, so only a UUID is accepted. */
export function isSessionId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** The most bytes of a file name on nearly every system, less the longest ending, `.meta.json`. */
const MAX_NAME_BYTES = 255 - '.meta.json'.length;

/** Whether a text can be one name in a path. It must not lead elsewhere on any system, nor break a log line. */
export function isSafeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..') return false;
  // On Windows a backslash separates folders and a colon follows a drive letter.
  return !/[/\\:\p{Cc}\p{Zl}\p{Zp}]/u.test(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/**
 * Whether a text can be the path of a subagent's transcript below its session. Paths from a store or the CLI are not
 * trusted.
 */
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

/** Throws an InvalidOptionsError for an empty project key, or one without a store. */
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

/** The bounds for `slice`. A value that is no positive number sets no bound. */
export function readPage({ limit, offset }: PageOptions): { start: number; end: number } {
  const start = Number(offset) > 0 ? Number(offset) : 0;
  return { start, end: Number(limit) > 0 ? start + Number(limit) : Number.POSITIVE_INFINITY };
}
