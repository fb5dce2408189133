// Checks what a store that the user wrote returns. A value of the wrong shape becomes an error that names the method and
// the place in the value. Ids and subpaths that could lead to another folder are left out.
import { SessionStoreError } from '../../../errors.js';
import { boundText } from '../../../util/bounded-text.js';
import { stringifyDeep } from '../../../util/deep-json.js';
import { isRecord } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type { SessionStoreEntry, SessionSummaryEntry } from '../../../wire/protocol/config/session-store.js';
import { isSafeSubpath, isSessionId } from '../arguments.js';
import { nameStoreCall, nameTarget, type StoreCall } from './call-store.js';

/** A session that a store lists. */
export interface ListedSession {
  readonly sessionId: string;
  readonly mtime: number;
}

/** The entries that `load` returned; undefined when the transcript is missing or empty. */
export function readLoaded(details: StoreCall, value: unknown): SessionStoreEntry[] | undefined {
  const entries = readList(details, value, 'transcript entries, or null where there are none');
  const wrong = entries.findIndex((entry) => !isRecord(entry));
  if (wrong !== -1) {
    throw refuse(
      details,
      `entry ${wrong} is ${describe(entries[wrong])}, not an object. Return the entries as append() received them`,
    );
  }
  return entries.length > 0 ? (entries as SessionStoreEntry[]) : undefined;
}

/** The sessions that a store lists. A session whose id is not valid is left out. */
export function readListed(details: StoreCall, value: unknown): ListedSession[] {
  return readList(details, value, '{ sessionId, mtime } objects').flatMap((entry, index) => {
    const listed = readListedSession(details, entry, index);
    return isSessionId(listed.sessionId) ? [listed] : [];
  });
}

/** The summaries that a store keeps. A summary whose session id is not valid is left out. */
export function readSummaries(details: StoreCall, value: unknown): SessionSummaryEntry[] {
  return readList(details, value, '{ sessionId, mtime, data } objects').flatMap((entry, index) => {
    const listed = readListedSession(details, entry, index);
    const { data } = entry as { data?: unknown };
    if (!isRecord(data)) {
      throw refuse(details, `the "data" of element ${index} is ${describe(data)}, not an object`);
    }
    return isSessionId(listed.sessionId) ? [{ ...listed, data }] : [];
  });
}

/** The subpaths that a store lists, without those that lead out of the session's folder. */
export function readSubpaths(details: StoreCall, value: unknown): string[] {
  return readList(details, value, 'subpaths such as "subagents/agent-a1"').filter((subpath, index) => {
    if (typeof subpath !== 'string') {
      throw refuse(details, `element ${index} is ${describe(subpath)}, not a string`);
    }
    return isSafeSubpath(subpath);
  }) as string[];
}

/** An entry as JSON. Throws a SessionStoreError for an entry that JSON cannot hold. */
export function encodeEntry(entry: object, details: StoreCall): string {
  try {
    return stringifyDeep(entry) as string;
  } catch (cause) {
    throw refuse(details, `an entry cannot be written as JSON (${messageOf(cause)})`, cause);
  }
}

function readListedSession(details: StoreCall, entry: unknown, index: number): ListedSession {
  if (!isRecord(entry) || typeof entry['sessionId'] !== 'string') {
    throw refuse(details, `element ${index} is ${describe(entry)}, not an object with a "sessionId"`);
  }
  // A Date is accepted as its number of milliseconds.
  const mtime = entry['mtime'] instanceof Date ? entry['mtime'].getTime() : entry['mtime'];
  if (typeof mtime !== 'number' || Number.isNaN(mtime)) {
    throw refuse(
      details,
      `the "mtime" of element ${index} is ${describe(entry['mtime'])}, not milliseconds since 1970`,
    );
  }
  return { sessionId: entry['sessionId'], mtime };
}

function readList(details: StoreCall, value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as unknown[];
  throw refuse(details, `it is ${describe(value)}. It must be an array of ${what}`);
}

function refuse(details: StoreCall, problem: string, cause?: unknown): SessionStoreError {
  return new SessionStoreError(
    details.operation,
    `${nameStoreCall(details)} returned something that cannot be used${nameTarget(details)}: ${problem}`,
    withoutUndefined({ sessionId: details.sessionId, cause }),
  );
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return `the string ${JSON.stringify(boundText(value, 40))}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
