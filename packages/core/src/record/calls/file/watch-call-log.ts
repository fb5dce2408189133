// Notices that lines were added to the log of one session, on any file system.
import { clock } from '../../../util/system/clock.js';
import { disk } from '../../../util/system/disk.js';
import type { CallFiles } from './call-files.js';

/**
 * The time between two checks. They are needed because some file systems report no changes, and reports can be lost. Where
 * changes are reported, checks are rare.
 */
const CHECK_MS = 500;
const RARE_CHECK_MS = 2_000;

/** Calls `onChange` whenever the log may have changed. The returned function ends the watch. */
export function watchCallLog(files: CallFiles, onChange: () => void): () => void {
  let watcher: ReturnType<typeof disk.watch> | undefined;
  try {
    watcher = disk.watch(files.folder, onChange);
    watcher.on('error', () => endWatcher());
  } catch {
    // There is no folder yet, or the system has no watches left. The checks notice changes as well.
  }
  const endWatcher = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  let last: string | undefined;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<void> => {
    const state = await disk.promises.stat(files.log).then(
      ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    if (isOver) return;
    if (last !== state) onChange();
    last = state;
    timer = clock.setTimeout(() => void check(), watcher ? RARE_CHECK_MS : CHECK_MS);
  };
  void check();
  return () => {
    isOver = true;
    clock.clearTimeout(timer);
    endWatcher();
  };
}
