// Counts how often in a row the handler of a key failed, and decides how long the key waits before the next try. Old counts are
// forgotten, because another worker may finish the key, and then it never comes here again.
import { pauseBefore } from '@inboard/core/util/back-off.js';
import { clock } from '@inboard/core/util/system/clock.js';

const PAUSES = { firstMs: 250, longestMs: 30_000 };
/** Far longer than the pause before a key that fails is tried again. */
const FORGET_MS = 5 * 60_000;

/** Failures in a row, by key. */
export class FailureCounts {
  // Sorted by the time of the last failure.
  readonly #failures = new Map<string, { count: number; at: number }>();

  get size(): number {
    return this.#failures.size;
  }

  /** Counts a failure. Returns the milliseconds until the key is tried again. */
  add(key: string, now = clock.performance.now()): number {
    const count = this.#failures.get(key)?.count ?? 0;
    this.clear(key, now);
    this.#failures.set(key, { count: count + 1, at: now });
    return pauseBefore(count, PAUSES);
  }

  /** Forgets the failures of a key, for instance because its handler succeeded, and the old failures of other keys. */
  clear(key: string, now = clock.performance.now()): void {
    this.#failures.delete(key);
    for (const [old, { at }] of this.#failures) {
      if (now - at < FORGET_MS) return;
      this.#failures.delete(old);
    }
  }
}
