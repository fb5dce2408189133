// Copies a session from disk into a store.
import { SessionNotFoundError } from '../../../errors.js';
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '../../../wire/protocol/config/session-store.js';
import type { ImportSessionToStoreOptions } from '../../../wire/protocol/config/past-sessions.js';
import { checkProjectKey, checkSessionId } from '../arguments.js';
import { findCompanionFolder, findTranscript } from '../folders/transcript-location.js';
import { AGENT_METADATA, listSubagentFiles, readSubagentMetadata } from '../transcript/subagent-files.js';
import { scanEntries, type Entry, type LineLocation } from '../transcript/transcript-lines.js';
import { appendStored, findStoreKey } from './stored-entries.js';

const DEFAULT_BATCH_SIZE = 500;
/** The largest batch in bytes of transcript, unless a single entry is larger. */
const BATCH_BYTES = 1024 * 1024;

/**
 * Copies a session and its subagents into a store, each transcript in its own order. Rejects with the store's own error.
 * After a failure, another call sends everything again. The store recognizes duplicates by their uuid.
 */
export async function importSessionToStore(
  sessionId: string,
  store: SessionStore,
  options?: ImportSessionToStoreOptions,
): Promise<void> {
  checkSessionId(sessionId);
  const { dir, projectKey, includeSubagents = true } = options ?? {};
  checkProjectKey({ projectKey, sessionStore: store });
  const batchSize = Number(options?.batchSize) > 0 ? Number(options?.batchSize) : DEFAULT_BATCH_SIZE;
  const transcript = await findTranscript(sessionId, dir);
  if (transcript === undefined) {
    throw new SessionNotFoundError(sessionId, `Session ${sessionId} not found`, { phase: 'options' });
  }
  const key = await findStoreKey({ sessionId, dir, projectKey });
  await copyFile({ path: transcript.path, store, key, batchSize });
  if (!includeSubagents) return;
  for (const file of await listSubagentFiles(findCompanionFolder(transcript))) {
    const subkey = { ...key, subpath: file.subpath };
    await copyFile({ path: file.path, store, key: subkey, batchSize });
    const metadata = await readSubagentMetadata(file);
    if (metadata) await appendStored(store, subkey, [{ ...metadata, type: AGENT_METADATA }]);
  }
}

interface FileCopy {
  path: string;
  store: SessionStore;
  key: SessionKey;
  batchSize: number;
}

async function copyFile({ path, store, key, batchSize }: FileCopy): Promise<void> {
  let batches: SessionStoreEntry[][] = [];
  let bytesInBatch = 0;
  const send = async (wanted: 'full' | 'all'): Promise<void> => {
    const unfinished = wanted === 'full' ? batches.pop() : undefined;
    const ready = batches;
    batches = unfinished ? [unfinished] : [];
    for (const batch of ready) await appendStored(store, key, batch);
  };
  const take = (entry: Entry, { length }: LineLocation): void => {
    const current = batches.at(-1);
    const isFull = !current || current.length >= batchSize || bytesInBatch + length > BATCH_BYTES;
    if (isFull) batches.push([entry as SessionStoreEntry]);
    else current.push(entry as SessionStoreEntry);
    bytesInBatch = length + (isFull ? 0 : bytesInBatch);
  };
  await scanEntries(path, take, { pause: () => send('full') });
  await send('all');
}
