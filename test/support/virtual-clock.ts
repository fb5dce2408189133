// Time as a test's own business: timers and `performance.now` stand still until the test moves them.
// What is loaded on first use is loaded here: a virtual clock does not wait for files.
import '../../packages/core/src/answer/hooks/run-hook.js';
import '../../packages/core/src/answer/mcp/foreign/foreign-binding.js';
import '../../packages/core/src/live/launch.js';
import '../../packages/core/src/wire/process/find/cli-version.js';
import '../../packages/core/src/wire/process/sweep-folders.js';
import { afterEach, beforeEach, vi } from 'vitest';

const STEP_MS = 50;

/** Every test of the surrounding block runs on virtual time. */
export function useVirtualClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Lets time pass, and everything happen that is due meanwhile. */
export async function elapse(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

/** Lets time pass until a promise settles; throws when it does not within `limitMs` of virtual time. */
export async function settleWithin<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (let passed = 0; passed <= limitMs; passed += STEP_MS) {
    await elapse(0);
    if (isSettled) return promise;
    await elapse(STEP_MS);
  }
  throw new Error(`Not settled within ${limitMs} ms`);
}
