// Splits a byte stream into lines of text. A character that is split over two chunks stays intact. The codec decides what
// a line means.
import { constants } from 'node:buffer';
import { PieceRun, type UndecodedPiece } from './piece-run.js';

// 256 MiB is far more than any real message has, and less than a string can hold.
const DEFAULT_MAX_LINE_BYTES = 256 * 1024 * 1024;
// Longer lines are decoded part by part. Decoding 50 MB at once would block a busy host for half a second.
const LONG_LINE_BYTES = 1024 * 1024;

/** The limit and the callbacks. Callbacks must neither throw nor call `push`. */
export interface LineSplitterOptions {
  /** The most bytes of a line, without its line feed. Default: 256 MiB. */
  maxLineBytes?: number;
  /** Called with a line that is not blank, without its line ending. A byte order mark before the first line is left out. */
  onLine: (text: string) => void;
  /**
   * Called with a piece of a streamed answer, not decoded, if its line has the same form as the line before it. If it
   * returns false, the line goes to `onLine`.
   */
  onPiece?: ((piece: UndecodedPiece) => boolean) | undefined;
  /** Called for a line over the limit. The whole line was dropped. `bytes` is its full length. */
  onOversized: (dropped: { bytes: number }) => void;
}

/** Accepts chunks of any size. A chunk must not be changed after it was pushed. */
export interface LineSplitter {
  readonly push: (chunk: Uint8Array | string) => void;
  /** Delivers a last line that has no line feed. */
  end(): void;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = 0xfeff;

/** Creates a splitter. Its time is linear in the number of bytes, however long a line is. */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const { onLine, onPiece, onOversized } = options;
  const run = onPiece && new PieceRun();
  // A string cannot hold more characters than this, and each byte may be a character.
  const maxLineBytes = Math.min(options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES, constants.MAX_STRING_LENGTH);
  // The bytes of the unfinished line. They are dropped as soon as the line is over the limit.
  let parts: Buffer[] = [];
  let heldBytes = 0;
  // The decoded part of a long line. `parts` has the bytes after it.
  let decoded = '';
  let isFirst = true;

  function push(chunk: Uint8Array | string): void {
    const bytes = chunk instanceof Buffer ? chunk : toBuffer(chunk);
    let start = 0;
    let feed = bytes.indexOf(LINE_FEED);
    if (feed !== -1 && heldBytes > 0) {
      hold(bytes.subarray(0, feed));
      flush();
      start = feed + 1;
      feed = bytes.indexOf(LINE_FEED, start);
    }
    while (feed !== -1) {
      if (feed - start > maxLineBytes) drop(feed - start);
      else deliver(bytes, start, feed);
      start = feed + 1;
      // Most chunks are exactly one line, so there is nothing left to search.
      feed = start < bytes.length ? bytes.indexOf(LINE_FEED, start) : -1;
    }
    if (start < bytes.length) hold(bytes.subarray(start));
  }

  function hold(part: Buffer): void {
    heldBytes += part.length;
    if (heldBytes > maxLineBytes) {
      parts = [];
      decoded = '';
      return;
    }
    parts.push(part);
    if (heldBytes > LONG_LINE_BYTES) decode();
  }

  /** Decodes the held bytes, up to a character that is not complete yet. */
  function decode(): void {
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    const end = findWholeEnd(bytes);
    decoded += bytes.toString('utf8', 0, end);
    parts = end < bytes.length ? [bytes.subarray(end)] : [];
  }

  function flush(): void {
    const [held, length, before] = [parts, heldBytes, decoded];
    parts = [];
    heldBytes = 0;
    decoded = '';
    if (length > maxLineBytes) drop(length);
    else if (before === '') deliver(Buffer.concat(held, length), 0, length);
    else {
      const text = before + Buffer.concat(held).toString('utf8');
      deliverText(text.endsWith('\r') ? text.slice(0, -1) : text);
    }
  }

  function drop(bytes: number): void {
    isFirst = false;
    onOversized({ bytes });
  }

  function deliver(bytes: Buffer, start: number, feed: number): void {
    const end = feed > start && bytes[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed;
    const piece = run?.match(bytes, start, end);
    if (piece !== undefined && onPiece?.(piece)) return;
    // UTF-8 is the default, and Node is faster if the encoding is not named.
    deliverText(bytes.toString(undefined, start, end), piece === undefined);
  }

  function deliverText(decodedLine: string, isToLearn = true): void {
    let text = decodedLine;
    if (isFirst) {
      isFirst = false;
      if (text.charCodeAt(0) === BYTE_ORDER_MARK) text = text.slice(1);
    }
    if (isBlank(text)) return;
    onLine(text);
    if (isToLearn) run?.learn(text);
  }

  return {
    push,
    end() {
      if (heldBytes > 0) flush();
    },
  };
}

function toBuffer(chunk: Uint8Array | string): Buffer {
  return typeof chunk === 'string'
    ? Buffer.from(chunk)
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Where the last complete character of some UTF-8 ends. */
function findWholeEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isInside = byte >= 0x80 && byte < 0xc0;
    if (isInside) continue;
    const length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every line begins with a brace. Only other lines are checked as a whole.
  return !(first > 0x20 && first < 0x7f) && text.trim() === '';
}
