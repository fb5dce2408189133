// Compares plain data that may be too deep for a recursion.
import { isDeepStrictEqual } from 'node:util';
import { isTooDeep, stringifyDeep } from './deep-json.js';

/** Whether two values of plain data are equal, at any depth. Values that are too deep are compared by their text. */
export function isSameDeep(one: unknown, other: unknown): boolean {
  try {
    return isDeepStrictEqual(one, other);
  } catch (error) {
    if (!isTooDeep(error)) throw error;
    return stringifyDeep(one) === stringifyDeep(other);
  }
}
