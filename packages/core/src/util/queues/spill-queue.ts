// A queue for a consumer that is slow or absent. Items are kept in memory up to a limit, and beyond it in a temporary
// file, so that a long wait costs disk space instead of memory. The queue does not know its consumer.
import { InboardError } from '../../errors.js';
import { NOTHING } from './async-queue.js';
import { Fifo } from './fifo.js';
import { SpillFile, type SpillFileSystem } from './spill-file.js';

/** The limit in memory, and the handling of items beyond it. */
export interface SpillQueueOptions<T, Raw extends RawItem = never> {
  /** When the encoded lengths of items in memory reach this sum, later items go to the file in batches. Default 1 MiB. */
  maxBytes?: number;
  /** Turns an encoded item back into an item. Default `JSON.parse`. */
  decode?: (encoded: string) => T | typeof NOTHING;
  /** Makes an item from a raw item. Required if raw items are pushed. */
  make?: (raw: Raw) => T | typeof NOTHING;
  /** The folder of the temporary file. Default `os.tmpdir()`. */
  directory?: string;
  /** Called once when the disk cannot be used. Memory is then used without a limit. Must not throw. */
  onWarning?: (error: InboardError) => void;
  fileSystem?: SpillFileSystem;
}

/** The raw form of an item that is made only when it is taken. In the file it is a text that `decode` reads. */
export interface RawItem {
  readonly length: number;
  readonly bytes: Uint8Array;
}

/** An item that was pushed as it is, not in its raw form. */
class HeldItem<T> {
  readonly item: T;
  readonly length: number;
  /** The encoded item; empty if the item stays in memory. */
  readonly encoded: string;

  constructor(item: T, length: number, encoded: string) {
    this.item = item;
    this.length = length;
    this.encoded = encoded;
  }
}

// A slow reader of 200 MB takes 100 MB of memory with a limit of 8 MiB, and 75 MB with 1 MiB. The reason is that waiting
// items survive garbage collections of the young generation, which then grows. A reader at a normal pace is hardly ever
// more than a chunk of 64 KiB behind.
const DEFAULT_MAX_BYTES = 1024 * 1024;
// Items are written to the file in batches of about this many characters.
const BATCH_LENGTH = 64 * 1024;

/**
 * A first-in, first-out queue of three parts. The oldest items are in `head` in memory, later ones in the file, and the
 * newest in `tail`, a batch that is not written yet. The creator of the queue calls `close()`.
 */
export class SpillQueue<T, Raw extends RawItem = never> {
  readonly #maxBytes: number;
  readonly #decode: (encoded: string) => T | typeof NOTHING;
  readonly #make: (raw: Raw) => T | typeof NOTHING;
  readonly #onWarning: ((error: InboardError) => void) | undefined;
  readonly #file: SpillFile;
  #head = new Fifo<HeldItem<T> | Raw>();
  #headLength = 0;
  #tail = new Fifo<HeldItem<T> | Raw>();
  #tailLength = 0;
  #isFileUsable = true;
  #isClosed = false;

  constructor(options: SpillQueueOptions<T, Raw> = {}) {
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#decode = options.decode ?? ((encoded) => JSON.parse(encoded) as T);
    this.#make = options.make ?? (() => NOTHING);
    this.#onWarning = options.onWarning;
    this.#file = new SpillFile({ directory: options.directory, fileSystem: options.fileSystem });
  }

  get size(): number {
    return this.#head.size + this.#file.size + this.#tail.size;
  }

  /** The sum of the encoded lengths of the items in memory. */
  get heldBytes(): number {
    return this.#headLength + this.#tailLength;
  }

  /** Adds an item. `decode` must make an equal item from `encoded`. After `close()`, the item is dropped. */
  push(item: T, encoded: string): void {
    if (this.#isClosed) return;
    const { length } = encoded;
    if (this.#hasRoom(length)) this.#keep(new HeldItem(item, length, ''));
    else this.#spill(new HeldItem(item, length, this.#isFileUsable ? encoded : ''));
  }

  /** Adds an item in its raw form. The item is made when it is taken. */
  pushRaw(raw: Raw): void {
    if (this.#isClosed) return;
    if (this.#hasRoom(raw.length)) this.#keep(raw);
    else this.#spill(raw);
  }

  /** Takes the oldest item. Throws when the file cannot be read. The items in the file are then lost. */
  shift(): T | typeof NOTHING | undefined {
    if (this.#head.size === 0 && this.#file.size > 0) {
      return this.#decode(this.#file.shift());
    }
    if (this.#head.size === 0) this.#takeTailAsHead();
    const held = this.#head.shift();
    if (held === undefined) return undefined;
    this.#headLength -= held.length;
    return held instanceof HeldItem ? held.item : this.#make(held);
  }

  /** Drops the remaining items and removes the file. May be called again. */
  close(): void {
    this.#isClosed = true;
    this.#head.close();
    this.#headLength = 0;
    this.#tail.close();
    this.#tailLength = 0;
    this.#file.close();
  }

  /** Whether a new item may stay in memory. It must fit, and no earlier item may be in the file or in `tail`. */
  #hasRoom(length: number): boolean {
    const isSpilling = this.#file.size > 0 || this.#tail.size > 0;
    return !isSpilling && this.#headLength + length <= this.#maxBytes;
  }

  #keep(held: HeldItem<T> | Raw): void {
    this.#head.push(held);
    this.#headLength += held.length;
  }

  #spill(held: HeldItem<T> | Raw): void {
    this.#tail.push(held);
    this.#tailLength += held.length;
    if (this.#isFileUsable && this.#tailLength >= BATCH_LENGTH) this.#writeTail();
  }

  #takeTailAsHead(): void {
    this.#head = this.#tail;
    this.#headLength = this.#tailLength;
    this.#tail = new Fifo();
    this.#tailLength = 0;
  }

  #writeTail(): void {
    try {
      this.#file.append(
        Array.from(this.#tail, (held) => (held instanceof HeldItem ? held.encoded : held.bytes)),
      );
    } catch (error) {
      // The batch is still in memory, so no item is lost. Only the limit no longer applies.
      this.#isFileUsable = false;
      this.#onWarning?.(
        new InboardError(
          'SPILL_FAILED',
          `Messages that have not been consumed cannot be written to a temporary file in ${this.#file.directory}, ` +
            'and stay in memory, however many there are. Consume them, or free disk space.',
          { cause: error },
        ),
      );
      return;
    }
    this.#tail.close();
    this.#tailLength = 0;
  }
}
