// One temporary file used as a queue of texts: written in batches at its end, read in chunks from its start, truncated
// when it is drained. Which items go there is decided by the spill queue.
import { randomUUID } from '../random-uuid.js';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InboardError } from '../../errors.js';

/** The file system calls it uses, so that a test can make one fail. */
export type SpillFileSystem = Pick<
  typeof fs,
  'openSync' | 'writeSync' | 'readSync' | 'ftruncateSync' | 'closeSync' | 'unlinkSync'
>;

export interface SpillFileOptions {
  directory?: string | undefined;
  fileSystem?: SpillFileSystem | undefined;
}

const READ_BYTES = 256 * 1024;
// Each text is preceded by its length in bytes, so that it may contain anything.
const PREFIX_BYTES = 4;
const NO_BYTES = Buffer.alloc(0);

/** Texts on disk in order; the file exists from the first `append` to `close()`. */
export class SpillFile {
  readonly directory: string;
  readonly #fileSystem: SpillFileSystem;
  #descriptor: number | undefined;
  // Set while the file has a name to be removed.
  #path: string | undefined;
  #size = 0;
  #writeOffset = 0;
  #readOffset = 0;
  // Bytes read from the file and not yet taken.
  #window: Buffer = NO_BYTES;

  constructor(options: SpillFileOptions = {}) {
    this.directory = options.directory ?? tmpdir();
    this.#fileSystem = options.fileSystem ?? fs;
  }

  /** How many texts are left. */
  get size(): number {
    return this.#size;
  }

  /** Writes all texts, or throws and adds none of them. */
  append(texts: readonly string[]): void {
    const bytes = encodeTexts(texts);
    const descriptor = (this.#descriptor ??= this.#open());
    let written = 0;
    while (written < bytes.length) {
      const position = this.#writeOffset + written;
      const count = this.#fileSystem.writeSync(descriptor, bytes, written, bytes.length - written, position);
      if (count === 0) throw new InboardError('SPILL_FAILED', 'The temporary file takes no more bytes');
      written += count;
    }
    // Advanced only now: after a failure half way, the bytes beyond are never read.
    this.#writeOffset += bytes.length;
    this.#size += texts.length;
  }

  /** Takes the oldest text; call only while `size` is not 0. Throws when the file cannot be read, and is empty then. */
  shift(): string {
    try {
      const length = this.#need(PREFIX_BYTES).readUInt32LE(0);
      const text = this.#need(PREFIX_BYTES + length).toString('utf8', PREFIX_BYTES, PREFIX_BYTES + length);
      const left = this.#window.subarray(PREFIX_BYTES + length);
      // An empty view would keep the buffer of a huge text alive.
      this.#window = left.length === 0 ? NO_BYTES : left;
      this.#size -= 1;
      if (this.#size === 0) this.#reset();
      return text;
    } catch (error) {
      const lost = this.#size;
      this.#reset();
      throw new InboardError(
        'SPILL_FAILED',
        `${lost} messages that waited in a temporary file in ${this.directory} cannot be read back. ` +
          'Consume messages as they come, or point the temporary directory to a disk that works.',
        { cause: error },
      );
    }
  }

  /** Closes and removes the file; may be called again. */
  close(): void {
    this.#size = 0;
    this.#window = NO_BYTES;
    const [descriptor, path] = [this.#descriptor, this.#path];
    this.#descriptor = undefined;
    this.#path = undefined;
    // Nothing in the file is needed any more, so a failure to close or remove it does not matter.
    if (descriptor !== undefined) attempt(() => this.#fileSystem.closeSync(descriptor));
    if (path !== undefined) attempt(() => this.#fileSystem.unlinkSync(path));
  }

  #open(): number {
    const path = join(this.directory, `inboard-spill-${randomUUID()}`);
    const descriptor = this.#fileSystem.openSync(path, 'wx+', 0o600);
    this.#path = path;
    // Without a name the file disappears with this process, however that ends. Windows keeps the name of an open file.
    const isUnlinked = process.platform !== 'win32' && attempt(() => this.#fileSystem.unlinkSync(path));
    if (isUnlinked) this.#path = undefined;
    return descriptor;
  }

  // At least `count` unread bytes, from the window or from the file.
  #need(count: number): Buffer {
    if (this.#window.length >= count) return this.#window;
    if (this.#descriptor === undefined) throw new Error('The file is closed');
    const unread = this.#writeOffset - this.#readOffset;
    const next = Buffer.allocUnsafe(Math.max(count, Math.min(READ_BYTES, this.#window.length + unread)));
    let filled = this.#window.copy(next);
    while (filled < next.length) {
      const room = next.length - filled;
      const got = this.#fileSystem.readSync(this.#descriptor, next, filled, room, this.#readOffset);
      if (got === 0) break;
      filled += got;
      this.#readOffset += got;
    }
    if (filled < count) throw new Error(`The file ends ${count - filled} bytes too early`);
    this.#window = next.subarray(0, filled);
    return this.#window;
  }

  #reset(): void {
    this.#size = 0;
    this.#window = NO_BYTES;
    this.#readOffset = 0;
    this.#writeOffset = 0;
    const descriptor = this.#descriptor;
    // A file that cannot be shortened is overwritten from its start.
    if (descriptor !== undefined) attempt(() => this.#fileSystem.ftruncateSync(descriptor, 0));
  }
}

function encodeTexts(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const total = lengths.reduce((sum, length) => sum + PREFIX_BYTES + length, 0);
  const bytes = Buffer.allocUnsafe(total);
  let offset = 0;
  for (const [index, text] of texts.entries()) {
    const length = lengths[index] ?? 0;
    offset = bytes.writeUInt32LE(length, offset);
    offset += bytes.write(text, offset, length, 'utf8');
  }
  return bytes;
}

function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
