// Lists past sessions. Only the two ends of a transcript are read. With a limit, only as many transcripts are read as
// are needed. A transcript that has not changed since it was last read is usually not read again.
import type { Stats } from 'node:fs';
import { sep } from 'node:path';
import type {
  GetSessionInfoOptions,
  ListSessionsOptions,
  SDKSessionInfo,
} from '../../../wire/protocol/config/past-sessions.js';
import { findMarkFile, isArchived } from './archive-mark.js';
import { KnownSessions, type KnownSession } from './known-sessions.js';
import { describeTranscript, isProgrammatic } from '../transcript/describe-transcript.js';
import { FileReads, readOneFile, type FileCalls } from '../folders/file-calls.js';
import { readStamp, type FileStamp } from '../folders/file-stamp.js';
import { checkProjectKey, readPage, isSessionId } from '../arguments.js';
import { getStoredSessionInfo, listStoredSessions } from '../store/stored-sessions.js';
import { readBothEnds } from '../transcript/transcript-ends.js';
import {
  findCompanionFolder,
  findTranscript,
  listProjectFolders,
  readNamesToList,
  type ProjectFolder,
  type TranscriptFile,
} from '../folders/transcript-location.js';

/** How many sessions are read at a time when the caller wants only some. */
const STEP = 16;

const knownSessions = new KnownSessions();

interface Candidate extends TranscriptFile {
  readonly stamp: FileStamp;
  /** Whether there is a folder beside the transcript, which may hold an archive mark. */
  readonly hasCompanion: boolean;
}

/** Past sessions, newest first. */
export async function listSessions(options?: ListSessionsOptions): Promise<SDKSessionInfo[]> {
  const { dir, sessionStore, projectKey, env, limit, offset, includeWorktrees, includeProgrammatic } =
    options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  if (sessionStore) return await listStoredSessions(sessionStore, { dir, projectKey, limit, offset });
  const { start: skipped, end: wanted } = readPage({ limit, offset });
  const reads = new FileReads();
  const projects = await listProjectFolders(dir, includeWorktrees ?? true, env);
  const candidates = await listCandidates(projects, reads);

  const found = new Map<string, SDKSessionInfo>();
  const step = wanted < candidates.length ? STEP : candidates.length;
  for (let start = 0; start < candidates.length && found.size < wanted; start += step) {
    const some = candidates.slice(start, start + step);
    const sessions = await reads.map(some, recallSession);
    for (const [index, session] of sessions.entries()) {
      if (!session?.info || (session.isProgrammatic && includeProgrammatic === false)) continue;
      const { sessionId } = session.info;
      // Transcripts with the same id in two projects are one session. The newer transcript comes first and counts.
      if (!found.has(sessionId)) found.set(sessionId, addFolder(session.info, some[index]));
    }
  }
  return [...found.values()].slice(skipped, wanted);
}

/** The description of one session, as in a list; undefined if there is no such session, or if lists do not show it. */
export async function getSessionInfo(
  sessionId: string,
  options?: GetSessionInfoOptions,
): Promise<SDKSessionInfo | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  const { dir, sessionStore, projectKey, env } = options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  if (sessionStore) return await getStoredSessionInfo(sessionStore, { sessionId, dir, projectKey });
  const transcript = await findTranscript(sessionId, dir, env);
  const session =
    transcript && (await readOneFile((calls) => readSession(calls, transcript, findMark(transcript))));
  return session?.info && addFolder(session.info, transcript);
}

/** The facts of a session. If they are remembered, they are read again only when one of its files has changed. */
function* recallSession(
  calls: FileCalls,
  candidate: Candidate,
): Generator<unknown, KnownSession | undefined> {
  const markFile = candidate.hasCompanion ? findMark(candidate) : undefined;
  const mark = markFile === undefined ? undefined : yield* statFile(calls, markFile);
  const known = knownSessions.find(candidate.path, { transcript: candidate.stamp, mark });
  return known ?? (yield* readSession(calls, candidate, mark && markFile));
}

function* readSession(
  calls: FileCalls,
  { path, sessionId, stamp }: TranscriptFile & { stamp?: FileStamp },
  markFile: string | undefined,
): Generator<unknown, KnownSession | undefined> {
  const ends = yield* readBothEnds(calls, path, stamp);
  if (ends === undefined) return undefined;
  const mark = markFile === undefined ? undefined : yield* readBothEnds(calls, markFile);
  const session: KnownSession = {
    isProgrammatic: isProgrammatic(ends),
    info: describeTranscript(ends, { sessionId, archived: isArchived(mark, ends) }),
  };
  // A file that changed during the read may have been read half before and half after the change.
  const isWhole = ends.stamp && (markFile === undefined || mark?.stamp);
  if (isWhole) knownSessions.remember(path, { transcript: ends.stamp, mark: mark?.stamp }, session);
  return session;
}

/** A copy of a description, for the caller. If the transcript names no working directory, the copy has the project's. */
function addFolder(info: SDKSessionInfo, transcript: TranscriptFile | undefined): SDKSessionInfo {
  return { ...info, cwd: info.cwd ?? transcript?.project.cwd };
}

function findMark(transcript: TranscriptFile): string {
  return findMarkFile(findCompanionFolder(transcript));
}

function* statFile(calls: FileCalls, path: string): Generator<unknown, FileStamp | undefined> {
  try {
    const stats = (yield calls.stat(path)) as Stats | undefined;
    return stats && readStamp(stats);
  } catch {
    return undefined;
  }
}

async function listCandidates(projects: readonly ProjectFolder[], reads: FileReads): Promise<Candidate[]> {
  const files: (TranscriptFile & { hasCompanion: boolean })[] = [];
  for (const project of projects) {
    const names = new Set(await readNamesToList(project.folder));
    for (const name of names) {
      const sessionId = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : '';
      if (!isSessionId(sessionId)) continue;
      // `join` would normalize each of thousands of paths, which takes longer.
      const path = `${project.folder}${sep}${name}`;
      files.push({ sessionId, path, project, hasCompanion: names.has(sessionId) });
    }
  }
  const candidates = await reads.map(files, findCandidate);
  return candidates
    .filter((candidate) => candidate !== undefined)
    .sort(
      (one, other) =>
        Math.round(other.stamp.mtimeMs) - Math.round(one.stamp.mtimeMs) ||
        (one.sessionId < other.sessionId ? 1 : -1),
    );
}

/** Undefined if the file was deleted since the folder was read, is empty, or is not a regular file. */
function* findCandidate(
  calls: FileCalls,
  { sessionId, path, project, hasCompanion }: TranscriptFile & { hasCompanion: boolean },
): Generator<unknown, Candidate | undefined> {
  const stamp = yield* statFile(calls, path);
  return stamp && stamp.size > 0 ? { sessionId, path, project, hasCompanion, stamp } : undefined;
}
