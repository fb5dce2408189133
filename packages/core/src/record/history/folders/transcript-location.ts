// Finds transcripts: the folders of projects, and the file of a session in them.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionNotFoundError } from '../../../errors.js';
import { isWithoutDescriptor } from '../../../util/without-descriptor.js';
import type { Environment } from '../../../wire/process/operating-system.js';
import { listWorktrees } from './git-worktrees.js';
import { createProjectKey, findProjectsFolder, resolveDirectory } from './project-folders.js';

/** A project's transcript folder. */
export interface ProjectFolder {
  readonly folder: string;
  /** The project's working directory, if it is known. */
  readonly cwd: string | undefined;
}

/** A transcript that exists and is not empty. */
export interface TranscriptFile {
  readonly sessionId: string;
  readonly path: string;
  readonly project: ProjectFolder;
}

/**
 * The transcript folders to search: for a directory, its own and those of the worktrees of its repository. Without a
 * directory, all of them.
 */
export async function listProjectFolders(
  dir: string | undefined,
  includeWorktrees = true,
  env?: Environment,
): Promise<ProjectFolder[]> {
  const projects = findProjectsFolder(env);
  if (dir === undefined) {
    return (await readNamesToList(projects)).sort().map((name) => ({
      folder: join(projects, name),
      cwd: undefined,
    }));
  }
  const own = await resolveDirectory(dir);
  const worktrees = includeWorktrees ? await listWorktrees(own) : [];
  // With a single worktree, `dir` may be a subfolder of it. The repository's own sessions are then not wanted.
  const directories = worktrees.length > 1 ? [own, ...worktrees] : [own];
  return [...new Set(directories)].map((cwd) => ({ folder: join(projects, createProjectKey(cwd)), cwd }));
}

/**
 * The names in a folder, unsorted; empty when the folder cannot be read. Rejects when the process has no free file
 * descriptor, because an empty list would then hide sessions that exist.
 */
export async function readNamesToList(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isWithoutDescriptor(error)) throw error;
    return [];
  }
}

/**
 * The transcript of a session; undefined when there is none. If several folders have one, the first that is not empty
 * counts.
 */
export async function findTranscript(
  sessionId: string,
  dir: string | undefined,
  env?: Environment,
): Promise<TranscriptFile | undefined> {
  for (const project of await listProjectFolders(dir, true, env)) {
    const path = join(project.folder, `${sessionId}.jsonl`);
    try {
      const found = await stat(path);
      if (found.isFile() && found.size > 0) return { sessionId, path, project };
    } catch {
      // The session is not in this folder.
    }
  }
  return undefined;
}

/** Like `findTranscript`, but throws a SessionNotFoundError when there is none. */
export async function requireTranscript(
  sessionId: string,
  dir: string | undefined,
  env?: Environment,
): Promise<TranscriptFile> {
  const found = await findTranscript(sessionId, dir, env);
  if (found !== undefined) return found;
  const where = dir === undefined ? 'in any project directory' : `in project directory for ${dir}`;
  throw new SessionNotFoundError(
    sessionId,
    `Session ${sessionId} not found ${where}. Inboard looks for transcripts in ${findProjectsFolder(env)}`,
    { phase: 'options' },
  );
}

/** The folder beside a transcript with the session's other files, such as subagents and the archive mark. */
export function findCompanionFolder(transcript: TranscriptFile): string {
  return join(transcript.project.folder, transcript.sessionId);
}
