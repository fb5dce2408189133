// Checks the arguments of a dispatcher's methods, so that all dispatchers refuse wrong input with the same words.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { requireShape, shape, wholeNumber } from '@inboard/core/util/option-shapes.js';
import type { WakeOptions } from './dispatcher.js';

const DELAY = shape('a number of milliseconds', (value) => typeof value === 'number' && !Number.isNaN(value));
const notGiven = (value: unknown): string => `, not ${String(value)}.`;

/** Refuses a wrong key, and a delay that is not a number. Returns the delay in milliseconds, at least 0. */
export function checkWake(key: unknown, { afterMs = 0 }: WakeOptions = {}): number {
  if (typeof key !== 'string' || key === '') {
    throw new InvalidOptionsError(
      ['key'],
      'wake() needs the key of a conversation: a string that is not empty.',
    );
  }
  requireShape('afterMs', afterMs, DELAY, { called: 'The option "afterMs" of wake()', end: notGiven });
  return Math.max(0, afterMs);
}

/** Refuses a handler that cannot be called, and a concurrency below 1. */
export function checkWork(handler: unknown, settings: { concurrency?: unknown } | undefined): void {
  if (typeof handler !== 'function') {
    throw new InvalidOptionsError(
      ['handler'],
      'work() needs a function that is called with the key of each wake.',
    );
  }
  const called = 'The option "concurrency" of work()';
  requireShape('concurrency', settings?.concurrency, wholeNumber(1), { called, end: notGiven });
}
