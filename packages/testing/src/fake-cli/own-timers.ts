// The timers of the fake CLI. Fake timers of a test do not stop it: it has the real ones, captured on load, as long as nobody has
// replaced the clock.
// oxlint-disable-next-line no-restricted-imports -- used only while the clock is the real one
import { setTimeout as realSleep } from 'node:timers/promises';
import { clock, isClockReplaced } from '@inboard/core/util/system/clock.js';
import { sleep } from '@inboard/core/util/timers.js';

// oxlint-disable-next-line no-restricted-globals -- used only while the clock is the real one
const realImmediate = setImmediate;

/** Calls back in the next round of the event loop. */
export function callSoon(callback: () => void): void {
  if (isClockReplaced()) clock.setImmediate(callback);
  else realImmediate(callback);
}

/** Resolves after some milliseconds. */
export function waitFor(ms: number): Promise<void> {
  return isClockReplaced() ? sleep(ms) : realSleep(ms);
}
