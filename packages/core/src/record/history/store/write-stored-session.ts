// Writes a session from a store to the place where the CLI looks for it.
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SessionStore, SessionStoreEntry } from '../../../wire/protocol/config/session-store.js';
import { callStore, type StoreCall } from './call-store.js';
import { encodeEntry, readLoaded, readSubpaths } from './store-answers.js';
import { mapConcurrently } from '../../../util/map-concurrently.js';
import { AGENT_METADATA } from '../transcript/subagent-files.js';

/** How many subagents are loaded at a time. */
const CONCURRENCY = 4;
/** About how many characters are written at a time. */
const CHUNK = 1024 * 1024;

export interface StoredSessionLayout {
  readonly store: SessionStore;
  readonly projectKey: string;
  readonly sessionId: string;
  /** The entries of the session's own transcript. The entries of its subagents are loaded here. */
  readonly entries: readonly SessionStoreEntry[];
  readonly limitMs: number;
  /** Ends the waiting for the store, so that the files written until then can be removed. */
  readonly signal?: AbortSignal | undefined;
  readonly configDir: string;
  /** The name of the project's folder, which the CLI derives from its working directory. */
  readonly folderName: string;
}

/** Writes the transcripts of the session and its subagents. A store that cannot list subagents counts as having none. */
export async function writeStoredSession(layout: StoredSessionLayout): Promise<void> {
  const { store, projectKey, sessionId, limitMs, signal, configDir, folderName } = layout;
  const project = join(configDir, 'projects', folderName);
  const own: StoreCall = { store, operation: 'load', sessionId };
  await writeEntries(join(project, `${sessionId}.jsonl`), layout.entries, own);
  if (!store.listSubkeys) return;
  const listing: StoreCall = { store, operation: 'listSubkeys', sessionId, limitMs, signal };
  const subpaths = await callStore(listing, () => store.listSubkeys?.({ projectKey, sessionId }));
  await mapConcurrently(readSubpaths(listing, subpaths), CONCURRENCY, async (subpath) => {
    const loading: StoreCall = { store, operation: 'load', sessionId, subpath, limitMs, signal };
    const loaded = await callStore(loading, () => store.load({ projectKey, sessionId, subpath }));
    const entries = readLoaded(loading, loaded);
    if (entries === undefined) return;
    const path = join(project, sessionId, ...subpath.split('/'));
    const messages = entries.filter((entry) => entry.type !== AGENT_METADATA);
    await writeEntries(`${path}.jsonl`, messages, loading);
    // On disk a subagent's metadata is a file of its own. It gets the last metadata entry.
    const metadata = entries.findLast((entry) => entry.type === AGENT_METADATA);
    if (metadata === undefined) return;
    const { type: _, ...fields } = metadata;
    await writePrivate(`${path}.meta.json`, [encodeEntry(fields, loading)]);
  });
}

async function writeEntries(
  path: string,
  entries: readonly SessionStoreEntry[],
  source: StoreCall,
): Promise<void> {
  await writePrivate(path, inChunks(entries, source));
}

function* inChunks(entries: readonly SessionStoreEntry[], source: StoreCall): Generator<string> {
  let text = '';
  for (const entry of entries) {
    text += `${encodeEntry(entry, source)}\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  yield text;
}

async function writePrivate(path: string, chunks: Iterable<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'w', 0o600);
  try {
    for (const chunk of chunks) await file.appendFile(chunk);
  } finally {
    await file.close();
  }
}
