// What was typed before a question was on the screen is no answer to it: a key pressed twice, or while the model was at work,
// would else allow something that nobody has seen.
import type { Terminal } from './terminal.js';

// A terminal hands over the lines it has one by one; when it is silent for so long, there are none left.
const QUIET_MS = 30;

/** Takes in the lines that wait, and forgets them. */
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
    // Listening alone does not wake an input that was paused.
    stdin.resume();
  });
}
