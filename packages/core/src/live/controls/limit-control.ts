// Applies time limits and signals to controls. Past the limit the caller gets a typed error, and the request is
// withdrawn.
import { AbortError, ControlTimeoutError } from '../../errors.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import { inWords, notGiven, notNegative, requireShape } from '../../util/option-shapes.js';
import { onAbort } from '../../util/on-abort.js';
import type { ControlOptions } from './controls.js';

/** Runs a control under its limits. `run` must stop waiting when its signal aborts. Its own result is then ignored. */
export function limitControl<T>(
  name: string,
  { timeoutMs = 0, signal }: ControlOptions = {},
  run: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (timeoutMs === 0 && !signal) return run(undefined);
  return new Promise((resolve, reject) => {
    checkTimeout(timeoutMs);
    if (signal?.aborted) throw abortErrorFor(name, signal);
    const givenUp = new AbortController();
    const limit = (error: Error): void => {
      settle();
      reject(error);
      givenUp.abort(error);
    };
    const expire = (): void => limit(new ControlTimeoutError(name, timeoutMs));
    const timer = timeoutMs > 0 ? setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMER_MS)) : undefined;
    const forgetSignal = signal ? onAbort(signal, () => limit(abortErrorFor(name, signal))) : () => {};
    const settle = (): void => {
      clearTimeout(timer);
      forgetSignal();
    };
    run(givenUp.signal).finally(settle).then(resolve, reject);
  });
}

const LIMIT = inWords('a number of milliseconds (0 for no limit)', notNegative);

function checkTimeout(timeoutMs: unknown): void {
  requireShape('timeoutMs', timeoutMs, LIMIT, { end: notGiven });
}

function abortErrorFor(name: string, signal: AbortSignal): AbortError {
  return new AbortError(`The control request "${name}" was abandoned by its caller`, {
    cause: signal.reason,
  });
}
