// Opens files to write what others on this machine should not read, and that may lie where others can write: never waits
// for a reader, never gives the content to something that is no file.
import { constants, type Stats } from 'node:fs';
import { disk } from './system/disk.js';

/** What a path leads to that is no file; undefined for a file, and for devices such as /dev/null. */
function nameKind(stats: Stats): string | undefined {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isBlockDevice() ? 'a disk' : undefined;
}

/**
 * Opens a file for writing by this user alone, emptying one that is there; the caller closes it. Throws what the file system
 * throws, and an error with the code `ENOTFILE` for a pipe, a socket, a folder or a disk. Symbolic links are followed only on
 * request: without, one at the path is an error with the code `ELOOP`.
 */
export function openPrivateFile(path: string, { followsLinks }: { followsLinks: boolean }): number {
  // Windows has neither of the last two; undefined adds nothing to the others.
  const { O_WRONLY, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = constants;
  let descriptor: number;
  try {
    // Without O_NONBLOCK, opening a pipe waits until somebody reads it, and the whole process with it. It is emptied later:
    // a pipe or a disk is not for us to touch.
    descriptor = disk.openSync(
      path,
      O_WRONLY | O_CREAT | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW),
      0o600,
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENXIO') throw notAFile(path, 'a pipe or a socket', error);
    if (code === 'EISDIR') throw notAFile(path, 'a folder', error);
    throw error;
  }
  try {
    const stats = disk.fstatSync(descriptor);
    const kind = nameKind(stats);
    if (kind !== undefined) throw notAFile(path, kind);
    if (stats.isFile()) makePrivate(descriptor);
    return descriptor;
  } catch (error) {
    disk.closeSync(descriptor);
    throw error;
  }
}

function makePrivate(descriptor: number): void {
  try {
    // An older file keeps its mode otherwise. Not every file system has modes.
    disk.fchmodSync(descriptor, 0o600);
  } catch {
    // The file is written all the same.
  }
  disk.ftruncateSync(descriptor, 0);
}

function notAFile(path: string, kind: string, cause?: unknown): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(`${path} is ${kind}, not a file`, { cause });
  error.code = 'ENOTFILE';
  error.path = path;
  return error;
}
