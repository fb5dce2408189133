// Reads and extends transcripts in a store. It makes the key of a session, and shows entries as the ends of a file.
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

/** A session in a store. */
export interface StoredSession {
  readonly sessionId: string;
  /** The directory of its project. Default: the working directory of this process. */
  readonly dir?: string | undefined;
  /** The key to use instead of one made of `dir`. */
  readonly projectKey?: string | undefined;
}

/** The key of a project. It names the project's transcript folder on disk, and by default the project in a store. */
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
 * The entries of a transcript by its key; undefined when the store has none. If the store rejects with an Error, that
 * error is passed on unchanged.
 */
export async function loadTranscript(
  store: SessionStore,
  key: SessionKey,
): Promise<SessionStoreEntry[] | undefined> {
  const { sessionId, subpath } = key;
  const loading: StoreCall = { store, operation: 'load', sessionId, subpath, keepsErrors: true };
  return readLoaded(loading, await callStore(loading, () => store.load(key)));
}

/** Adds entries. If the store rejects with an Error, that error is passed on unchanged. */
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

/** The two ends that a transcript file with these entries would have. The whole text is never in memory. */
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
    // Cutting after every line would take too long, so the tail is cut only now and then.
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
