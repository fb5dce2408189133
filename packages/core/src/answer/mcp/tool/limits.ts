// The limits of a tool and of a server: their options, and what makes sense. Without limits there are no timers and
// no queues.
import { InvalidOptionsError } from '../../../errors.js';
import { LONGEST_TIMER_MS } from '../../../util/timers.js';

/** How a failed call is tried again; only tools marked idempotent or read-only may have it. */
export interface RetryPolicy {
  /** How often to try again after the first attempt. */
  times: number;
  /** Milliseconds to wait before each new attempt. Default 0. */
  delayMs?: number | undefined;
  /** Which failures to try again. Default: all that were thrown. */
  when?: ((error: unknown) => boolean) | undefined;
}

/** Limits of one tool, or of every tool of a server. None is set by default. */
export interface ToolLimits {
  /** Milliseconds a call may run, not counting time in the queue; after that, only this call fails. */
  timeoutMs?: number | undefined;
  /** How many calls run at once, over all sessions; the others wait in the order in which they arrived. `serial` is 1. */
  concurrency?: number | 'serial' | undefined;
  /**
   * How many characters of a result the CLI gives to the model before it saves the result to a file
   * instead (its own default is about 50 000, its ceiling 500 000).
   */
  maxResultChars?: number | undefined;
  /** How often to try again when the handler throws. */
  retries?: number | RetryPolicy | undefined;
}

/** From between 40 000 (seen whole) and 60 000 (seen saved) characters on, the CLI saves a result to a file. */
export const DEFAULT_RESULT_CHARS = 50_000;

/** Throws an InvalidOptionsError that names the owner when a limit makes no sense. */
export function checkLimits(limits: ToolLimits, nameOwner: () => string): void {
  const { timeoutMs, concurrency, maxResultChars, retries } = limits;
  const times = typeof retries === 'object' ? retries.times : retries;
  const delayMs = typeof retries === 'object' ? retries.delayMs : undefined;
  if (
    timeoutMs !== undefined &&
    !(timeoutMs > 0 && (timeoutMs <= LONGEST_TIMER_MS || timeoutMs === Infinity))
  ) {
    refuse('timeoutMs', `more than 0 and at most ${LONGEST_TIMER_MS} milliseconds`, timeoutMs);
  }
  if (concurrency !== undefined && concurrency !== 'serial' && !(concurrency >= 1)) {
    refuse('concurrency', "a number of at least 1, or 'serial'", concurrency);
  }
  if (maxResultChars !== undefined && !(Number.isInteger(maxResultChars) && maxResultChars > 0)) {
    refuse('maxResultChars', 'a whole number of at least 1', maxResultChars);
  }
  if (times !== undefined && !(Number.isInteger(times) && times >= 0)) {
    refuse('retries', 'a whole number of at least 0', times);
  }
  if (delayMs !== undefined && !(delayMs >= 0 && delayMs <= LONGEST_TIMER_MS)) {
    refuse('retries.delayMs', `from 0 to ${LONGEST_TIMER_MS} milliseconds`, delayMs);
  }

  function refuse(option: string, wanted: string, given: unknown): never {
    throw new InvalidOptionsError(
      [option],
      `${option} of ${nameOwner()} must be ${wanted}, not ${String(given)}`,
    );
  }
}

/** The retry policy of a `retries` option; undefined when nothing is to be tried again. */
export function readRetries(retries: number | RetryPolicy | undefined): RetryPolicy | undefined {
  const policy = typeof retries === 'number' ? { times: retries } : retries;
  return policy && policy.times > 0 ? policy : undefined;
}
