// Leaving fields out instead of setting them to undefined: `in`, spreads and deep comparisons see the difference.

/** A copy without the fields whose value is null or undefined. */
export function withoutNulls(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** A copy without the fields whose value is undefined. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
