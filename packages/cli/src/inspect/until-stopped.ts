// Waits until the user or the system stops a command that serves.
import type { Terminal } from '../terminal/terminal.js';

/** Resolves when the command is to end. */
export async function untilStopped({ signal }: Terminal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((stopped) => signal.addEventListener('abort', stopped, { once: true }));
}
