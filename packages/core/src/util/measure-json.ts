// Estimates the length of a value's JSON, and stops at a limit. Values of tools may have many megabytes, but nearly all
// of them are short.

// A deeper value counts as long, because the code that writes long values needs no recursion.
const MAX_DEPTH = 100;
// How many characters a number, a word or a pair of brackets counts for, with its comma.
const SHORT = 6;

/** Roughly how many characters the JSON of a value has. It stops counting just beyond `limit`. */
export function measureJson(value: unknown, limit: number, depth = 0): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return SHORT;
  // Bytes count as long, because JSON lists them one by one, with their index.
  if (depth > MAX_DEPTH || ArrayBuffer.isView(value)) return limit + 1;
  let count = SHORT;
  if (Array.isArray(value)) {
    for (const item of value) {
      count += measureJson(item, limit - count, depth + 1);
      if (count > limit) return count;
    }
    return count;
  }
  for (const name in value) {
    count += name.length + 4;
    count += measureJson((value as Record<string, unknown>)[name], limit - count, depth + 1);
    if (count > limit) return count;
  }
  return count;
}

/** Whether the JSON of a value is longer than about this many characters. */
export function isLongerThan(value: unknown, characters: number): boolean {
  return measureJson(value, characters) > characters;
}
