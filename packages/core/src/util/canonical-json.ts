// JSON text that is the same for equal values: the keys of every object are sorted, and what JSON cannot hold is left
// out as `JSON.stringify` does.
import { isTooDeep, writeByLoop } from './deep-json.js';

/** The text; `null` for a value that JSON cannot hold. */
export function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(value, sortKeys) ?? 'null';
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    // Through the same copy, as numbers come first in it: the text must not depend on how it was made.
    return writeByLoop(value, (fields) => Object.keys(sortKeys('', fields) as object)) ?? 'null';
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = value as Record<string, unknown>;
  // Without a prototype, so that a field called __proto__ stays a field.
  const sorted = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(fields).sort()) sorted[key] = fields[key];
  return sorted;
}
