// A queue of texts in one temporary file. The file is written in batches at its end, read in chunks from its start, and
// truncated when all texts were taken. The spill queue decides which items go there.
import { constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InboardError } from '../../errors.js';
import { randomUUID } from '../random-uuid.js';
import { disk, type Disk } from '../system/disk.js';

/** The functions of the file system that a spill file uses. A test can make one of them fail. */
export type SpillFileSystem = Pick<
  Disk,
  'openSync' | 'writeSync' | 'readSync' | 'ftruncateSync' | 'closeSync' | 'unlinkSync'
>;

export interface SpillFileOptions {
  directory?: string | undefined;
  fileSystem?: SpillFileSystem | undefined;
}

const READ_BYTES = 256 * 1024;
const MIN_BATCH_BYTES = 128 * 1024;
const MAX_BATCH_BYTES = 1024 * 1024;
// The length in bytes comes before each text, so that a text may contain anything.
const PREFIX_BYTES = 4;
const NO_BYTES = Buffer.alloc(0);
// `wx+`, and the flag of Windows for a file that the system removes when it is closed. Node passes it on, and has no name for it.
const O_TEMPORARY = 0x40;
const TEMPORARY = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | O_TEMPORARY;

/** Texts on disk in order. The file exists from the first `append` to `close()`. */
export class SpillFile {
  readonly directory: string;
  readonly #fileSystem: SpillFileSystem;
  #descriptor: number | undefined;
  // The name of the file, while it has one that must be removed.
  #path: string | undefined;
  #size = 0;
  #writeOffset = 0;
  #readOffset = 0;
  // Both buffers are reused. New buffers for each read and write would stay in memory until the next garbage collection,
  // and a slow reader would have 20 MB of them.
  #batch: Buffer = NO_BYTES;
  #window: Buffer = NO_BYTES;
  // The part of the window that was read from the file and not taken yet.
  #windowStart = 0;
  #windowEnd = 0;

  constructor(options: SpillFileOptions = {}) {
    this.directory = options.directory ?? tmpdir();
    this.#fileSystem = options.fileSystem ?? disk;
  }

  /** How many texts are left. */
  get size(): number {
    return this.#size;
  }

  /** Writes all texts, or throws and adds none. A `Uint8Array` has the bytes of a text. */
  append(texts: readonly (string | Uint8Array)[]): void {
    const descriptor = (this.#descriptor ??= this.#open());
    const lengths = texts.map((text) => (typeof text === 'string' ? Buffer.byteLength(text) : text.length));
    const total = lengths.reduce((sum, length) => sum + PREFIX_BYTES + length, 0);
    const bytes = this.#roomFor(total);
    encodeTexts(texts, lengths, bytes);
    let written = 0;
    while (written < total) {
      const position = this.#writeOffset + written;
      const count = this.#fileSystem.writeSync(descriptor, bytes, written, total - written, position);
      if (count === 0)
        throw new InboardError('SPILL_FAILED', 'No more bytes can be written to the temporary file');
      written += count;
    }
    // The offset advances only now. If a write fails halfway, the bytes beyond the offset are never read.
    this.#writeOffset += total;
    this.#size += texts.length;
  }

  /**
   * Takes the oldest text. Call it only while `size` is not 0. Throws when the file cannot be read. The queue is then
   * empty.
   */
  shift(): string {
    try {
      this.#need(PREFIX_BYTES);
      const length = this.#window.readUInt32LE(this.#windowStart);
      this.#need(PREFIX_BYTES + length);
      const start = this.#windowStart + PREFIX_BYTES;
      const text = this.#window.toString('utf8', start, start + length);
      this.#windowStart = start + length;
      // The buffer of a huge text is not kept.
      if (this.#windowStart === this.#windowEnd && this.#window.length > READ_BYTES) this.#dropWindow();
      this.#size -= 1;
      if (this.#size === 0) this.#reset();
      return text;
    } catch (error) {
      const lost = this.#size;
      this.#reset();
      throw new InboardError(
        'SPILL_FAILED',
        `${lost} messages that were waiting in a temporary file in ${this.directory} cannot be ` +
          'read back. Consume messages as they arrive, or point the temporary directory to a disk that works.',
        { cause: error },
      );
    }
  }

  /** Closes and removes the file. May be called again. */
  close(): void {
    this.#size = 0;
    this.#dropWindow();
    this.#batch = NO_BYTES;
    const [descriptor, path] = [this.#descriptor, this.#path];
    this.#descriptor = undefined;
    this.#path = undefined;
    // Nothing in the file is needed any more, so a failure to close or remove it does not matter.
    if (descriptor !== undefined) attempt(() => this.#fileSystem.closeSync(descriptor));
    if (path !== undefined) attempt(() => this.#fileSystem.unlinkSync(path));
  }

  #open(): number {
    const path = join(this.directory, `inboard-spill-${randomUUID()}`);
    const isWindows = process.platform === 'win32';
    const descriptor = this.#fileSystem.openSync(path, isWindows ? TEMPORARY : 'wx+', 0o600);
    this.#path = path;
    // A file without a name disappears when this process ends in any way. Windows keeps the name of an open file, and
    // removes this one when it is closed in any way.
    const isUnlinked = !isWindows && attempt(() => this.#fileSystem.unlinkSync(path));
    if (isUnlinked) this.#path = undefined;
    return descriptor;
  }

  /** A buffer of at least `count` bytes. It is kept for the next batch unless it is huge. */
  #roomFor(count: number): Buffer {
    if (count <= this.#batch.length) return this.#batch;
    const room = Buffer.allocUnsafeSlow(Math.max(count, MIN_BATCH_BYTES));
    if (count <= MAX_BATCH_BYTES) this.#batch = room;
    return room;
  }

  /** Makes sure that the window has at least `count` unread bytes. */
  #need(count: number): void {
    const unread = this.#windowEnd - this.#windowStart;
    if (unread >= count) return;
    if (this.#descriptor === undefined) throw new Error('The file is closed');
    const room =
      count <= this.#window.length ? this.#window : Buffer.allocUnsafeSlow(Math.max(count, READ_BYTES));
    let filled = this.#window.copy(room, 0, this.#windowStart, this.#windowEnd);
    const end = Math.min(room.length, filled + this.#writeOffset - this.#readOffset);
    while (filled < end) {
      const got = this.#fileSystem.readSync(this.#descriptor, room, filled, end - filled, this.#readOffset);
      if (got === 0) break;
      filled += got;
      this.#readOffset += got;
    }
    if (filled < count) throw new Error(`The file ends ${count - filled} bytes too early`);
    this.#window = room;
    this.#windowStart = 0;
    this.#windowEnd = filled;
  }

  #dropWindow(): void {
    this.#window = NO_BYTES;
    this.#windowStart = 0;
    this.#windowEnd = 0;
  }

  #reset(): void {
    this.#size = 0;
    this.#dropWindow();
    this.#batch = NO_BYTES;
    this.#readOffset = 0;
    this.#writeOffset = 0;
    const descriptor = this.#descriptor;
    // If the file cannot be shortened, it is just overwritten from its start.
    if (descriptor !== undefined) attempt(() => this.#fileSystem.ftruncateSync(descriptor, 0));
  }
}

function encodeTexts(
  texts: readonly (string | Uint8Array)[],
  lengths: readonly number[],
  bytes: Buffer,
): void {
  let offset = 0;
  for (const [index, text] of texts.entries()) {
    const length = lengths[index] ?? 0;
    offset = bytes.writeUInt32LE(length, offset);
    if (typeof text === 'string') bytes.write(text, offset, length, 'utf8');
    else bytes.set(text, offset);
    offset += length;
  }
}

function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
