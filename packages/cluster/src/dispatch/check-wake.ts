// What every dispatcher asks of its callers' input, so that all of them refuse the same with the same words.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { WakeOptions } from './dispatcher.js';

/** Refuses what is no key, and a delay that is no number. Gives the delay in milliseconds, at least 0. */
export function checkWake(key: unknown, { afterMs = 0 }: WakeOptions = {}): number {
  if (typeof key !== 'string' || key === '') {
    throw new InvalidOptionsError(
      ['key'],
      'wake() needs the key of a conversation: a string that is not empty.',
    );
  }
  if (typeof afterMs !== 'number' || Number.isNaN(afterMs)) {
    throw new InvalidOptionsError(
      ['afterMs'],
      `The option "afterMs" of wake() must be a number of milliseconds, not ${String(afterMs)}.`,
    );
  }
  return Math.max(0, afterMs);
}

/** Refuses a handler that cannot be called, and a number of places that is not 1 or more. */
export function checkWork(handler: unknown, settings: { concurrency?: unknown } | undefined): void {
  if (typeof handler !== 'function') {
    throw new InvalidOptionsError(
      ['handler'],
      'work() needs a function that is called with the key of each wake.',
    );
  }
  const { concurrency } = settings ?? {};
  if (!Number.isInteger(concurrency) || (concurrency as number) < 1) {
    throw new InvalidOptionsError(
      ['concurrency'],
      `The option "concurrency" of work() must be a whole number of at least 1, not ${String(concurrency)}.`,
    );
  }
}
