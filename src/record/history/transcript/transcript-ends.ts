// The two ends of a transcript: enough to describe it, however large it is.
import { open } from 'node:fs/promises';

/** Bytes read at each end. */
export const END_BYTES = 64 * 1024;

/** What was read; a transcript of at most 64 KiB is complete in both. Lines at the inner edges may be cut. */
export interface TranscriptEnds {
  readonly head: string;
  readonly tail: string;
  /** Bytes of the whole. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

/** Reads both ends of a file; undefined when it is empty, gone, or no file. */
export async function readFileEnds(path: string): Promise<TranscriptEnds | undefined> {
  let file;
  try {
    file = await open(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size === 0) return undefined;
    const buffer = Buffer.allocUnsafe(Math.min(END_BYTES, found.size));
    const readAt = async (position: number): Promise<string> => {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      return buffer.toString('utf8', 0, bytesRead);
    };
    const head = await readAt(0);
    const tail = found.size > END_BYTES ? await readAt(found.size - END_BYTES) : head;
    return { head, tail, size: found.size, mtime: found.mtime.getTime() };
  } catch {
    // It was removed, or became unreadable, while it was read.
    return undefined;
  } finally {
    await file.close();
  }
}
