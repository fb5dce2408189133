// Copies a session, whole or up to a message, under a new id. The copy can be resumed without touching the original. A
// transcript file is read and written line by line, and is never held in memory as a whole.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionNotFoundError } from '../../../errors.js';
import type { SessionStoreEntry } from '../../../wire/protocol/config/session-store.js';
import type { ForkSessionOptions, ForkSessionResult } from '../../../wire/protocol/config/past-sessions.js';
import { checkProjectKey, checkSessionId } from '../arguments.js';
import { findTranscript, type TranscriptFile } from '../folders/transcript-location.js';
import { appendStored, findStoreKey, loadStored, readEndsOfEntries } from '../store/stored-entries.js';
import { findFirstPrompt, findTitle, readLastEntries } from '../transcript/find-in-transcript.js';
import { readFileEnds, type TranscriptEnds } from '../transcript/transcript-ends.js';
import { encodeEntries, scanEntries, type Entry } from '../transcript/transcript-lines.js';
import { ForkPlan } from './fork-plan.js';

/** Copies a session under a new id. Rejects with a SessionNotFoundError if the session or the last message is missing. */
export async function forkSession(
  sessionId: string,
  options?: ForkSessionOptions,
): Promise<ForkSessionResult> {
  checkSessionId(sessionId);
  const { dir, sessionStore, projectKey, env, upToMessageId, title } = options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  const plan = new ForkPlan({ sessionId, upToMessageId: upToMessageId || undefined });
  if (sessionStore) {
    const entries = await loadStored(sessionStore, { sessionId, dir, projectKey });
    if (entries === undefined) throw notFound(sessionId);
    for (const entry of entries) plan.note(entry);
    plan.decide();
    const copied = entries.flatMap((entry) => plan.copy(entry) ?? []);
    const endings = plan.listEndings(chooseTitle(readEndsOfEntries(entries, 0), title));
    const key = await findStoreKey({ sessionId: plan.forkId, dir, projectKey });
    await appendStored(sessionStore, key, [...copied, ...endings] as SessionStoreEntry[]);
    return { sessionId: plan.forkId };
  }
  const transcript = await findTranscript(sessionId, dir, env);
  if (transcript === undefined) throw notFound(sessionId, dir);
  await scanEntries(transcript.path, (entry) => plan.note(entry));
  plan.decide();
  const ends = await readFileEnds(transcript.path);
  await writeFork(transcript, plan, chooseTitle(ends, title));
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
    await scanEntries(transcript.path, take, { pause: flush });
    pending.push(...plan.listEndings(title));
    await flush();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  await file.close();
}

// The caller's title. If there is none: the original's title or first prompt, followed by "(fork)".
function chooseTitle(original: TranscriptEnds | undefined, given: string | undefined): string {
  const title = given?.trim();
  if (title) return title;
  const name =
    (original && (findTitle(readLastEntries(original)) || findFirstPrompt(original.head))) ||
    'Forked session';
  return `${name} (fork)`;
}

function notFound(sessionId: string, dir?: string): SessionNotFoundError {
  const hint = dir === undefined ? '' : ` (looked in the project of ${dir})`;
  return new SessionNotFoundError(sessionId, `Session ${sessionId} not found${hint}`, { phase: 'options' });
}
