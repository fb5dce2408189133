// What is asked of values that may be anything.

/** Whether a value is neither undefined nor null. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether a value is an object with fields: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a promise, or an object that acts like one. */
export function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
