// Equality of plain data that may be nested deeper than a recursion goes.
import { isDeepStrictEqual } from 'node:util';
import { isTooDeep, stringifyDeep } from './deep-json.js';

/** Whether two values of plain data are the same, at any depth; where they are too deep to go through, by their text. */
export function isSameDeep(one: unknown, other: unknown): boolean {
  try {
    return isDeepStrictEqual(one, other);
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    return stringifyDeep(one) === stringifyDeep(other);
  }
}
