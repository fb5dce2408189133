// Gives a file the name of another one. Windows refuses that while any process has the other one open, as a reader or a virus
// scanner does for a moment, so it is tried again there.
import { pauseBefore } from './back-off.js';
import { codeOf } from './message-of.js';
import { disk } from './system/disk.js';
import { sleep } from './timers.js';

const MOST_RETRIES = 12;
// Together about three seconds.
const PAUSES = { firstMs: 10, longestMs: 400 };
const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Renames a file or folder, and replaces a file that has that name. Rejects with the error of the file system. */
export async function moveOver(
  from: string,
  to: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  for (let retry = 0; ; retry += 1) {
    try {
      await disk.promises.rename(from, to);
      return;
    } catch (error) {
      if (platform !== 'win32' || retry === MOST_RETRIES || !IN_USE.has(codeOf(error))) throw error;
      await sleep(pauseBefore(retry, PAUSES));
    }
  }
}
