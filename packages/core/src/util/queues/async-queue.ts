// The waiting half of a queue: one consumer awaits what producers push. Where items are kept until then is up to the
// buffer it is given.

/** What a buffer gives where an item turns out to be none. */
export const NOTHING = Symbol('nothing');

/** Keeps items until they are asked for; `extra` is what the buffer needs to know about an item. */
export interface QueueBuffer<T, Extra extends unknown[] = []> {
  readonly size: number;
  push(item: T, ...extra: Extra): void;
  shift(): T | typeof NOTHING | undefined;
  /** Drops what is left and frees its resources; may be called again. */
  close(): void;
}

interface Waiter<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

/** What one loops over with `for await`, at one's own pace; leaving the loop ends it. */
export interface AsyncReader<T> extends AsyncIterator<T, undefined> {
  // The compiler's `AsyncIterableIterator` takes no type of the end before TypeScript 5.6.
  [Symbol.asyncIterator](): AsyncReader<T>;
}

/** Is told what the consumer does, at once; must not throw. */
export interface QueueListener<T> {
  /** `next()` was called. */
  asks(): void;
  /** An item was given to the consumer. */
  takes(item: T): void;
}

/** How a stream ended. */
export type Ending = { failed: false } | { failed: true; error: unknown };

/**
 * An async iterator over what is pushed. Calls of `next()` may overlap and are served in order; each settles.
 * The queue closes its buffer when it is done: drained after `end` or `fail`, or abandoned by `return`.
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

  /** How many items wait to be asked for. */
  get size(): number {
    return this.#over ? 0 : this.#buffer.size;
  }

  /** Whether the consumer waits for an item: the next that is pushed goes to it at once. */
  get isAwaited(): boolean {
    return this.#waiters.length > 0;
  }

  /** Whether what is pushed is kept. */
  get isOpen(): boolean {
    return !this.#over && this.#ending === undefined;
  }

  /** Whether an item was ever asked for. */
  get wasAsked(): boolean {
    return this.#wasAsked;
  }

  /** Adds an item without ever waiting; dropped when the queue has ended or was abandoned. */
  push(item: T, ...extra: Extra): void {
    if (!this.isOpen) return;
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#buffer.push(item, ...extra);
    else {
      this.#listener?.takes(item);
      waiter.resolve({ done: false, value: item });
    }
  }

  /** Nothing more comes; the consumer still gets what was pushed. The first of `end` and `fail` counts. */
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

  /** Abandons the queue: what is buffered is dropped, pending `next()` calls are done. */
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
      // An item was lost, so what follows is no longer the sequence that was pushed.
      this.#close();
      return Promise.reject(error);
    }
  }

  #finish(ending: Ending): void {
    if (!this.isOpen) return;
    this.#ending = ending;
    // A consumer waits only while the buffer is empty, so the ending is due at once.
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
