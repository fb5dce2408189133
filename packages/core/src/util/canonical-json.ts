// Makes JSON text that is the same for equal values. The keys of every object are sorted. Values that JSON cannot hold
// are left out, as in `JSON.stringify`.
import { isTooDeep, writeByLoop } from './deep-json.js';

/** The canonical text; `null` for a value that JSON cannot hold. */
export function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(value, sortKeys) ?? 'null';
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    // Both ways must give the same text. So the loop also takes the order of keys from a sorted copy, in which
    // number-like keys come first.
    return writeByLoop(value, (fields) => Object.keys(sortKeys('', fields) as object)) ?? 'null';
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = value as Record<string, unknown>;
  // The copy has no prototype, so that a field called __proto__ stays a field.
  const sorted = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(fields).sort()) sorted[key] = fields[key];
  return sorted;
}
