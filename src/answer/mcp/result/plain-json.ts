// Whether a value surely is the same as JSON, told without writing it: results can be large, and nearly all of them are plain.

// Deeper than this, nothing is taken for granted.
const MAX_DEPTH = 50;

/** False for what must be encoded to find out: instances, cycles, BigInts, functions, `toJSON`, great depth. */
export function isPlainJson(value: unknown, depth = 0): boolean {
  switch (typeof value) {
    case 'object':
      return value === null || (depth < MAX_DEPTH && isPlainObject(value, depth));
    case 'string':
    case 'number':
    case 'boolean':
    case 'undefined':
      return true;
    default:
      return false;
  }
}

function isPlainObject(value: object, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === Array.prototype || prototype === null;
  if (!isPlain || 'toJSON' in value) return false;
  for (const key of Object.keys(value)) {
    if (!isPlainJson((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}
