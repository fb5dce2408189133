// Makes UUIDs for unique names. `system/randomness` makes them without `node:crypto`, which takes long to load.
import { randomness, type RandomUuid } from './system/randomness.js';

/** A random UUID (version 4). */
export function randomUUID(): RandomUuid {
  return randomness.uuid();
}
