// A disk in memory that can be filled up and emptied again. Needs root, and is gone with this process.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PIECE = Buffer.alloc(64 * 1024);

/** Mounts one of so many megabytes. */
export function mountSmallDisk(megabytes) {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'inboard', folder]);
  const ballast = join(folder, 'ballast');
  let isMounted = true;
  const unmount = () => {
    if (!isMounted) return;
    isMounted = false;
    // Also while a process still has a file open there.
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  };
  process.once('exit', unmount);
  return {
    folder,
    /** To the last byte. */
    fill() {
      const file = openSync(ballast, 'a');
      try {
        for (;;) writeSync(file, PIECE);
      } catch (error) {
        if (error.code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty() {
      rmSync(ballast, { force: true });
    },
    unmount() {
      process.off('exit', unmount);
      unmount();
    },
  };
}
