// JSON text that is the same for equal values. The keys of every object are sorted. What JSON cannot hold is left out,
// as by `JSON.stringify`.
import { isTooDeep, writeByLoop } from './deep-json.js';

/** The canonical text; `null` for a value that JSON cannot hold. */
export function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(value, sortKeys) ?? 'null';
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    // Through the same sorted copy, in which number-like keys come first: both ways must give the same text.
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
