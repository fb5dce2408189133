// Reads a transcript from its end to its start, because the last lines of a long session are often enough.
import { open, type FileHandle } from 'node:fs/promises';
import { parseRecord } from '../../../util/guards.js';
import { MAX_TRANSCRIPT_LINE_BYTES, type Entry } from './transcript-lines.js';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/**
 * Calls `onEntry` for every line that is a JSON object, the last line first. Stops when `onEntry` returns true.
 * With `mention`, lines without that text are skipped unparsed.
 */
export async function scanEntriesBackwards(
  path: string,
  onEntry: (entry: Entry) => boolean,
  { mention, chunkBytes = CHUNK_BYTES }: { mention?: string; chunkBytes?: number } = {},
): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const line = new LineEnd();
    const deliver = (start: Buffer): boolean => {
      const bytes = line.finish(start);
      if (!bytes || (mention !== undefined && !bytes.includes(mention))) return false;
      // An incomplete line cannot be parsed and is skipped.
      const entry = parseRecord(bytes.toString('utf8'));
      return entry !== undefined && onEntry(entry);
    };
    for (let end = size; end > 0;) {
      const from = Math.max(0, end - chunkBytes);
      const chunk = await readPart(file, from, end - from);
      let stop = chunk.length;
      for (let feed = findFeed(chunk, stop); feed !== -1; feed = findFeed(chunk, stop)) {
        if (deliver(chunk.subarray(feed + 1, stop))) return;
        stop = feed;
      }
      line.extend(chunk.subarray(0, stop));
      end = from;
    }
    deliver(Buffer.alloc(0));
  } finally {
    await file.close();
  }
}

/** The last line feed before a position. `lastIndexOf` would count a negative offset from the end. */
function findFeed(chunk: Buffer, before: number): number {
  return before === 0 ? -1 : chunk.lastIndexOf(LINE_FEED, before - 1);
}

/** The end of a line whose start has not been read yet. */
class LineEnd {
  #parts: Buffer[] = [];
  #length = 0;

  extend(part: Buffer): void {
    this.#length += part.length;
    // If the line is too long, only its length is kept.
    if (this.#length > MAX_TRANSCRIPT_LINE_BYTES) this.#parts = [];
    else this.#parts.push(part);
  }

  /** The whole line; undefined if it is empty, or too long for a string. */
  finish(start: Buffer): Buffer | undefined {
    const length = this.#length + start.length;
    const bytes = this.#length === 0 ? start : Buffer.concat([start, ...this.#parts.toReversed()]);
    this.#parts = [];
    this.#length = 0;
    return length === 0 || length > MAX_TRANSCRIPT_LINE_BYTES ? undefined : bytes;
  }
}

/** A part of a file. It is shorter than `length` if the file has become shorter. */
async function readPart(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
