// Makes unique names. Node's own `randomUUID` is as good, but `node:crypto`, by import or by the global, takes 4 to 5
// ms to load. That is a third of what importing this package may take (docs/decisions/2026-11-15-bundle.md). Reading
// the same source of randomness takes 0.05 ms.
import { randomness, type RandomUuid } from './system/randomness.js';

/** A random UUID (version 4). */
export function randomUUID(): RandomUuid {
  return randomness.uuid();
}
