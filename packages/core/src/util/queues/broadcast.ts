// One stream with several readers. Each reader gets everything since it subscribed, at its own pace. The unread items of
// a slow reader are in its own spill queue, so that it neither delays the others nor fills the memory.
import type { InboardError } from '../../errors.js';
import { stringifyDeep } from '../deep-json.js';
import { AsyncQueue, type AsyncReader, type Ending, type QueueBuffer } from './async-queue.js';
import { SpillQueue } from './spill-queue.js';

export interface BroadcastOptions {
  /** How many bytes are kept in memory for each reader. Further items go to a temporary file. */
  maxBytes?: number | undefined;
  onWarning?: ((error: InboardError) => void) | undefined;
}

/** A queue whose items are encoded only when they must wait. An item in several queues is encoded only once. */
export type SharedQueue<T> = AsyncQueue<T, [encode: () => string]>;

/** Makes a queue for items that are JSON. If nobody reads the queue, call `close` of the buffer to free its file. */
export function createSharedQueue<T>({ maxBytes, onWarning }: BroadcastOptions = {}): {
  queue: SharedQueue<T>;
  buffer: { close(): void };
} {
  const spill = new SpillQueue<T>({ maxBytes, onWarning });
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

/** Makes a function that encodes an item at its first call, and keeps the text. */
export function encodeOnce(item: unknown): () => string {
  let encoded: string | undefined;
  return () => (encoded ??= stringifyDeep(item) as string);
}

/** Passes pushed items on to all current readers. Without readers they are dropped. */
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

  /** A new reader. Leaving its loop drops its unread items. If the stream has ended, the reader ends at once. */
  subscribe(): AsyncReader<T> {
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

  /** Ends the stream. Each reader still gets the pushed items. */
  end(): void {
    this.#finish({ failed: false });
  }

  /** Like `end`, but each reader throws `error` after its last item. */
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
