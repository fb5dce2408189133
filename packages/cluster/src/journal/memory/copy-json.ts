// Copies at the border of the journal: no caller shares an object with it, as with a database.
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { copyPlainJson } from '@inboard/core/util/plain-json.js';

/** What JSON makes of a value; undefined stays what it is. */
export function copyJson<T>(value: T): T {
  if (value === undefined) return value;
  const copy = copyPlainJson(value);
  return (copy === undefined ? JSON.parse(stringifyDeep(value) as string) : copy) as T;
}
