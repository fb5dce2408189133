// The limit of Node's timers, and waiting with one.
import { clock } from './system/clock.js';

/** The longest a timer can be set to, in milliseconds; more would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after some milliseconds. Keeps the process alive until then. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, ms);
  });
}

/** Resolves in the next round of the event loop: others have their turn before. */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => {
    clock.setImmediate(resolve);
  });
}

/**
 * Calls back once what has arrived is read. In a process that was blocked or asleep timers run first, and what they find
 * looks like silence.
 */
export function afterReading(callback: () => void): void {
  clock.setImmediate(callback);
}
