// Appends planned entries to a transcript, on disk or in a session store. The caller holds the claim on the session's
// calls, and has made sure that no CLI uses the transcript.
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
 * Where a transcript is: in a file that exists, or under a key of a session store. `limitMs` is the most time that one
 * operation of the store may take; default: 60 seconds.
 */
export type TranscriptTarget =
  | { path: string }
  | { store: SessionStore; key: SessionKey; limitMs?: number | undefined; signal?: AbortSignal | undefined };

/** Entries of these types belong to the conversation, or name its end. Others can be long, and say nothing about calls. */
const READ = new Set(['user', 'assistant', 'system', 'attachment', 'progress', 'last-prompt']);

/**
 * Reads the entries that planning needs. The list is empty if the store has no transcript. Rejects with the error of the
 * file system or the store.
 */
export async function readForCompletion(place: TranscriptTarget): Promise<Entry[]> {
  const entries: Entry[] = [];
  const add = (entry: Entry): void => {
    if (READ.has(asString(entry['type']) ?? '')) entries.push(entry);
  };
  if ('path' in place) await scanEntries(place.path, add);
  else for (const entry of await load(place)) add(entry);
  return entries;
}

/**
 * Appends the entries of a plan. An attempt that fails or takes too long may have written some entries nevertheless. So
 * the transcript is read again, and the missing entries are appended once more. If that fails too, this rejects with the
 * first failure. Rejects at once if a store says that this process must not write any more. `isAgain` says that an
 * earlier attempt has failed. The transcript is then read first.
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

/** The first missing entry and all entries after it, because their order counts, too. */
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
