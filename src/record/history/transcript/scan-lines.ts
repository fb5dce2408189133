// Reading a transcript line by line in constant memory, and single lines of it by their place.
import { open, type FileHandle } from 'node:fs/promises';

/** Where a line lies in its file, in bytes. */
export interface LinePlace {
  readonly offset: number;
  readonly length: number;
}

const CHUNK_BYTES = 256 * 1024;
/** A line beyond this is passed over: it could not be held as a string. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * Calls `onLine` for every line that is not empty; its bytes are only good during the call. Between chunks it
 * waits for `pause`, so that a reader that writes can keep up.
 */
export async function scanLines(
  path: string,
  onLine: (bytes: Buffer, place: LinePlace) => void,
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
      if (length > 0 && length <= MAX_LINE_BYTES) {
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
        // The chunk is written over by the next read.
        if (heldBytes <= MAX_LINE_BYTES) held.push(Buffer.from(chunk.subarray(start, bytesRead)));
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

/** The text of a line; shorter, or other than it was, when the file was changed since. */
export async function readLine(file: FileHandle, { offset, length }: LinePlace): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
  return buffer.toString('utf8', 0, bytesRead);
}
