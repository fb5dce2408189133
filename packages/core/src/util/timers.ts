// The limit of Node's timers, and functions that wait.
import { clock } from './system/clock.js';

/** The longest time of a timer, in milliseconds. With a longer one it would fire at once. */
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
 * Calls back after pending input was read. In a process that was blocked or asleep, timers run first and would mistake
 * the unread input for silence.
 */
export function afterReading(callback: () => void): void {
  clock.setImmediate(callback);
}
