// Appends planned entries to a transcript, on disk or in a store. The caller holds the claim of the session, and has
// made sure that no CLI has the transcript.
import { asString } from '../../util/guards.js';
import { appendLines } from '../../record/history/transcript/append-lines.js';
import { encodeEntries, scanEntries, type Entry } from '../../record/history/transcript/transcript-lines.js';
import { callStore, isFatal, type StoreCall } from '../../record/history/store/call-store.js';
import { readLoaded } from '../../record/history/store/store-answers.js';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '../../wire/protocol/config/session-store.js';

/**
 * Where a transcript is: a file that exists, or a key of a store. `limitMs` limits each call of the store. Default 60
 * s.
 */
export type TranscriptTarget =
  | { path: string }
  | { store: SessionStore; key: SessionKey; limitMs?: number | undefined; signal?: AbortSignal | undefined };

/** Entries of these types are the conversation, or name its end. The others are long, and say nothing about calls. */
const READ = new Set(['user', 'assistant', 'system', 'attachment', 'progress', 'last-prompt']);

/**
 * The entries that planning needs; empty where the store has no transcript. Rejects with the error of the file system
 * or the store.
 */
export async function readForCompletion(place: TranscriptTarget): Promise<Entry[]> {
  const entries: Entry[] = [];
  const add = (entry: Entry): void => {
    if (READ.has(String(entry['type']))) entries.push(entry);
  };
  if ('path' in place) await scanEntries(place.path, add);
  else for (const entry of await load(place)) add(entry);
  return entries;
}

/**
 * Appends the entries of a plan. After a failure or a call that took too long, some entries may have been written. So
 * the transcript is read again, and the missing entries are appended once more. Rejects with the first failure where
 * that did not help, and at once where a store says that this process must not write any more. With `isAgain`, an
 * earlier attempt has failed, and the transcript is read first.
 */
export async function appendCompletion(
  place: TranscriptTarget,
  entries: readonly SessionStoreEntry[],
  { isAgain = false }: { isAgain?: boolean } = {},
): Promise<void> {
  if (entries.length === 0) return;
  const wanted = isAgain ? await listMissing(place, entries) : entries;
  if (wanted.length === 0) return;
  try {
    await append(place, wanted);
  } catch (failure) {
    if (isFatal(failure)) throw failure;
    const missing = await listMissing(place, entries).catch(() => entries);
    if (missing.length === 0) return;
    try {
      await append(place, missing);
    } catch {
      const left = await listMissing(place, entries).catch(() => entries);
      if (left.length > 0) throw failure;
    }
  }
}

async function append(place: TranscriptTarget, entries: readonly SessionStoreEntry[]): Promise<void> {
  if ('path' in place) {
    await appendLines(place.path, encodeEntries(entries));
    return;
  }
  const { store, key } = place;
  await callStore(describeCall(place, 'append'), () => store.append(key, [...entries]));
}

/** The entries from the first missing one on, because their order counts, too. */
async function listMissing(
  place: TranscriptTarget,
  entries: readonly SessionStoreEntry[],
): Promise<readonly SessionStoreEntry[]> {
  const uuids = new Set<string>();
  let namedLeaf: string | undefined;
  for (const entry of await readForCompletion(place)) {
    const uuid = asString(entry['uuid']);
    if (uuid !== undefined) uuids.add(uuid);
    if (entry['type'] === 'last-prompt') namedLeaf = asString(entry['leafUuid']);
  }
  const first = entries.findIndex(({ uuid, leafUuid }) =>
    uuid === undefined ? leafUuid !== namedLeaf : !uuids.has(uuid),
  );
  return first < 0 ? [] : entries.slice(first);
}

type StorePlace = Exclude<TranscriptTarget, { path: string }>;

async function load(place: StorePlace): Promise<SessionStoreEntry[]> {
  const loading = describeCall(place, 'load');
  return readLoaded(loading, await callStore(loading, () => place.store.load(place.key))) ?? [];
}

function describeCall({ store, key, limitMs, signal }: StorePlace, operation: 'append' | 'load'): StoreCall {
  return { store, operation, sessionId: key.sessionId, subpath: key.subpath, limitMs, signal };
}
