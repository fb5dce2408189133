// Defines the limits of tools and servers as options, and checks their values. `run-tool` applies them. A tool without
// limits has no timers and no queues.
import { checkShape, notGiven, shape, wholeNumber, type OptionShape } from '../../../util/option-shapes.js';
import { LONGEST_TIMER_MS } from '../../../util/timers.js';

/** How a failed call is tried again. It applies only to tools that are marked as idempotent or read-only. */
export interface RetryPolicy {
  /** How often to try again after the first attempt. */
  times: number;
  /** Milliseconds to wait before each new attempt. Default 0. */
  delayMs?: number | undefined;
  /** Which failures to try again. Default: every thrown error. */
  when?: ((error: unknown) => boolean) | undefined;
}

/** Limits of one tool, or of every tool of a server. None is set by default. */
export interface ToolLimits {
  /** How many milliseconds a call may run, not counting the time in the queue. A call that takes longer fails. */
  timeoutMs?: number | undefined;
  /** How many calls run at once, over all sessions. The others wait in the order of their arrival. `serial` means 1. */
  concurrency?: number | 'serial' | undefined;
  /**
   * The most characters that a result may have for the model. The CLI saves a longer result to a file. The CLI's default
   * is about 50 000, and its maximum is 500 000.
   */
  maxResultChars?: number | undefined;
  /** How often to try again when the handler throws. */
  retries?: number | RetryPolicy | undefined;
}

/** The CLI saves longer results to a file. In tests, 40 000 characters reached the model, and 60 000 were saved. */
export const DEFAULT_RESULT_CHARS = 50_000;

/** Throws an InvalidOptionsError that names the owner when a limit makes no sense. */
export function checkLimits(limits: ToolLimits, nameOwner: () => string): void {
  const { timeoutMs, concurrency, maxResultChars, retries } = limits;
  const times = typeof retries === 'object' ? retries.times : retries;
  const delayMs = typeof retries === 'object' ? retries.delayMs : undefined;
  check('timeoutMs', timeoutMs, TIMEOUT);
  check('concurrency', concurrency, PLACES);
  check('maxResultChars', maxResultChars, FROM_ONE);
  check('retries', times, FROM_ZERO);
  check('retries.delayMs', delayMs, DELAY);

  function check(option: string, given: unknown, wanted: OptionShape): void {
    if (given === undefined) return;
    checkShape(option, given, wanted, { called: `${option} of ${nameOwner()}`, end: notGiven });
  }
}

const FROM_ONE = wholeNumber(1);
const FROM_ZERO = wholeNumber(0);
const TIMEOUT = shape(`more than 0 and at most ${LONGEST_TIMER_MS} milliseconds`, (value) => {
  const ms = value as number;
  return ms > 0 && (ms <= LONGEST_TIMER_MS || ms === Infinity);
});
const PLACES = shape(
  "a number of at least 1, or 'serial'",
  (value) => value === 'serial' || (value as number) >= 1,
);
const DELAY = shape(
  `from 0 to ${LONGEST_TIMER_MS} milliseconds`,
  (value) => (value as number) >= 0 && (value as number) <= LONGEST_TIMER_MS,
);

/** The retry policy of a `retries` option; undefined when it asks for no retries. */
export function readRetries(retries: number | RetryPolicy | undefined): RetryPolicy | undefined {
  const policy = typeof retries === 'number' ? { times: retries } : retries;
  return policy && policy.times > 0 ? policy : undefined;
}
