// Makes unique names. Node's own `randomUUID` is as good, but `node:crypto`, by import or by the global, takes 4 to 5
// ms to load. That is a third of what importing this package may take (docs/decisions/2026-11-15-bundle.md). Reading
// the same source of randomness takes 0.05 ms.
import { closeSync, openSync, readSync } from 'node:fs';

/** The text of a UUID. */
export type RandomUuid = `${string}-${string}-${string}-${string}-${string}`;

const UUID_BYTES = 16;
const pool = Buffer.alloc(UUID_BYTES * 64);
let taken = pool.length;

/** A random UUID (version 4). */
export function randomUUID(): RandomUuid {
  if (taken === pool.length && !refill()) return globalThis.crypto.randomUUID();
  const start = taken;
  taken += UUID_BYTES;
  // The version and the variant, at the places of RFC 9562.
  pool[start + 6] = ((pool[start + 6] ?? 0) & 0x0f) | 0x40;
  pool[start + 8] = ((pool[start + 8] ?? 0) & 0x3f) | 0x80;
  const digits = pool.toString('hex', start, taken);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** Returns false where the system has no such file, as on Windows, or this process may not read it. */
function refill(): boolean {
  let file: number | undefined;
  try {
    file = openSync('/dev/urandom', 'r');
    if (readSync(file, pool, 0, pool.length, null) !== pool.length) return false;
    taken = 0;
    return true;
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
