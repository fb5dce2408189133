// Finds the files of a program: the files that are named, and in named folders every source file and package.json. Folders
// of dependencies, build output and tools are skipped, and so are links to folders. The report lists them.
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { messageOf } from '@inboard/core/util/message-of.js';
import { UsageError } from '../terminal/usage-error.js';

/** What was found. Paths are relative to the folder in which the command was started, or absolute if they lead out of it. */
export interface FoundFiles {
  files: string[];
  /** The folders that were not searched. */
  skipped: string[];
  /** Links to files outside of the named folder. They are skipped, because a change would affect a file elsewhere. */
  links: SkippedLink[];
  /** The files and folders that could not be read. */
  unreadable: UnreadFile[];
}

/** A symbolic link that was left alone, and where it leads. */
export interface SkippedLink {
  file: string;
  target: string;
}

/** A file that could not be read, understood or written. */
export interface UnreadFile {
  file: string;
  line?: number | undefined;
  column?: number | undefined;
  reason: string;
}

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'coverage', 'bower_components']);

/** Whether a folder is skipped. Folders that start with a dot belong to tools. */
function isSkipped(name: string): boolean {
  return SKIPPED.has(name) || name.startsWith('.');
}

/** Finds the files below the given paths. Throws a UsageError for a path at which there is nothing. */
export async function findFiles(paths: readonly string[], cwd: string): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], skipped: [], links: [], unreadable: [] };
  for (const path of paths) {
    const full = resolve(cwd, path);
    const info = await stat(full).catch((error: unknown) => {
      throw new UsageError(`"${path}" cannot be read: ${messageOf(error)}`);
    });
    if (info.isDirectory()) {
      await readFolder(full, { cwd, root: await realpath(full), found });
      continue;
    }
    // A file that is named is read, whatever its extension.
    const target = await findOutside(full, [await realpath(cwd), await realpath(dirname(full))]);
    const file = showPath(full, cwd);
    if (target === undefined) found.files.push(file);
    else
      found.unreadable.push({
        file,
        reason: `It is a symbolic link to ${target}, which is elsewhere. Name that file.`,
      });
  }
  found.files = (await dropSecondNames(found.files, cwd)).toSorted();
  return found;
}

interface Search {
  cwd: string;
  /** The real path of the folder that was named. */
  root: string;
  found: FoundFiles;
}

async function readFolder(folder: string, search: Search): Promise<void> {
  const { cwd, root, found } = search;
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    found.unreadable.push({ file: showPath(folder, cwd), reason: messageOf(error) });
    return;
  }
  for (const name of names.toSorted()) {
    const full = join(folder, name);
    const info = await lstat(full).catch(() => undefined);
    const target = info?.isSymbolicLink() ? await stat(full).catch(() => undefined) : info;
    if (target?.isDirectory()) {
      // A link to a folder may lead in a circle, or out of the program.
      if (isSkipped(name) || info?.isSymbolicLink()) found.skipped.push(showPath(full, cwd));
      else await readFolder(full, search);
    } else if (SOURCE.test(name) || name === 'package.json') {
      const outside =
        info?.isSymbolicLink() && target?.isFile() ? await findOutside(full, [root]) : undefined;
      if (outside !== undefined) found.links.push({ file: showPath(full, cwd), target: outside });
      else if (target?.isFile()) found.files.push(showPath(full, cwd));
      else if (!target)
        found.unreadable.push({
          file: showPath(full, cwd),
          reason: 'It is a symbolic link to a file that does not exist.',
        });
    }
  }
}

/**
 * Keeps each file once. Its own name is preferred to the name of a link to it. A file listed twice would be written
 * twice, and the second write would fail because the file has changed since it was read.
 */
async function dropSecondNames(files: readonly string[], cwd: string): Promise<string[]> {
  const byPlace = new Map<string, string>();
  for (const file of new Set(files)) {
    const full = resolve(cwd, file);
    const place = await realpath(full);
    const isLink = (await lstat(full)).isSymbolicLink();
    if (!isLink || !byPlace.has(place)) byPlace.set(place, file);
  }
  return [...byPlace.values()];
}

/** The real path of a file, if it is below none of these folders. Otherwise undefined. */
async function findOutside(file: string, roots: readonly string[]): Promise<string | undefined> {
  const real = await realpath(file);
  const isInside = roots.some((root) => {
    const step = relative(root, real);
    return step !== '..' && !step.startsWith(`..${sep}`) && !isAbsolute(step);
  });
  return isInside ? undefined : real;
}

function showPath(full: string, cwd: string): string {
  const path = relative(cwd, full);
  return path === '' ? '.' : path.startsWith('..') ? full : path;
}
