// The files of a program: those that are named, and in folders all that can hold code. Folders that hold other people's
// code or copies of this one are left out, by name, and said.
import { lstat, readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { messageOf } from '../../util/message-of.js';
import { UsageError } from '../terminal/usage-error.js';

/** What was found, as paths relative to where the command was started. */
export interface FoundFiles {
  files: string[];
  /** Folders that were left out. */
  skipped: string[];
  /** What could not be looked into. */
  unreadable: UnreadFile[];
}

/** A file that could not be read or understood. */
export interface UnreadFile {
  file: string;
  line?: number | undefined;
  column?: number | undefined;
  reason: string;
}

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const SKIPPED = new Set(['node_modules', 'dist', 'build', 'coverage', 'bower_components']);

/** Whether a folder is left out: what starts with a dot belongs to tools. */
function isSkipped(name: string): boolean {
  return SKIPPED.has(name) || name.startsWith('.');
}

/** Finds the files below the given paths; throws a UsageError for a path that is not there. */
export async function findFiles(paths: readonly string[], cwd: string): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], skipped: [], unreadable: [] };
  for (const path of paths) {
    const full = resolve(cwd, path);
    const info = await stat(full).catch((error: unknown) => {
      throw new UsageError(`"${path}" cannot be read: ${messageOf(error)}`);
    });
    // A file that is named is read whatever it is called.
    if (info.isDirectory()) await readFolder(full, cwd, found);
    else found.files.push(showPath(full, cwd));
  }
  found.files = [...new Set(found.files)].toSorted();
  return found;
}

async function readFolder(folder: string, cwd: string, found: FoundFiles): Promise<void> {
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
      else await readFolder(full, cwd, found);
    } else if (SOURCE.test(name) || name === 'package.json') {
      if (target?.isFile()) found.files.push(showPath(full, cwd));
      else if (!target)
        found.unreadable.push({
          file: showPath(full, cwd),
          reason: 'It is a symbolic link to a file that does not exist.',
        });
    }
  }
}

function showPath(full: string, cwd: string): string {
  const path = relative(cwd, full);
  return path === '' ? '.' : path.startsWith('..') ? full : path;
}
