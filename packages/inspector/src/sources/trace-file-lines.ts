// Reads the lines of a file by their numbers without reading the whole file. It notes where every 256th line begins, so that
// any part can be found again. The file may grow meanwhile.
import { open, stat, type FileHandle } from 'node:fs/promises';

/** A whole line. */
export interface FileLine {
  /** From 0. */
  index: number;
  /** Undefined for a line that is too long for a trace. */
  text: string | undefined;
  /** The byte after its line feed. */
  end: number;
}

/** A part of the lines of a file. */
export interface FilePart {
  lines: FileLine[];
  /** The text after the last line feed, if the part reaches the end of the file. It may be a line that is being written. */
  tail: string | undefined;
  /** Whether it reached the end of the file at the time of reading. */
  isEnd: boolean;
}

/** The greatest numbers of lines and bytes to read. At least one line is given if there is one. */
export interface PartLimits {
  lines: number;
  bytes: number;
}

const LINES_PER_MARK = 256;
const CHUNK_BYTES = 64 * 1024;
/** The longest line that is read. By default, traces contain frames of up to 32 MiB. */
const MOST_LINE_BYTES = 256 * 1024 * 1024;
const HEAD_BYTES = 512;
const LINE_FEED = 0x0a;

/** One file of lines. It does not keep the file open. */
export class LineFile {
  readonly path: string;
  /** The number of bytes read so far. */
  bytesRead = 0;
  /** The size of the file at the last check, in bytes. */
  size = 0;
  /** When the file was last changed, as of the last check, in milliseconds since 1970. */
  modifiedAt = 0;
  /** The offsets of the lines 0, 256, 512 and so on. */
  readonly #marks = [0];
  /** The end of the last part, where the next one usually begins. */
  #next = { index: 0, offset: 0 };
  /** The furthest line that was reached. */
  #furthest = { index: 0, offset: 0 };
  #head: Buffer | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** The approximate number of lines. */
  get estimatedLines(): number {
    const { index, offset } = this.#furthest;
    return offset === 0 ? 0 : Math.max(index, Math.round((index * this.size) / offset));
  }

  /** Checks the file. If it is `replaced`, another file is there now, and all noted offsets are invalid. */
  async look(): Promise<'same' | 'changed' | 'replaced'> {
    return this.#use(async (handle) => {
      const stats = await handle.stat();
      const isSame = stats.size === this.size && stats.mtimeMs === this.modifiedAt;
      this.size = stats.size;
      this.modifiedAt = stats.mtimeMs;
      if (isSame && this.#head !== undefined) return 'same';
      // A new session that records to the same file truncates it, and may already have written more than was there before.
      // So the size alone does not show the replacement.
      const head = await this.#read(handle, 0, Math.min(HEAD_BYTES, stats.size));
      const before = this.#head ?? Buffer.alloc(0);
      this.#head = head;
      const isOther = !head.subarray(0, before.length).equals(before) || stats.size < this.#furthest.offset;
      return isOther ? 'replaced' : 'changed';
    });
  }

  /** Reads lines from a number on. Rejects with the error of the file system. */
  async read(from: number, limits: PartLimits): Promise<FilePart> {
    return this.#use((handle) => this.#readPart(handle, from, limits));
  }

  async #readPart(handle: FileHandle, from: number, limits: PartLimits): Promise<FilePart> {
    let { index, offset } = this.#nearest(from);
    const lines: FileLine[] = [];
    let bytes = 0;
    let held: Buffer[] = [];
    let heldBytes = 0;
    for (let position = offset; ;) {
      const chunk = await this.#read(handle, position, CHUNK_BYTES);
      if (chunk.length === 0) {
        const tail = heldBytes > 0 && index >= from ? Buffer.concat(held).toString('utf8') : undefined;
        this.#note(index, offset);
        return { lines, tail: heldBytes > MOST_LINE_BYTES ? undefined : tail, isEnd: true };
      }
      position += chunk.length;
      let start = 0;
      for (let feed = chunk.indexOf(LINE_FEED); feed !== -1; feed = chunk.indexOf(LINE_FEED, start)) {
        const length = heldBytes + feed - start;
        if (index >= from) {
          const isLong = length > MOST_LINE_BYTES;
          const text = isLong ? undefined : decode(held, chunk.subarray(start, feed));
          lines.push({ index, text, end: offset + length + 1 });
          bytes += length;
        }
        held = [];
        heldBytes = 0;
        start = feed + 1;
        offset += length + 1;
        index += 1;
        if (index === this.#marks.length * LINES_PER_MARK) this.#marks.push(offset);
        if (lines.length >= limits.lines || bytes >= limits.bytes) {
          this.#note(index, offset);
          return { lines, tail: undefined, isEnd: false };
        }
      }
      heldBytes += chunk.length - start;
      if (heldBytes > MOST_LINE_BYTES) held = [];
      else if (index >= from) held.push(chunk.subarray(start));
    }
  }

  /** The nearest known offset before a line. */
  #nearest(from: number): { index: number; offset: number } {
    const mark = Math.min(Math.floor(from / LINES_PER_MARK), this.#marks.length - 1);
    const marked = { index: mark * LINES_PER_MARK, offset: this.#marks[mark] as number };
    const known = [this.#next, this.#furthest].filter(({ index }) => index <= from && index > marked.index);
    return known.reduce((best, one) => (one.index > best.index ? one : best), marked);
  }

  #note(index: number, offset: number): void {
    this.#next = { index, offset };
    if (index > this.#furthest.index) this.#furthest = this.#next;
  }

  async #read(handle: FileHandle, position: number, length: number): Promise<Buffer> {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    this.bytesRead += bytesRead;
    return buffer.subarray(0, bytesRead);
  }

  async #use<Result>(use: (handle: FileHandle) => Promise<Result>): Promise<Result> {
    // Opening a pipe would block until a process writes to it.
    if (!(await stat(this.path)).isFile()) throw new Error('it is not a file');
    const handle = await open(this.path, 'r');
    try {
      return await use(handle);
    } finally {
      await handle.close();
    }
  }
}

function decode(held: readonly Buffer[], rest: Buffer): string {
  const bytes = held.length === 0 ? rest : Buffer.concat([...held, rest]);
  return bytes.toString('utf8');
}
