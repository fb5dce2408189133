// The limit of Node's timers, and functions that wait.
import { clock } from './system/clock.js';

/** The longest time of a timer, in milliseconds. A timer with a longer time would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after some milliseconds. Keeps the process alive until then. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, ms);
  });
}

/** Resolves in the next round of the event loop, so that other work has its turn before. */
export function nextRound(): Promise<void> {
  return new Promise((resolve) => {
    clock.setImmediate(resolve);
  });
}

/**
 * Calls back after pending input was read. After a process was blocked or asleep, its timers run before it reads input.
 * Without this, a timer would find no input although some is waiting.
 */
export function afterReading(callback: () => void): void {
  clock.setImmediate(callback);
}
