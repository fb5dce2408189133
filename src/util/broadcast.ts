// One stream, several readers: each gets everything from when it came, at its own pace. What a slow one has
// not taken yet rests in a spill queue of its own, so it neither holds up the others nor fills the memory.
import type { InboardError } from '../errors.js';
import { AsyncQueue, type QueueBuffer } from './async-queue.js';
import { SpillQueue } from './spill-queue.js';

export interface BroadcastOptions {
  /** Bytes each reader keeps in memory; more rest in a temporary file. */
  maxBytes?: number | undefined;
  onWarning?: ((error: InboardError) => void) | undefined;
}

/** A queue whose items are encoded only when they must rest, and once for all queues they are pushed to. */
export type SharedQueue<T> = AsyncQueue<T, [encode: () => string]>;

/** Makes a queue for items that are JSON; `close` of the buffer frees what an abandoned queue holds. */
export function createSharedQueue<T>({ maxBytes, onWarning }: BroadcastOptions = {}): {
  queue: SharedQueue<T>;
  buffer: { close(): void };
} {
  const spill = new SpillQueue<T>({
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(onWarning === undefined ? {} : { onWarning }),
  });
  const buffer: QueueBuffer<T, [encode: () => string]> = {
    get size() {
      return spill.size;
    },
    push: (item, encode) => spill.push(item, encode()),
    shift: () => spill.shift(),
    close: () => spill.close(),
  };
  return { queue: new AsyncQueue(buffer), buffer: spill };
}

/** Encodes an item when asked for the first time. */
export function encodeOnce(item: unknown): () => string {
  let encoded: string | undefined;
  return () => (encoded ??= JSON.stringify(item));
}

type Ending = { failed: false } | { failed: true; error: unknown };

/** Passes on what is pushed to whoever reads at the time; without readers it is dropped. */
export class Broadcast<T> {
  readonly #options: BroadcastOptions;
  readonly #readers = new Set<SharedQueue<T>>();
  #ending: Ending | undefined;

  constructor(options: BroadcastOptions = {}) {
    this.#options = options;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** A new reader; leaving its loop lets go of what it has not taken. After the end it is at its end, too. */
  subscribe(): AsyncIterableIterator<T, undefined> {
    const { queue } = createSharedQueue<T>(this.#options);
    if (this.#ending) endQueue(queue, this.#ending);
    else this.#readers.add(queue);
    return {
      next: () => queue.next(),
      return: () => {
        this.#readers.delete(queue);
        return queue.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  push(item: T, encode: () => string = encodeOnce(item)): void {
    for (const reader of this.#readers) reader.push(item, encode);
  }

  /** Nothing more comes; each reader still gets what was pushed. */
  end(): void {
    this.#finish({ failed: false });
  }

  /** Like `end`, but each reader is thrown `error` after its last item. */
  fail(error: unknown): void {
    this.#finish({ failed: true, error });
  }

  #finish(ending: Ending): void {
    if (this.#ending) return;
    this.#ending = ending;
    for (const reader of this.#readers) endQueue(reader, ending);
    this.#readers.clear();
  }
}

function endQueue<T>(queue: SharedQueue<T>, ending: Ending): void {
  if (ending.failed) queue.fail(ending.error);
  else queue.end();
}
