// How many turns of a process run at a time: places that are taken and given back, first come first served. Some more are for
// conversations that were recovered. While one of those is taken, no other conversation gets a place.
import { clock } from '@inboard/core/util/system/clock.js';

/** A number of places, and of those beyond them that only recovered conversations may take. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  /** Below zero while places beyond the number are taken: those that are given back pay for them first. */
  #free: number;
  readonly #extra: number;

  constructor(size: number, extra = 0) {
    this.#free = size;
    this.#extra = extra;
  }

  get free(): number {
    return Math.max(0, this.#free);
  }

  /** How many recovered conversations could have a place. */
  get freeForRecovered(): number {
    return this.#free + this.#extra;
  }

  /** Takes a place when there is one, waiting at most so long; false when there was none. */
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

  /** Takes a place for a recovered conversation, at once; false when there is none for it either. */
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
