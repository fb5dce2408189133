// The two ends of a transcript: enough to describe it, however large it is.
import { open, type FileHandle } from 'node:fs/promises';
import { toRawText } from './raw-fields.js';
import { readStamp, type FileStamp } from '../folders/file-stamp.js';

/** Bytes read at each end. */
export const END_BYTES = 64 * 1024;

/** What was read, as raw text; a transcript of at most 64 KiB is complete in both. Lines at the inner edges may be cut. */
export interface TranscriptEnds {
  readonly head: string;
  readonly tail: string;
  /** Bytes of the whole. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

/** The ends of a file. */
export interface FileEnds extends TranscriptEnds {
  /** Of the file as it was read; undefined when it changed meanwhile. */
  readonly stamp: FileStamp | undefined;
}

/**
 * Reads both ends of a file; undefined when it is empty, gone, or no file. Who knows its stamp spares a question, unless the
 * file has changed since.
 */
export async function readFileEnds(path: string, expected?: FileStamp): Promise<FileEnds | undefined> {
  let file;
  try {
    file = await open(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const ends = expected && (await readAs(file, expected));
    if (ends?.stamp) return ends;
    const found = await askStamp(file);
    return found && found.size > 0 ? await readAs(file, found) : undefined;
  } catch {
    // It was removed, or became unreadable, while it was read.
    return undefined;
  } finally {
    await file.close();
  }
}

async function readAs(file: FileHandle, stamp: FileStamp): Promise<FileEnds> {
  const { size, mtime, text } = stamp;
  const { head, tail } = await readEnds(file, size);
  const after = await askStamp(file);
  return { head, tail, size, mtime, stamp: after?.text === text ? stamp : undefined };
}

async function askStamp(file: FileHandle): Promise<FileStamp | undefined> {
  return readStamp(await file.stat({ bigint: true }));
}

async function readEnds(file: FileHandle, size: number): Promise<{ head: string; tail: string }> {
  const buffer = Buffer.allocUnsafe(Math.min(END_BYTES, size));
  const readAt = async (position: number): Promise<string> => {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    return toRawText(buffer, 0, bytesRead);
  };
  const head = await readAt(0);
  return { head, tail: size > END_BYTES ? await readAt(size - END_BYTES) : head };
}
