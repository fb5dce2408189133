// Names that nobody else has.
import { randomness, type RandomUuid } from './system/randomness.js';

/** A random UUID (version 4). */
export function randomUUID(): RandomUuid {
  return randomness.uuid();
}
