// Decides which values are large. A database keeps large values in parts. Events show only the beginning of large tool results.
import { isLongerThan } from '@inboard/core/util/measure-json.js';

/** About how many characters of JSON make a value large. */
export const LARGE_CHARACTERS: number = 64 * 1024;

export function isLarge(value: unknown): boolean {
  return isLongerThan(value, LARGE_CHARACTERS);
}
