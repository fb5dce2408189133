// Leaves fields out instead of setting them to undefined, because `in`, spreads and deep comparisons see the difference.
import { isGiven } from './guards.js';

/** A copy without the fields whose value is null or undefined. */
export function withoutNulls(fields: object): Record<string, unknown> {
  // Nearly always there is nothing to leave out, and a spread takes a tenth of the time.
  if (Object.values(fields).every(isGiven)) return { ...fields };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));
}

/** A copy without the fields whose value is undefined. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
