// A queue for a consumer that is slow or absent: items are kept in memory up to a limit, and beyond it in a temporary
// file, so that a long wait costs disk space and not memory. Who waits for items is not known here.
import { InboardError } from '../../errors.js';
import { Fifo } from './fifo.js';
import { SpillFile, type SpillFileSystem } from './spill-file.js';

/** How much stays in memory, and what is done with the rest. */
export interface SpillQueueOptions<T> {
  /** Sum of the encoded lengths kept in memory. Default 8 MiB. */
  maxBytes?: number;
  /** Turns an encoded item back into an item. Default `JSON.parse`. */
  decode?: (encoded: string) => T;
  /** Where the temporary file goes. Default `os.tmpdir()`. */
  directory?: string;
  /** Called once when the disk cannot be used and memory is used without limit instead; must not throw. */
  onWarning?: (error: InboardError) => void;
  fileSystem?: SpillFileSystem;
}

interface HeldItem<T> {
  item: T;
  length: number;
}

interface UnwrittenItem<T> extends HeldItem<T> {
  encoded: string;
}

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;
// Items are written to the file in batches of about this many characters.
const BATCH_LENGTH = 64 * 1024;

/**
 * First in, first out, over three parts in order: `head` in memory, the file, and `tail`, the batch that is yet to be
 * written. Whoever creates it calls `close()`.
 */
export class SpillQueue<T> {
  readonly #maxBytes: number;
  readonly #decode: (encoded: string) => T;
  readonly #onWarning: ((error: InboardError) => void) | undefined;
  readonly #file: SpillFile;
  #head = new Fifo<HeldItem<T>>();
  #headLength = 0;
  #tail = new Fifo<UnwrittenItem<T>>();
  #tailLength = 0;
  #isFileUsable = true;
  #isClosed = false;

  constructor(options: SpillQueueOptions<T> = {}) {
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#decode = options.decode ?? ((encoded) => JSON.parse(encoded) as T);
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
    const isSpilling = this.#file.size > 0 || this.#tail.size > 0;
    if (!isSpilling && this.#headLength + length <= this.#maxBytes) {
      this.#head.push({ item, length });
      this.#headLength += length;
      return;
    }
    this.#tail.push({ item, length, encoded: this.#isFileUsable ? encoded : '' });
    this.#tailLength += length;
    if (this.#isFileUsable && this.#tailLength >= BATCH_LENGTH) this.#writeTail();
  }

  /** Takes the oldest item; throws when the file cannot be read back, which loses what is in it. */
  shift(): T | undefined {
    if (this.#head.size === 0 && this.#file.size > 0) {
      return this.#decode(this.#file.shift());
    }
    if (this.#head.size === 0) this.#takeTailAsHead();
    const held = this.#head.shift();
    if (held === undefined) return undefined;
    this.#headLength -= held.length;
    return held.item;
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

  #takeTailAsHead(): void {
    this.#head = this.#tail;
    this.#headLength = this.#tailLength;
    this.#tail = new Fifo();
    this.#tailLength = 0;
  }

  #writeTail(): void {
    try {
      this.#file.append(Array.from(this.#tail, (held) => held.encoded));
    } catch (error) {
      // The batch is still in memory, so nothing is lost but the limit.
      this.#isFileUsable = false;
      this.#onWarning?.(
        new InboardError(
          'SPILL_FAILED',
          `Messages that wait for their consumer cannot be written to a temporary file in ${this.#file.directory} ` +
            'and stay in memory, however many come. Consume them, or free the disk.',
          { cause: error },
        ),
      );
      return;
    }
    this.#tail.close();
    this.#tailLength = 0;
  }
}
