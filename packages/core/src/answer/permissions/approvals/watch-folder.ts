// Notices changes in a folder, on any file system.
import { clock } from '../../../util/system/clock.js';
import { disk } from '../../../util/system/disk.js';

/** The time between two checks. They are needed because some file systems report no changes, and reports can be lost. */
const POLL_MS = 500;

/**
 * Calls `onChange` whenever something may have changed in a folder. Makes the folder if there is none. The returned
 * function ends the watch.
 */
export function watchFolder(folder: string, onChange: () => void): () => void {
  disk.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stops = [listen(folder, onChange), poll(folder, onChange)];
  return () => {
    for (const stop of stops) stop();
  };
}

function listen(folder: string, onChange: () => void): () => void {
  try {
    const watcher = disk.watch(folder, onChange);
    // Without this watcher, the polling still notices changes.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}

function poll(folder: string, onChange: () => void): () => void {
  let last: string | undefined;
  const note = (state: string): void => {
    if (last !== state) onChange();
    last = state;
  };
  const timer = clock.setInterval(() => {
    disk.promises.stat(folder).then(
      // Only `ctime` shows a change of owner or mode.
      ({ ino, mtimeMs, ctimeMs }) => note(`${ino} ${mtimeMs} ${ctimeMs}`),
      // The folder was removed, or this user lost access to it. That is a change too.
      (error: NodeJS.ErrnoException) => note(error.code ?? error.message),
    );
  }, POLL_MS);
  return () => clock.clearInterval(timer);
}
