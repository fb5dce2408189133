// Random values for the code that a simulator will run. `randomUUID` (../random-uuid.ts) takes its UUIDs from here.
import { closeSync, openSync, readSync } from 'node:fs';

/** The text of a UUID. */
export type RandomUuid = `${string}-${string}-${string}-${string}-${string}`;

/** Where random values come from. */
export interface Randomness {
  /** A UUID (version 4) that was never given before. */
  uuid(): RandomUuid;
  /** A number from 0 up to, but not including, 1. Not for secrets. */
  number(): number;
}

/** The randomness of this process. */
export let randomness: Randomness = { uuid: makeUuid, number: () => Math.random() };

/** Puts another source in place and returns the previous one. Only `replaceSystem` calls it. */
export function replaceRandomness(next: Randomness): Randomness {
  const before = randomness;
  randomness = next;
  return before;
}

const UUID_BYTES = 16;
const pool = Buffer.alloc(UUID_BYTES * 64);
let taken = pool.length;

// Node's own `randomUUID` is as good, but `node:crypto` takes 4 to 5 ms to load, by import or by the global. That is
// a third of the time that importing this package may take (docs/decisions/2026-11-15-bundle.md). Reading the same
// source of randomness takes 0.05 ms.
function makeUuid(): RandomUuid {
  if (taken === pool.length && !refill()) return globalThis.crypto.randomUUID();
  const start = taken;
  taken += UUID_BYTES;
  // RFC 9562 places the version and the variant here.
  pool[start + 6] = ((pool[start + 6] ?? 0) & 0x0f) | 0x40;
  pool[start + 8] = ((pool[start + 8] ?? 0) & 0x3f) | 0x80;
  const digits = pool.toString('hex', start, taken);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** Returns false if the system has no /dev/urandom, or does not let this process read it. */
function refill(): boolean {
  // There the path means a folder of the current drive, in which every user can make one.
  if (process.platform === 'win32') return false;
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
