// Listing past sessions. Of each transcript only the two ends are read, a few files at a time, with a limit only as many
// as needed, and none that was read before and has not changed since.
import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type {
  GetSessionInfoOptions,
  ListSessionsOptions,
  SDKSessionInfo,
} from '../../../wire/protocol/config/past-sessions.js';
import { findMarkFile, isArchived } from './archive-mark.js';
import { KnownSessions, type KnownSession } from './known-sessions.js';
import { describeTranscript, isProgrammatic } from '../transcript/describe-transcript.js';
import { FileReads } from '../folders/file-calls.js';
import { readStamp, type FileStamp } from '../folders/file-stamp.js';
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

/** How many files are asked for at a time; those of a disk that is far away. */
const CONCURRENCY = 16;

const knownSessions = new KnownSessions();

interface Candidate extends TranscriptFile {
  readonly stamp: FileStamp;
  /** Whether there is a folder beside it, which may hold an archive mark. */
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
  const step = wanted < candidates.length ? CONCURRENCY : candidates.length;
  for (let start = 0; start < candidates.length && found.size < wanted; start += step) {
    const some = candidates.slice(start, start + step);
    const sessions = await mapConcurrently(some, CONCURRENCY, (one) => recallSession(one, reads));
    for (const [index, session] of sessions.entries()) {
      if (!session?.info || (session.isProgrammatic && includeProgrammatic === false)) continue;
      const { sessionId } = session.info;
      // The same id in two projects is one session; the newer transcript came first.
      if (!found.has(sessionId)) found.set(sessionId, addFolder(session.info, some[index]));
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
  const { dir, sessionStore, projectKey, env } = options ?? {};
  checkProjectKey({ sessionStore, projectKey });
  if (sessionStore) return await getStoredSessionInfo(sessionStore, { sessionId, dir, projectKey });
  const transcript = await findTranscript(sessionId, dir, env);
  const session = transcript && (await readSession(transcript, findMark(transcript)));
  return session?.info && addFolder(session.info, transcript);
}

/** What is known of a session, read again only if one of its files has changed. */
async function recallSession(candidate: Candidate, reads: FileReads): Promise<KnownSession | undefined> {
  const markFile = candidate.hasCompanion ? findMark(candidate) : undefined;
  const mark = markFile === undefined ? undefined : await statFile(markFile, reads);
  const known = knownSessions.find(candidate.path, { transcript: candidate.stamp, mark });
  return known ?? (await readSession(candidate, mark && markFile, reads));
}

async function readSession(
  { path, sessionId, stamp }: TranscriptFile & { stamp?: FileStamp },
  markFile: string | undefined,
  reads?: FileReads,
): Promise<KnownSession | undefined> {
  const ends = await readFileEnds(path, { expected: stamp, reads });
  if (ends === undefined) return undefined;
  const mark = markFile === undefined ? undefined : await readFileEnds(markFile, { reads });
  const session: KnownSession = {
    isProgrammatic: isProgrammatic(ends),
    info: describeTranscript(ends, { sessionId, archived: isArchived(mark, ends) }),
  };
  // What changed while it was read may have been read half before and half after.
  const isWhole = ends.stamp && (markFile === undefined || mark?.stamp);
  if (isWhole) knownSessions.remember(path, { transcript: ends.stamp, mark: mark?.stamp }, session);
  return session;
}

/** A copy to give away; a transcript that names no working directory is of its project's. */
function addFolder(info: SDKSessionInfo, transcript: TranscriptFile | undefined): SDKSessionInfo {
  return { ...info, cwd: info.cwd ?? transcript?.project.cwd };
}

function findMark(transcript: TranscriptFile): string {
  return findMarkFile(findCompanionFolder(transcript));
}

async function statFile(path: string, reads: FileReads): Promise<FileStamp | undefined> {
  try {
    return await reads.do(function* (calls) {
      return readStamp((yield calls.stat(path)) as BigIntStats);
    });
  } catch {
    return undefined;
  }
}

async function listCandidates(projects: readonly ProjectFolder[], reads: FileReads): Promise<Candidate[]> {
  const files: (TranscriptFile & { hasCompanion: boolean })[] = [];
  for (const project of projects) {
    const names = new Set(await readFolderNames(project.folder));
    for (const name of names) {
      const sessionId = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : '';
      if (!isSessionId(sessionId)) continue;
      const path = join(project.folder, name);
      files.push({ sessionId, path, project, hasCompanion: names.has(sessionId) });
    }
  }
  const candidates = await mapConcurrently(files, CONCURRENCY, async (file) => {
    // Without a stamp it was deleted since the folder was read, or is no file.
    const stamp = await statFile(file.path, reads);
    return stamp && stamp.size > 0 ? { ...file, stamp } : undefined;
  });
  return candidates
    .filter((candidate) => candidate !== undefined)
    .sort((one, other) => other.stamp.mtime - one.stamp.mtime || (one.sessionId < other.sessionId ? 1 : -1));
}
