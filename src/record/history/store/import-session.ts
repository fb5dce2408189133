// Bringing a session that lies on disk into a store.
import { readFile } from 'node:fs/promises';
import { SessionNotFoundError } from '../../../errors.js';
import type {
  ImportSessionToStoreOptions,
  SessionKey,
  SessionStore,
  SessionStoreEntry,
} from '../../../wire/protocol/control/session-payload.js';
import { scanLines } from '../transcript/scan-lines.js';
import { checkSessionId } from '../session-id.js';
import { findStoreKey } from './stored-entries.js';
import { AGENT_METADATA, listSubagentFiles } from '../subagent-files.js';
import { parseEntry } from '../transcript/transcript-entry.js';
import { findCompanionFolder, findTranscript } from '../folders/transcript-place.js';

const DEFAULT_BATCH_SIZE = 500;
/** A batch is not made larger than this, in bytes of transcript, unless one entry is. */
const BATCH_BYTES = 1024 * 1024;

/**
 * Copies a session and its subagents into a store, in the order of their transcripts; rejects with the store's
 * own error. Done again after a failure it sends everything again: the store tells duplicates by uuid.
 */
export async function importSessionToStore(
  sessionId: string,
  store: SessionStore,
  options?: ImportSessionToStoreOptions,
): Promise<void> {
  checkSessionId(sessionId);
  const { dir, includeSubagents = true } = options ?? {};
  const batchSize = Number(options?.batchSize) > 0 ? Number(options?.batchSize) : DEFAULT_BATCH_SIZE;
  const transcript = await findTranscript(sessionId, dir);
  if (transcript === undefined) {
    throw new SessionNotFoundError(sessionId, `Session ${sessionId} not found`, { phase: 'options' });
  }
  const key = await findStoreKey({ sessionId, dir });
  await copyFile({ path: transcript.path, store, key, batchSize });
  if (!includeSubagents) return;
  for (const file of await listSubagentFiles(findCompanionFolder(transcript))) {
    const subkey = { ...key, subpath: file.subpath };
    await copyFile({ path: file.path, store, key: subkey, batchSize });
    const metadata = await readMetadata(file.metadataPath);
    if (metadata) await store.append(subkey, [metadata]);
  }
}

async function copyFile({
  path,
  store,
  key,
  batchSize,
}: {
  path: string;
  store: SessionStore;
  key: SessionKey;
  batchSize: number;
}): Promise<void> {
  let batches: SessionStoreEntry[][] = [];
  let bytesInBatch = 0;
  const send = async (wanted: 'full' | 'all'): Promise<void> => {
    const unfinished = wanted === 'full' ? batches.pop() : undefined;
    const ready = batches;
    batches = unfinished ? [unfinished] : [];
    for (const batch of ready) await store.append(key, batch);
  };
  await scanLines(
    path,
    (bytes) => {
      const entry = parseEntry(bytes.toString('utf8'));
      if (entry === undefined) return;
      const current = batches.at(-1);
      const isFull = !current || current.length >= batchSize || bytesInBatch + bytes.length > BATCH_BYTES;
      if (isFull) batches.push([entry as SessionStoreEntry]);
      else current.push(entry as SessionStoreEntry);
      bytesInBatch = bytes.length + (isFull ? 0 : bytesInBatch);
    },
    () => send('full'),
  );
  await send('all');
}

async function readMetadata(path: string): Promise<SessionStoreEntry | undefined> {
  try {
    const metadata = parseEntry(await readFile(path, 'utf8'));
    return metadata && { ...metadata, type: AGENT_METADATA };
  } catch {
    // Older CLIs write none.
    return undefined;
  }
}
