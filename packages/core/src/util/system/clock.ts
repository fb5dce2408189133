// Time and timers, as the code asks for them that a simulator will run: `clock.Date.now()`, `clock.setTimeout(…)`. A clock has the
// shape of the globals, so that the real one is `globalThis` itself: nothing is wrapped, which costs the hot path nothing, and
// fake timers that a test puts in the place of the globals are found (docs/decisions/2026-11-18-seams.md).

/** What tells the time and calls back later. Whoever replaces it replaces all of it: a timer belongs to its clock. */
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

/** The clock of this process. Never keep it, or a function of it: it may be replaced. */
export let clock: Clock = globalThis;

/** Whether another clock is in its place. Fake timers of a test are not: they replace the globals, which the real clock is. */
export function isClockReplaced(): boolean {
  return clock !== globalThis;
}

/** Puts another clock in its place; returns the one before. Only `replaceSystem` calls it. */
export function replaceClock(next: Clock): Clock {
  const before = clock;
  clock = next;
  return before;
}
