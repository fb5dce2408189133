// How often in a row the handler of a key failed, and how long it rests after that. A key may be done with elsewhere, and never
// come here again: what is long over is forgotten.
import { pauseBefore } from '@inboard/core/util/back-off.js';
import { clock } from '@inboard/core/util/system/clock.js';

const PAUSES = { firstMs: 250, longestMs: 30_000 };
/** Far longer than a key that still fails takes to come again. */
const FORGET_MS = 5 * 60_000;

/** Failures in a row, by key. */
export class FailureCounts {
  // In the order of their last failure.
  readonly #failures = new Map<string, { count: number; at: number }>();

  get size(): number {
    return this.#failures.size;
  }

  /** One more; gives the milliseconds until the key is tried again. */
  add(key: string, now = clock.performance.now()): number {
    const count = this.#failures.get(key)?.count ?? 0;
    this.clear(key, now);
    this.#failures.set(key, { count: count + 1, at: now });
    return pauseBefore(count, PAUSES);
  }

  /** It went well. */
  clear(key: string, now = clock.performance.now()): void {
    this.#failures.delete(key);
    for (const [old, { at }] of this.#failures) {
      if (now - at < FORGET_MS) return;
      this.#failures.delete(old);
    }
  }
}
