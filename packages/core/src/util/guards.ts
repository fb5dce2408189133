// Checks on values of unknown type.

/** Whether a value is neither undefined nor null. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether a value is an object, but neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an object with fields of its own, or `{}`. A Map or a promise without such fields is neither. */
export function hasFields(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && (Object.keys(value).length > 0 || isEmptyLiteral(value));
}

/** Whether an object is `{}`, of any realm, without hidden fields. */
function isEmptyLiteral(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isLiteral =
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty'));
  return isLiteral && Reflect.ownKeys(value).length === 0;
}

/** The value if it is a string; undefined for anything else. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The object in a JSON text; undefined for any other value, and for a text that is not JSON. */
export function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is a promise, or acts like one. If `then` is a getter that throws, this throws as well. */
export function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  const mayBe = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return mayBe && typeof (value as { then?: unknown }).then === 'function';
}
