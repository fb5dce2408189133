// A control with a time limit and a signal: it ends in a typed error, and what it waited for is given up.
import { AbortError, ControlTimeoutError, InvalidOptionsError } from '../../errors.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import { onAbort } from '../../util/on-abort.js';
import type { ControlOptions } from './controls.js';

/** Runs a control under its limits; `run` must stop waiting when its signal aborts, and need not say so. */
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
    const timer =
      timeoutMs > 0
        ? setTimeout(
            () => limit(new ControlTimeoutError(name, timeoutMs)),
            Math.min(timeoutMs, LONGEST_TIMER_MS),
          )
        : undefined;
    const forgetSignal = signal ? onAbort(signal, () => limit(abortErrorFor(name, signal))) : () => {};
    const settle = (): void => {
      clearTimeout(timer);
      forgetSignal();
    };
    run(givenUp.signal).then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}

function checkTimeout(timeoutMs: unknown): void {
  if (typeof timeoutMs === 'number' && timeoutMs >= 0) return;
  throw new InvalidOptionsError(
    ['timeoutMs'],
    `"timeoutMs" must be a number of milliseconds, 0 for no limit, and is ${String(timeoutMs)}`,
  );
}

function abortErrorFor(name: string, signal: AbortSignal): AbortError {
  return new AbortError(`The control request "${name}" was given up by its caller`, { cause: signal.reason });
}
