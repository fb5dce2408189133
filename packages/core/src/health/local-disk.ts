// Whether there is room on the disks of this machine on which a CLI and this package put files.
import { homedir, tmpdir } from 'node:os';
import { disk } from '../util/system/disk.js';

/** With less than this free, a transcript that is to be resumed may not fit. */
const LEAST_FREE_BYTES = 32 * 1024 * 1024;

/** Whether a folder that files are put into has next to no room left. A folder that cannot be looked at says nothing. */
export async function isLocalDiskFull(folders: readonly string[] = [tmpdir(), homedir()]): Promise<boolean> {
  const free = await Promise.all(folders.map(readFreeBytes));
  return free.some((bytes) => bytes < LEAST_FREE_BYTES);
}

async function readFreeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize, blocks } = await disk.promises.statfs(folder);
    // Some file systems, such as those of the kernel, have no size.
    return blocks === 0 ? Infinity : bavail * bsize;
  } catch {
    // The folder does not exist, or the system does not tell.
    return Infinity;
  }
}
