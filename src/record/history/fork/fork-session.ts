// Copying a session, whole or up to a message, under a new id: the copy can be resumed without touching the
// original. Read and written line by line; only the ids are held.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionNotFoundError } from '../../../errors.js';
import type {
  ForkSessionOptions,
  ForkSessionResult,
  SessionStoreEntry,
} from '../../../wire/protocol/control/session-payload.js';
import { describeForkTitle } from './fork-title.js';
import { ForkPlan } from './fork-plan.js';
import { scanLines } from '../transcript/scan-lines.js';
import { checkSessionId } from '../session-id.js';
import { findStoreKey, loadStored, readEndsOfEntries } from '../store/stored-entries.js';
import { encodeEntries, parseEntry, type Entry } from '../transcript/transcript-entry.js';
import { readTranscriptEnds } from '../transcript/transcript-ends.js';
import { findTranscript, type TranscriptFile } from '../folders/transcript-place.js';

/** Copies a session. Throws a SessionNotFoundError when there is none, or not that message in it. */
export async function forkSession(
  sessionId: string,
  options?: ForkSessionOptions,
): Promise<ForkSessionResult> {
  checkSessionId(sessionId);
  const { dir, sessionStore, upToMessageId, title } = options ?? {};
  const plan = new ForkPlan({ sessionId, upToMessageId: upToMessageId || undefined });
  if (sessionStore) {
    const entries = await loadStored(sessionStore, { sessionId, dir });
    if (entries === undefined) throw notFound(sessionId);
    for (const entry of entries) plan.note(entry);
    plan.decide();
    const copied = entries.map((entry) => plan.copy(entry)).filter((entry) => entry !== undefined);
    const endings = plan.listEndings(describeForkTitle(readEndsOfEntries(entries, 0), title));
    await sessionStore.append(await findStoreKey({ sessionId: plan.forkId, dir }), [
      ...copied,
      ...endings,
    ] as SessionStoreEntry[]);
    return { sessionId: plan.forkId };
  }
  const transcript = await findTranscript(sessionId, dir);
  if (transcript === undefined) throw notFound(sessionId, dir);
  await forEachEntry(transcript, (entry) => plan.note(entry));
  plan.decide();
  const ends = await readTranscriptEnds(transcript.path);
  await writeFork(transcript, plan, describeForkTitle(ends, title));
  return { sessionId: plan.forkId };
}

async function writeFork(transcript: TranscriptFile, plan: ForkPlan, title: string): Promise<void> {
  const path = join(transcript.project.folder, `${plan.forkId}.jsonl`);
  const file = await open(path, 'wx', 0o600);
  try {
    let pending: Entry[] = [];
    const flush = async (): Promise<void> => {
      const text = encodeEntries(pending);
      pending = [];
      await file.appendFile(text);
    };
    const take = (entry: Entry): void => {
      const copied = plan.copy(entry);
      if (copied) pending.push(copied);
    };
    await forEachEntry(transcript, take, flush);
    pending.push(...plan.listEndings(title));
    await flush();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  await file.close();
}

async function forEachEntry(
  transcript: TranscriptFile,
  take: (entry: Entry) => void,
  pause?: () => Promise<void>,
): Promise<void> {
  await scanLines(
    transcript.path,
    (bytes) => {
      const entry = parseEntry(bytes.toString('utf8'));
      if (entry) take(entry);
    },
    pause,
  );
}

function notFound(sessionId: string, dir?: string): SessionNotFoundError {
  const hint = dir === undefined ? '' : ` (looked in the project of ${dir})`;
  return new SessionNotFoundError(sessionId, `Session ${sessionId} not found${hint}`, { phase: 'options' });
}
