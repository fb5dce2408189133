// Writes the missing files of a project into a folder: all of them, or none. If something fails or the user stops the
// command, the files and folders made so far are removed.
import { closeSync, existsSync, mkdirSync, openSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '@inboard/core/util/message-of.js';
import { CommandError } from '../terminal/usage-error.js';
import type { ProjectFile } from './read-template.js';

/** `kept` are files that existed already with the same content. */
export interface WrittenFiles {
  written: string[];
  kept: string[];
}

/**
 * Writes files into a folder and creates the folder if needed. Throws a CommandError if another file is in the way, or
 * if a file cannot be written. The files written so far are then removed.
 */
export async function writeFiles(
  folder: string,
  files: readonly ProjectFile[],
  signal: AbortSignal,
): Promise<WrittenFiles> {
  const missing = await findMissing(folder, files);
  const undo: (() => void)[] = [];
  try {
    // Nothing here waits, so that no signal comes between two files. A second Ctrl-C ends the process at once, and some
    // of the files would stay.
    for (const { path, content } of missing) {
      signal.throwIfAborted();
      const whole = join(folder, path);
      makeFolder(dirname(whole), undo);
      writeNew(whole, content, undo);
    }
  } catch (error) {
    const left = undoAll(undo);
    if (signal.aborted) throw error;
    throw new CommandError(
      'NOT_WRITTEN',
      `${folder} was not written: ${messageOf(error)}. ${left.length === 0 ? 'Nothing was left behind.' : `Left behind: ${left.join('; ')}.`}`,
      { cause: error },
    );
  }
  const written = missing.map(({ path }) => path);
  return { written, kept: files.map(({ path }) => path).filter((path) => !written.includes(path)) };
}

// A file with the same content is not in the way. An earlier run may have written it before it was killed.
async function findMissing(folder: string, files: readonly ProjectFile[]): Promise<ProjectFile[]> {
  const missing: ProjectFile[] = [];
  const inTheWay = new Set<string>();
  for (const file of files) {
    const obstacle = await findObstacle(folder, file.path);
    if (obstacle !== undefined) inTheWay.add(obstacle);
    else if (await isThere(join(folder, file.path))) {
      if (!(await hasContent(join(folder, file.path), file.content))) inTheWay.add(file.path);
    } else missing.push(file);
  }
  if (inTheWay.size === 0) return missing;
  const names = [...inTheWay].sort();
  const advice = names.includes('package.json')
    ? 'To use Inboard in an existing project, run "npm install inboard @anthropic-ai/claude-code" there; for a new one, name a new folder: inboard init <folder>.'
    : 'Name a new folder: inboard init <folder>.';
  throw new CommandError(
    'FILES_IN_THE_WAY',
    `Nothing was written: ${folder} already has ${names.join(', ')}. ${advice}`,
  );
}

/** The first part of a file's path that should be a folder but is a file or a link. Undefined if there is none. */
async function findObstacle(folder: string, path: string): Promise<string | undefined> {
  const parts = path.split('/').slice(0, -1);
  for (const count of parts.keys()) {
    const part = parts.slice(0, count + 1).join('/');
    const stats = await statOf(join(folder, part));
    if (stats === undefined) return undefined;
    if (!stats.isDirectory()) return part;
  }
  return undefined;
}

async function statOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError('NOT_READABLE', `${path} cannot be accessed: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await statOf(path)) !== undefined;
}

async function hasContent(path: string, content: string): Promise<boolean> {
  const stats = await statOf(path);
  // Reading a pipe would block, and a link leads to a file elsewhere.
  if (!stats?.isFile() || stats.size !== Buffer.byteLength(content)) return false;
  return (await readFile(path, 'utf8').catch(() => undefined)) === content;
}

function makeFolder(path: string, undo: (() => void)[]): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), undo);
  mkdirSync(path);
  undo.push(() => rmdirSync(path));
}

function writeNew(path: string, content: string, undo: (() => void)[]): void {
  // `wx` fails if the file was created in the meantime, and never overwrites it.
  const descriptor = openSync(path, 'wx');
  // From now on the file exists, also if its content cannot be written.
  undo.push(() => unlinkSync(path));
  try {
    writeFileSync(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
}

/** Undoes the steps, the last one first; returns the messages of the steps that failed. */
function undoAll(undo: readonly (() => void)[]): string[] {
  const left: string[] = [];
  for (const step of undo.toReversed()) {
    try {
      step();
    } catch (error) {
      left.push(messageOf(error));
    }
  }
  return left;
}
