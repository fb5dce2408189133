// Limits how many turns of a process run at the same time. Places are given out in the order of requests. Some extra places are
// for recovered conversations. While an extra place is taken, no other conversation gets a place.
import { clock } from '@inboard/core/util/system/clock.js';

/** A number of places, and a number of extra ones for recovered conversations. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  /** Below zero while extra places are taken. A place that is given back then makes up for an extra one. */
  #free: number;
  readonly #extra: number;

  constructor(size: number, extra = 0) {
    this.#free = size;
    this.#extra = extra;
  }

  get free(): number {
    return Math.max(0, this.#free);
  }

  /** How many recovered conversations could get a place. */
  get freeForRecovered(): number {
    return this.#free + this.#extra;
  }

  /** Takes a place, and waits for one at most this long. False if there was none. */
  async take(limitMs = Infinity): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    if (limitMs <= 0) return false;
    return await new Promise<boolean>((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const give = (): void => {
        clock.clearTimeout(timer);
        resolve(true);
      };
      this.#waiting.add(give);
      if (limitMs < Infinity) {
        timer = clock.setTimeout(() => {
          this.#waiting.delete(give);
          resolve(false);
        }, limitMs);
      }
    });
  }

  /** Takes a place for a recovered conversation without waiting. False if there is none, not even an extra one. */
  takeForRecovered(): boolean {
    if (this.freeForRecovered <= 0) return false;
    this.#free -= 1;
    return true;
  }

  giveBack(): void {
    const [next] = this.#waiting;
    if (next && this.#free >= 0) {
      this.#waiting.delete(next);
      next();
    } else this.#free += 1;
  }
}
