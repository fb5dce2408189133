// Splits a byte stream into lines of text. Only whole lines are decoded, so a character split over two chunks stays
// intact. What a line means is left to the codec.
import { constants } from 'node:buffer';
import { PieceRun, type Piece } from './piece-run.js';

// 256 MiB: far beyond any real message, far below what a string can hold.
const DEFAULT_MAX_LINE_BYTES = 256 * 1024 * 1024;

/** The limit and the callbacks, which must neither throw nor call `push`. */
export interface LineSplitterOptions {
  /** Bytes a line may have without its line feed. Default 256 MiB. */
  maxLineBytes?: number;
  /** A line without its line ending; blank lines and a byte order mark at the very start are left out. */
  onLine: (text: string) => void;
  /** Is offered each piece of a streamed answer that is like the line before it, undecoded; what it refuses goes to `onLine`. */
  onPiece?: ((piece: Piece) => boolean) | undefined;
  /** A line over the limit has passed and was dropped as a whole; `bytes` is its full length. */
  onOversized: (dropped: { bytes: number }) => void;
}

/** Takes chunks as they come; a chunk must not be changed after it was pushed. */
export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** Delivers a last line that has no line feed. */
  end(): void;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = 0xfeff;

/** Creates a splitter whose cost is linear in the bytes pushed, however long a line is. */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const { onLine, onPiece, onOversized } = options;
  const run = onPiece && new PieceRun();
  // A string cannot hold more characters than this, and a byte may be a character.
  const maxLineBytes = Math.min(options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES, constants.MAX_STRING_LENGTH);
  // The bytes of the unfinished line, dropped as soon as it is over the limit.
  let parts: Buffer[] = [];
  let heldBytes = 0;
  let isFirst = true;

  function push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
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
      feed = bytes.indexOf(LINE_FEED, start);
    }
    if (start < bytes.length) hold(bytes.subarray(start));
  }

  function hold(part: Buffer): void {
    heldBytes += part.length;
    if (heldBytes > maxLineBytes) parts = [];
    else parts.push(part);
  }

  function flush(): void {
    const [held, length] = [parts, heldBytes];
    parts = [];
    heldBytes = 0;
    if (length > maxLineBytes) drop(length);
    else deliver(Buffer.concat(held, length), 0, length);
  }

  function drop(bytes: number): void {
    isFirst = false;
    onOversized({ bytes });
  }

  function deliver(bytes: Buffer, start: number, feed: number): void {
    const end = feed > start && bytes[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed;
    const piece = run?.match(bytes, start, end);
    if (piece !== undefined && onPiece?.(piece)) return;
    let text = bytes.toString('utf8', start, end);
    if (isFirst) {
      isFirst = false;
      if (text.charCodeAt(0) === BYTE_ORDER_MARK) text = text.slice(1);
    }
    if (isBlank(text)) return;
    onLine(text);
    if (piece === undefined) run?.learn(text);
  }

  return {
    push,
    end() {
      if (heldBytes > 0) flush();
    },
  };
}

function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every line begins with a brace; only others are checked as a whole.
  return !(first > 0x20 && first < 0x7f) && text.trim() === '';
}
