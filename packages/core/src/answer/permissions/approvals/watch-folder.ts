// Tells when something may have changed in a folder, on any file system.
import { clock } from '../../../util/system/clock.js';
import { disk } from '../../../util/system/disk.js';

/** Not every file system reports changes, and none does so for certain. */
const POLL_MS = 500;

/** Calls back whenever something may have changed in a folder, which is made where there is none; the returned function ends that. */
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
    // The folder is looked at now and then anyway.
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
      // Of a change of owner or mode, only `ctime` tells.
      ({ ino, mtimeMs, ctimeMs }) => note(`${ino} ${mtimeMs} ${ctimeMs}`),
      // Removed or closed from outside: whoever waits has to know.
      (error: NodeJS.ErrnoException) => note(error.code ?? error.message),
    );
  }, POLL_MS);
  return () => clock.clearInterval(timer);
}
