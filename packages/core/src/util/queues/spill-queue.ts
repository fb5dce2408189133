// A queue for a consumer that is slow or absent. Items are kept in memory up to a limit, and beyond it in a temporary
// file, so that a long wait costs disk space instead of memory. The queue does not know its consumer.
import { InboardError } from '../../errors.js';
import { NOTHING } from './async-queue.js';
import { Fifo } from './fifo.js';
import { SpillFile, type SpillFileSystem } from './spill-file.js';

/** The limit in memory, and the handling of items beyond it. */
export interface SpillQueueOptions<T, Raw extends RawItem = never> {
  /** Sum of the encoded lengths kept in memory. Default 1 MiB. */
  maxBytes?: number;
  /** Turns an encoded item back into an item. Default `JSON.parse`. */
  decode?: (encoded: string) => T | typeof NOTHING;
  /** Makes an item from a raw one. Required where raw items are pushed. */
  make?: (raw: Raw) => T | typeof NOTHING;
  /** The folder of the temporary file. Default `os.tmpdir()`. */
  directory?: string;
  /** Called once when the disk cannot be used, so that memory is used without a limit. Must not throw. */
  onWarning?: (error: InboardError) => void;
  fileSystem?: SpillFileSystem;
}

/** An item that is made when it is taken. Its bytes are written to the file, and decoded from there as a text. */
export interface RawItem {
  readonly length: number;
  readonly bytes: Uint8Array;
}

/** An item that exists already. */
class HeldItem<T> {
  readonly item: T;
  readonly length: number;
  /** The encoded item; empty where it stays in memory. */
  readonly encoded: string;

  constructor(item: T, length: number, encoded: string) {
    this.item = item;
    this.length = length;
    this.encoded = encoded;
  }
}

// With 8 MiB, a slow reader of 200 MB takes 100 MB of memory; with 1 MiB, it takes 75 MB. Items that wait survive
// collections of the young generation, which makes it grow. A reader at a normal pace is hardly ever more than a chunk of
// 64 KiB behind.
const DEFAULT_MAX_BYTES = 1024 * 1024;
// Items are written to the file in batches of about this many characters.
const BATCH_LENGTH = 64 * 1024;

/**
 * First in, first out, over three parts in order: `head` in memory, the file, and `tail`, the batch that is not written
 * yet. Its creator calls `close()`.
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

  /** Adds an item. `decode` makes an equal item from `encoded`. Dropped after `close()`. */
  push(item: T, encoded: string): void {
    if (this.#isClosed) return;
    const { length } = encoded;
    if (this.#hasRoom(length)) this.#keep(new HeldItem(item, length, ''));
    else this.#spill(new HeldItem(item, length, this.#isFileUsable ? encoded : ''));
  }

  /** Adds an item that is made later. */
  pushRaw(raw: Raw): void {
    if (this.#isClosed) return;
    if (this.#hasRoom(raw.length)) this.#keep(raw);
    else this.#spill(raw);
  }

  /** Takes the oldest item. Throws when the file cannot be read; the items in it are then lost. */
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

  /** Whether an item may stay in memory: it fits, and no item before it is in the file or waits for it. */
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
      // The batch is still in memory, so only the limit is lost.
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
