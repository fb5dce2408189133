// Copies values that enter or leave the journal in memory. So no caller shares an object with the journal, just as with a
// database.
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { copyPlainJson } from '@inboard/core/util/plain-json.js';

/** A copy of a value as JSON carries it. Undefined stays undefined. */
export function copyJson<T>(value: T): T {
  if (value === undefined) return value;
  const copy = copyPlainJson(value);
  return (copy === undefined ? JSON.parse(stringifyDeep(value) as string) : copy) as T;
}
