// Drops input that was typed before a question was on the screen. Otherwise a key that was pressed twice, or while the model
// worked, would allow something that the person has not seen.
import type { Terminal } from './terminal.js';

// A terminal delivers buffered lines one by one. If none comes for this long, no line is left.
const QUIET_MS = 30;

/** Reads and drops the lines that were typed so far. Resolves at once if the signal has fired or the input has ended. */
export function dropTyped({ stdin }: Terminal, signal: AbortSignal): Promise<void> {
  if (signal.aborted || stdin.readableEnded) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      stdin.off('data', wait);
      stdin.off('end', finish);
      signal.removeEventListener('abort', finish);
      stdin.pause();
      resolve();
    };
    const timer = setTimeout(finish, QUIET_MS);
    const wait = (): void => void timer.refresh();
    stdin.on('data', wait);
    stdin.once('end', finish);
    signal.addEventListener('abort', finish, { once: true });
    // Adding a listener does not resume a paused input.
    stdin.resume();
  });
}
