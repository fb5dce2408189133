// A gate that limits how many calls run at once.
import { Fifo } from '../../../util/queues/fifo.js';

/** The gate of a `concurrency` option; undefined when there is no limit. */
export function createGate(concurrency: number | 'serial' | undefined): ConcurrencyGate | undefined {
  if (concurrency === undefined || concurrency === Infinity) return undefined;
  return new ConcurrencyGate(concurrency === 'serial' ? 1 : Math.floor(concurrency));
}

/**
 * Lets `size` calls in at a time, first come first served. Each `enter` needs one `leave`, even if the call has ended
 * before it was let in.
 */
export class ConcurrencyGate {
  readonly #queue = new Fifo<() => void>();
  #free: number;

  constructor(size: number) {
    this.#free = size;
  }

  /** Undefined when there is room at once. Otherwise a promise that resolves when the caller is in. */
  enter(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#queue.push(resolve);
    });
  }

  leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free += 1;
  }
}
