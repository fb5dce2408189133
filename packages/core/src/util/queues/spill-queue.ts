// A queue for a consumer that is slow or absent: items are kept in memory up to a limit, and beyond it in a temporary
// file, so that a long wait costs disk space and not memory. Who waits for items is not known here.
import { InboardError } from '../../errors.js';
import { NOTHING } from './async-queue.js';
import { Fifo } from './fifo.js';
import { SpillFile, type SpillFileSystem } from './spill-file.js';

/** How much stays in memory, and what is done with the rest. */
export interface SpillQueueOptions<T, Raw extends RawItem = never> {
  /** Sum of the encoded lengths kept in memory. Default 1 MiB. */
  maxBytes?: number;
  /** Turns an encoded item back into an item. Default `JSON.parse`. */
  decode?: (encoded: string) => T | typeof NOTHING;
  /** Makes an item of a raw one. Needed where such are pushed. */
  make?: (raw: Raw) => T | typeof NOTHING;
  /** Where the temporary file goes. Default `os.tmpdir()`. */
  directory?: string;
  /** Called once when the disk cannot be used and memory is used without limit instead; must not throw. */
  onWarning?: (error: InboardError) => void;
  fileSystem?: SpillFileSystem;
}

/** An item that is made when it is asked for. Its bytes are what is written to the file, and decoded there as a text. */
export interface RawItem {
  readonly length: number;
  readonly bytes: Uint8Array;
}

/** An item that is there. */
class HeldItem<T> {
  readonly item: T;
  readonly length: number;
  /** Empty where it stays in memory. */
  readonly encoded: string;

  constructor(item: T, length: number, encoded: string) {
    this.item = item;
    this.length = length;
    this.encoded = encoded;
  }
}

// With 8 MiB a slow reader of 200 MB takes 100 MB of memory, with 1 MiB 75: what waits here outlives the young generation,
// which grows then. A reader of its own pace is hardly ever more than a chunk of 64 KiB behind.
const DEFAULT_MAX_BYTES = 1024 * 1024;
// Items are written to the file in batches of about this many characters.
const BATCH_LENGTH = 64 * 1024;

/**
 * First in, first out, over three parts in order: `head` in memory, the file, and `tail`, the batch that is yet to be
 * written. Whoever creates it calls `close()`.
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

  /** Sum of the encoded lengths of the items that are in memory now. */
  get heldBytes(): number {
    return this.#headLength + this.#tailLength;
  }

  /** Adds an item; `encoded` is what `decode` makes an equal item of. Dropped after `close()`. */
  push(item: T, encoded: string): void {
    if (this.#isClosed) return;
    const { length } = encoded;
    if (this.#hasRoom(length)) this.#keep(new HeldItem(item, length, ''));
    else this.#spill(new HeldItem(item, length, this.#isFileUsable ? encoded : ''));
  }

  /** Adds an item that is yet to be made. */
  pushRaw(raw: Raw): void {
    if (this.#isClosed) return;
    if (this.#hasRoom(raw.length)) this.#keep(raw);
    else this.#spill(raw);
  }

  /** Takes the oldest item; throws when the file cannot be read back, which loses what is in it. */
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

  /** Drops what is left and removes the file; may be called again. */
  close(): void {
    this.#isClosed = true;
    this.#head.close();
    this.#headLength = 0;
    this.#tail.close();
    this.#tailLength = 0;
    this.#file.close();
  }

  /** Whether an item may stay in memory: it fits, and none before it was spilled. */
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
      // The batch is still in memory, so nothing is lost but the limit.
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
