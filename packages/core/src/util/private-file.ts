// Opens files for content that other users must not read, in folders where others may be able to write. It never waits
// for the reader of a pipe, and refuses pipes, sockets, folders and disks.
import { constants, type Stats } from 'node:fs';
import { disk } from './system/disk.js';

/** The kind of thing that is refused; undefined for a file, and for devices such as /dev/null. */
function nameKind(stats: Stats): string | undefined {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isBlockDevice() ? 'a disk' : undefined;
}

/**
 * Opens a file for writing, for this user alone, and empties an existing file. The caller closes it. Throws the error of
 * the file system, and an error with the code `ENOTFILE` for a pipe, a socket, a folder or a disk. A symbolic link is
 * followed only if `followsLinks` is set. Otherwise it is an error with the code `ELOOP`.
 */
export function openPrivateFile(path: string, { followsLinks }: { followsLinks: boolean }): number {
  // Windows does not have the last two flags. They are then undefined, which counts as 0.
  const { O_WRONLY, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = constants;
  let descriptor: number;
  try {
    // Without O_NONBLOCK, opening a pipe would block the whole process until the pipe has a reader. The file is emptied
    // only after the check below, because a pipe or a disk must not be changed.
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
    // An existing file would keep its mode. Not every file system has modes.
    disk.fchmodSync(descriptor, 0o600);
  } catch {
    // The file is written even if its mode cannot be set.
  }
  disk.ftruncateSync(descriptor, 0);
}

function notAFile(path: string, kind: string, cause?: unknown): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(`${path} is ${kind}, not a file`, { cause });
  error.code = 'ENOTFILE';
  error.path = path;
  return error;
}
