// Listing past sessions. Of each transcript only the two ends are read, a few files at a time, and with a limit only
// as many as needed: memory grows with neither the number nor the size of transcripts.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  GetSessionInfoOptions,
  ListSessionsOptions,
  SDKSessionInfo,
} from '../../../wire/protocol/config/past-sessions.js';
import { readArchived } from './archive-mark.js';
import { describeTranscript, isProgrammatic } from '../transcript/describe-transcript.js';
import { readFolderNames } from '../folders/project-folders.js';
import { mapConcurrently } from '../../../util/map-concurrently.js';
import { checkProjectKey, readPage, isSessionId } from '../arguments.js';
import { getStoredSessionInfo, listStoredSessions } from '../store/stored-sessions.js';
import { readFileEnds } from '../transcript/transcript-ends.js';
import {
  findCompanionFolder,
  findTranscript,
  listProjectFolders,
  type ProjectFolder,
  type TranscriptFile,
} from '../folders/transcript-location.js';

/** How many files are open at a time. */
const CONCURRENCY = 16;

interface Candidate extends TranscriptFile {
  readonly mtime: number;
}

/** Past sessions, newest first. */
export async function listSessions(options?: ListSessionsOptions): Promise<SDKSessionInfo[]> {
  const { dir, sessionStore, projectKey, limit, offset, includeWorktrees, includeProgrammatic } =
    options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  if (sessionStore) return await listStoredSessions(sessionStore, { dir, projectKey, limit, offset });
  const { start: skipped, end: wanted } = readPage({ limit, offset });
  const candidates = await listCandidates(await listProjectFolders(dir, includeWorktrees ?? true));

  const found = new Map<string, SDKSessionInfo>();
  for (let start = 0; start < candidates.length && found.size < wanted; start += CONCURRENCY) {
    const described = await Promise.all(
      candidates
        .slice(start, start + CONCURRENCY)
        .map((candidate) => describe(candidate, includeProgrammatic ?? true)),
    );
    for (const info of described) {
      // The same id in two projects is one session; the newer transcript came first.
      if (info && !found.has(info.sessionId)) found.set(info.sessionId, info);
    }
  }
  return [...found.values()].slice(skipped, wanted);
}

/** What a list would show about one session; undefined when there is no such session, or nothing to show. */
export async function getSessionInfo(
  sessionId: string,
  options?: GetSessionInfoOptions,
): Promise<SDKSessionInfo | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  const { dir, sessionStore, projectKey } = options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  if (sessionStore) return await getStoredSessionInfo(sessionStore, { sessionId, dir, projectKey });
  const transcript = await findTranscript(sessionId, dir);
  return transcript && (await describe(transcript, true));
}

async function describe(
  transcript: TranscriptFile,
  includeProgrammatic: boolean,
): Promise<SDKSessionInfo | undefined> {
  const ends = await readFileEnds(transcript.path);
  if (ends === undefined || (!includeProgrammatic && isProgrammatic(ends))) return undefined;
  return describeTranscript(ends, {
    sessionId: transcript.sessionId,
    cwd: transcript.project.cwd,
    archived: await readArchived(findCompanionFolder(transcript), ends),
  });
}

async function listCandidates(projects: readonly ProjectFolder[]): Promise<Candidate[]> {
  const files: TranscriptFile[] = [];
  for (const project of projects) {
    for (const name of await readFolderNames(project.folder)) {
      const sessionId = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : '';
      if (isSessionId(sessionId)) files.push({ sessionId, path: join(project.folder, name), project });
    }
  }
  const candidates = await mapConcurrently(files, CONCURRENCY, async (file) => {
    try {
      const found = await stat(file.path);
      return found.isFile() && found.size > 0 ? { ...file, mtime: found.mtime.getTime() } : undefined;
    } catch {
      // Deleted since the folder was read.
      return undefined;
    }
  });
  return candidates
    .filter((candidate) => candidate !== undefined)
    .sort((one, other) => other.mtime - one.mtime || (one.sessionId < other.sessionId ? 1 : -1));
}
