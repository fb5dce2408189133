// Writing a session from a store to where the CLI looks for it.
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SessionStore, SessionStoreEntry } from '../../../wire/protocol/config/session-store.js';
import { callStore } from './call-store.js';
import { stringifyDeep } from '../../../util/deep-json.js';
import { mapConcurrently } from '../../../util/map-concurrently.js';
import { AGENT_METADATA } from '../transcript/subagent-files.js';

/** How many subagents are loaded at a time. */
const CONCURRENCY = 4;
/** Characters written at a time. */
const CHUNK = 1024 * 1024;

export interface StoredSessionLayout {
  readonly store: SessionStore;
  readonly projectKey: string;
  readonly sessionId: string;
  /** Those of the session's own transcript; its subagents' are loaded here. */
  readonly entries: readonly SessionStoreEntry[];
  readonly limitMs: number;
  readonly configDir: string;
  /** The name of the project's folder, which the CLI makes of its working directory. */
  readonly folderName: string;
}

/** Writes the transcript and those of the subagents; a store that cannot list them has none. */
export async function writeStoredSession(layout: StoredSessionLayout): Promise<void> {
  const { store, projectKey, sessionId, limitMs, configDir, folderName } = layout;
  const project = join(configDir, 'projects', folderName);
  await writeEntries(join(project, `${sessionId}.jsonl`), layout.entries);
  if (!store.listSubkeys) return;
  const subpaths = await callStore({ store, operation: 'listSubkeys', sessionId, limitMs }, () =>
    store.listSubkeys?.({ projectKey, sessionId }),
  );
  await mapConcurrently((subpaths ?? []).filter(isInside), CONCURRENCY, async (subpath) => {
    const entries = await callStore({ store, operation: 'load', sessionId, subpath, limitMs }, () =>
      store.load({ projectKey, sessionId, subpath }),
    );
    if (!Array.isArray(entries)) return;
    const path = join(project, sessionId, ...subpath.split('/'));
    const messages = entries.filter((entry) => entry.type !== AGENT_METADATA);
    await writeEntries(`${path}.jsonl`, messages);
    // On disk a subagent's metadata is a file of its own, and only the last one is kept.
    const metadata = entries.findLast((entry) => entry.type === AGENT_METADATA);
    if (metadata === undefined) return;
    const { type: _, ...fields } = metadata;
    await writePrivate(`${path}.meta.json`, [JSON.stringify(fields)]);
  });
}

// A store is not trusted with paths: one that leads out of the session's folder is ignored.
function isInside(subpath: unknown): subpath is string {
  if (typeof subpath !== 'string') return false;
  // On Windows a backslash separates folders and a colon follows a drive letter.
  return subpath
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\:\0]/.test(part));
}

async function writeEntries(path: string, entries: readonly SessionStoreEntry[]): Promise<void> {
  await writePrivate(path, inChunks(entries));
}

function* inChunks(entries: readonly SessionStoreEntry[]): Generator<string> {
  let text = '';
  for (const entry of entries) {
    text += `${stringifyDeep(entry) as string}\n`;
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
