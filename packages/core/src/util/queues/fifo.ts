// A first-in, first-out queue with a constant cost per item. `Array.shift` would move every remaining item.

// With fewer taken items, it is not worth compacting the array.
const COMPACT_AFTER = 1024;

/** A queue in memory without a limit. It keeps no reference to an item that was taken. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #start = 0;

  get size(): number {
    return this.#items.length - this.#start;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes the oldest item; undefined when there is none. */
  shift(): T | undefined {
    if (this.#start === this.#items.length) return undefined;
    const item = this.#items[this.#start];
    this.#items[this.#start] = undefined;
    this.#start += 1;
    if (this.#start === this.#items.length) {
      this.close();
    } else if (this.#start >= COMPACT_AFTER && this.#start * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#start);
      this.#start = 0;
    }
    return item;
  }

  /** Drops all items. The queue may be used again. */
  close(): void {
    this.#items = [];
    this.#start = 0;
  }

  /** The items in order. They stay in the queue. */
  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (let index = this.#start; index < this.#items.length; index += 1) yield this.#items[index] as T;
  }
}
