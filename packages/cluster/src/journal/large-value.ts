// Which values are so large that a journal keeps them in parts, and events give only their beginning.
import { isLongerThan } from '@inboard/core/util/measure-json.js';

/** From about how many characters of JSON on a value is large. */
export const LARGE_CHARACTERS: number = 64 * 1024;

/** Whether a value is large. */
export function isLarge(value: unknown): boolean {
  return isLongerThan(value, LARGE_CHARACTERS);
}
