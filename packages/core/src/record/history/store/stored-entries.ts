// Transcripts in a store: the key of a session, and its entries as if they were a file.
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '../../../wire/protocol/config/session-store.js';
import { stringifyDeep } from '../../../util/deep-json.js';
import { callStore, type StoreCall } from './call-store.js';
import { readLoaded } from './store-answers.js';
import { createProjectKey, resolveDirectory } from '../folders/project-folders.js';
import { toRawText } from '../transcript/raw-fields.js';
import { END_BYTES, type TranscriptEnds } from '../transcript/transcript-ends.js';

/** A session in a store. `dir`, its project, is by default the working directory of this process. */
export interface StoredSession {
  readonly sessionId: string;
  readonly dir?: string | undefined;
  /** The key to use instead of one made of `dir`. */
  readonly projectKey?: string | undefined;
}

/** The key of a project: the name of its transcript folder, and its key in a store unless the caller gives another. */
export async function findProjectKey(dir: string | undefined): Promise<string> {
  return createProjectKey(await resolveDirectory(dir ?? process.cwd()));
}

/** The key of a session's own transcript. */
export async function findStoreKey({ sessionId, dir, projectKey }: StoredSession): Promise<SessionKey> {
  return { projectKey: projectKey ?? (await findProjectKey(dir)), sessionId };
}

/** The entries of a session; undefined when the store has none. */
export async function loadStored(
  store: SessionStore,
  session: StoredSession,
): Promise<SessionStoreEntry[] | undefined> {
  const key = await findStoreKey(session);
  return await loadTranscript(store, key);
}

/**
 * The entries of a transcript by its key; undefined when the store has none. Rejects with the store's own error where
 * it has one.
 */
export async function loadTranscript(
  store: SessionStore,
  key: SessionKey,
): Promise<SessionStoreEntry[] | undefined> {
  const { sessionId, subpath } = key;
  const loading: StoreCall = { store, operation: 'load', sessionId, subpath, keepsErrors: true };
  return readLoaded(loading, await callStore(loading, () => store.load(key)));
}

/** Adds entries. Rejects with the store's own error where it has one. */
export async function appendStored(
  store: SessionStore,
  key: SessionKey,
  entries: SessionStoreEntry[],
): Promise<void> {
  const { sessionId, subpath } = key;
  await callStore({ store, operation: 'append', sessionId, subpath, keepsErrors: true }, () =>
    store.append(key, entries),
  );
}

/** The two ends of a file with these entries. The whole text is never in memory. */
export function readEndsOfEntries(entries: readonly SessionStoreEntry[], mtime: number): TranscriptEnds {
  let size = 0;
  let head = '';
  let tail: string[] = [];
  let tailSize = 0;
  for (const entry of entries) {
    const line = `${stringifyDeep(entry) as string}\n`;
    const bytes = Buffer.byteLength(line);
    if (size < END_BYTES) head += line;
    size += bytes;
    tail.push(line);
    tailSize += bytes;
    // Cut now and then instead of at every line.
    if (tailSize > 4 * END_BYTES) {
      tail = [cutTail(tail).toString()];
      tailSize = Buffer.byteLength(tail[0] ?? '');
    }
  }
  const bytes = Buffer.from(head);
  return { head: toRawText(bytes, 0, END_BYTES), tail: toRawText(cutTail(tail)), size, mtime };
}

function cutTail(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join('')).subarray(-END_BYTES);
}
