// The timers of the fake CLI. Unless the clock was replaced, they are the real ones, captured on load, so that a test's
// fake timers do not stop the fake CLI.
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

export function waitFor(ms: number): Promise<void> {
  return isClockReplaced() ? sleep(ms) : realSleep(ms);
}
