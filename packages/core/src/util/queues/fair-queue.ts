// A queue that serves keys in turn. However many items one key has, every other waiting key is served before that key
// is served again. Items of one key keep their order.
import { Fifo } from './fifo.js';

/** First in, first out within a key; round robin among keys. */
export class FairQueue<T> {
  /** The items of each key. The keys are in the order in which they are served. A key is here while it has items. */
  readonly #lanes = new Map<string, Fifo<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(key: string, item: T): void {
    const lane = this.#lanes.get(key) ?? new Fifo<T>();
    this.#lanes.set(key, lane);
    lane.push(item);
    this.#size += 1;
  }

  /** Takes the oldest item of the key that has waited longest; undefined when there is none. */
  take(): T | undefined {
    for (const [key, lane] of this.#lanes) {
      const item = lane.shift();
      // A key that was served goes to the end of the order. A key without items is removed.
      this.#lanes.delete(key);
      if (lane.size > 0) this.#lanes.set(key, lane);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** Removes an item, wherever in the queue it is. False if it is not there. */
  remove(key: string, item: T): boolean {
    const lane = this.#lanes.get(key);
    if (!lane) return false;
    const kept = [...lane].filter((each) => each !== item);
    if (kept.length === lane.size) return false;
    this.#size -= lane.size - kept.length;
    lane.close();
    for (const each of kept) lane.push(each);
    if (kept.length === 0) this.#lanes.delete(key);
    return true;
  }

  /** The waiting keys, each with its number of items. */
  *counts(): Generator<[string, number]> {
    for (const [key, lane] of this.#lanes) yield [key, lane.size];
  }
}
