// A queue from which one consumer awaits the items that producers push. A buffer keeps the items until they are taken.

/** A buffer returns this if what it kept turns out not to be an item. */
export const NOTHING = Symbol('nothing');

/** Keeps items until they are taken. `extra` has what the buffer needs to know besides the item. */
export interface QueueBuffer<T, Extra extends unknown[] = []> {
  readonly size: number;
  push(item: T, ...extra: Extra): void;
  shift(): T | typeof NOTHING | undefined;
  /** Drops the remaining items and frees the buffer's resources. May be called again. */
  close(): void;
}

interface Waiter<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

/** A stream for `for await`, which its reader reads at its own pace. Leaving the loop ends the stream. */
export interface AsyncReader<T> extends AsyncIterator<T, undefined> {
  // `AsyncIterableIterator` is not used, because before TypeScript 5.6 it has no type parameter for the last value.
  [Symbol.asyncIterator](): AsyncReader<T>;
}

/** Is told at once what the consumer does. Must not throw. */
export interface QueueListener<T> {
  /** `next()` was called. */
  asks(): void;
  /** An item was given to the consumer. */
  takes(item: T): void;
}

/** How a stream ended. */
export type Ending = { failed: false } | { failed: true; error: unknown };

/**
 * An async iterator over the pushed items. Calls of `next()` may overlap. They are served in order, and each of them
 * settles. The queue closes its buffer when all items were taken after `end` or `fail`, or when `return` abandons it.
 */
export class AsyncQueue<T, Extra extends unknown[] = []> implements AsyncReader<T> {
  readonly #buffer: QueueBuffer<T, Extra>;
  readonly #listener: QueueListener<T> | undefined;
  #waiters: Waiter<T>[] = [];
  #ending: Ending | undefined;
  #over = false;
  #wasAsked = false;

  constructor(buffer: QueueBuffer<T, Extra>, listener?: QueueListener<T>) {
    this.#buffer = buffer;
    this.#listener = listener;
  }

  /** How many items wait to be taken. */
  get size(): number {
    return this.#over ? 0 : this.#buffer.size;
  }

  /** Whether the consumer waits, so that the next item goes to it at once. */
  get isAwaited(): boolean {
    return this.#waiters.length > 0;
  }

  /** Whether pushed items are kept. */
  get isOpen(): boolean {
    return !this.#over && this.#ending === undefined;
  }

  /** Whether the consumer has ever called `next()`. */
  get wasAsked(): boolean {
    return this.#wasAsked;
  }

  /** Adds an item without waiting. It is dropped when the queue has ended or was abandoned. */
  push(item: T, ...extra: Extra): void {
    if (!this.isOpen) return;
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#buffer.push(item, ...extra);
    else {
      this.#listener?.takes(item);
      waiter.resolve({ done: false, value: item });
    }
  }

  /** Ends the queue. The consumer still gets the pushed items. Only the first call of `end` or `fail` counts. */
  end(): void {
    this.#finish({ failed: false });
  }

  /** Like `end`, but one `next()` after the last item rejects with `error`. */
  fail(error: unknown): void {
    this.#finish({ failed: true, error });
  }

  next(): Promise<IteratorResult<T, undefined>> {
    this.#wasAsked = true;
    this.#listener?.asks();
    while (!this.#over && this.#buffer.size > 0) {
      const taken = this.#takeBuffered();
      if (taken !== undefined) return taken;
    }
    return new Promise((resolve, reject) => {
      if (this.#over || this.#ending !== undefined) this.#settleEnding({ resolve, reject });
      else this.#waiters.push({ resolve, reject });
    });
  }

  /** Abandons the queue: drops the buffered items and ends pending `next()` calls. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.#close();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #takeBuffered(): Promise<IteratorResult<T, undefined>> | undefined {
    try {
      const value = this.#buffer.shift() as T | typeof NOTHING;
      if (value === NOTHING) return undefined;
      this.#listener?.takes(value);
      return Promise.resolve({ done: false, value });
    } catch (error) {
      // An item was lost, so the remaining items would no longer be the pushed series.
      this.#close();
      return Promise.reject(error);
    }
  }

  #finish(ending: Ending): void {
    if (!this.isOpen) return;
    this.#ending = ending;
    // A consumer waits only while the buffer is empty, so it gets the end at once.
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) this.#settleEnding(waiter);
    else if (this.#buffer.size === 0) this.#buffer.close();
  }

  #settleEnding(waiter: Waiter<T>): void {
    if (!this.#over && this.#ending?.failed === true) waiter.reject(this.#ending.error);
    else waiter.resolve({ done: true, value: undefined });
    this.#close();
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    const waiters = this.#waiters;
    this.#waiters = [];
    this.#buffer.close();
    for (const waiter of waiters) waiter.resolve({ done: true, value: undefined });
  }
}
