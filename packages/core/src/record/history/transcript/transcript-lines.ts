// The lines of a transcript: encodes and parses lines, reads all lines one after another, and reads a single line by its
// location.
import { open, type FileHandle } from 'node:fs/promises';
import { stringifyDeep } from '../../../util/deep-json.js';
import { parseRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';

/** A parsed line. Each CLI version may add fields, so an entry is only known to be an object. */
export type Entry = WireObject;

/** Where a line is in its file, in bytes. */
export interface LineLocation {
  readonly offset: number;
  readonly length: number;
}

const CHUNK_BYTES = 256 * 1024;
/** A longer line is skipped, because a string could not hold it. */
export const MAX_TRANSCRIPT_LINE_BYTES = 256 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** The lines of a transcript with these entries. */
export function encodeEntries(entries: readonly Entry[]): string {
  return entries.map((entry) => `${stringifyDeep(entry) as string}\n`).join('');
}

/**
 * Calls `onEntry` for every line that is a JSON object. With `mention`, lines without that text are skipped unparsed.
 * Awaits `pause` between chunks, so that a caller can write its entries before more are read.
 */
export async function scanEntries(
  path: string,
  onEntry: (entry: Entry, location: LineLocation) => void,
  { mention, pause }: { mention?: string; pause?: () => Promise<void> } = {},
): Promise<void> {
  const onLine = (bytes: Buffer, location: LineLocation): void => {
    if (mention !== undefined && !bytes.includes(mention)) return;
    // An incomplete line cannot be parsed and is skipped.
    const entry = parseRecord(bytes.toString('utf8'));
    if (entry) onEntry(entry, location);
  };
  await scanLines(path, onLine, pause);
}

async function scanLines(
  path: string,
  onLine: (bytes: Buffer, location: LineLocation) => void,
  pause?: () => Promise<void>,
): Promise<void> {
  const file = await open(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let held: Buffer[] = [];
    let heldBytes = 0;
    let position = 0;
    const deliver = (end: Buffer, feedAt: number): void => {
      const length = heldBytes + end.length;
      if (length > 0 && length <= MAX_TRANSCRIPT_LINE_BYTES) {
        onLine(heldBytes === 0 ? end : Buffer.concat([...held, end], length), {
          offset: feedAt - length,
          length,
        });
      }
      held = [];
      heldBytes = 0;
    };
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) break;
      let start = 0;
      for (
        let feed = chunk.indexOf(LINE_FEED);
        feed !== -1 && feed < bytesRead;
        feed = chunk.indexOf(LINE_FEED, start)
      ) {
        deliver(chunk.subarray(start, feed), position + feed);
        start = feed + 1;
      }
      if (start < bytesRead) {
        // The start of the line is copied, because the next read overwrites the chunk.
        if (heldBytes <= MAX_TRANSCRIPT_LINE_BYTES) held.push(Buffer.from(chunk.subarray(start, bytesRead)));
        else held = [];
        heldBytes += bytesRead - start;
      }
      position += bytesRead;
      await pause?.();
    }
    if (heldBytes > 0) deliver(Buffer.alloc(0), position);
  } finally {
    await file.close();
  }
}

/** The entry at a location. If the file was changed since, it is undefined or another entry. */
export async function readEntryAt(
  file: FileHandle,
  { offset, length }: LineLocation,
): Promise<Entry | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
  return parseRecord(buffer.toString('utf8', 0, bytesRead));
}
