// Time and timers for the code that a simulator will run: `clock.Date.now()`, `clock.setTimeout(…)`. A clock has the
// shape of the globals, and the real clock is `globalThis` itself. Nothing is wrapped, so a call costs nothing extra.
// Fake timers that a test puts in place of the globals take effect (docs/decisions/2026-11-18-seams.md).

/** Tells the time and calls back later. A replacement must have all functions, because a timer belongs to its clock. */
export interface Clock {
  /** The time of day. */
  readonly Date: { now(): number };
  /** Time that never goes back, counted from some moment in this process. */
  readonly performance: { now(): number };
  /** Time that never goes back, counted from the same moment in all processes of a machine. */
  readonly process: { readonly hrtime: { bigint(): bigint } };
  setTimeout(callback: (nothing: void) => void, ms?: number): NodeJS.Timeout;
  clearTimeout(timer: NodeJS.Timeout | undefined): void;
  setInterval(callback: () => void, ms?: number): NodeJS.Timeout;
  clearInterval(timer: NodeJS.Timeout | undefined): void;
  setImmediate(callback: (nothing: void) => void): NodeJS.Immediate;
  clearImmediate(immediate: NodeJS.Immediate | undefined): void;
}

/** The clock of this process. Never keep it, or a function of it, because it may be replaced. */
export let clock: Clock = globalThis;

/**
 * Whether another clock was put in place. Fake timers of a test do not count. They replace the globals, and the real
 * clock is the globals.
 */
export function isClockReplaced(): boolean {
  return clock !== globalThis;
}

/** Puts another clock in place and returns the previous one. Only `replaceSystem` calls it. */
export function replaceClock(next: Clock): Clock {
  const before = clock;
  clock = next;
  return before;
}
