// The two ends of a transcript: enough to describe it, however large it is.
import type { BigIntStats } from 'node:fs';
import { toRawText } from './raw-fields.js';
import { FileReads, type FileCalls } from '../folders/file-calls.js';
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
export async function readFileEnds(
  path: string,
  {
    expected,
    reads = new FileReads(),
  }: { expected?: FileStamp | undefined; reads?: FileReads | undefined } = {},
): Promise<FileEnds | undefined> {
  return await reads.do((calls) => readBothEnds(calls, path, expected));
}

function* readBothEnds(
  calls: FileCalls,
  path: string,
  expected: FileStamp | undefined,
): Generator<unknown, FileEnds | undefined> {
  let file;
  try {
    file = yield calls.open(path);
  } catch {
    return undefined;
  }
  try {
    const ends = expected && (yield* readAs(calls, file, expected));
    if (ends?.stamp) return ends;
    const found = yield* askStamp(calls, file);
    return found && found.size > 0 ? yield* readAs(calls, file, found) : undefined;
  } catch {
    // It was removed, or became unreadable, while it was read.
    return undefined;
  } finally {
    yield calls.close(file);
  }
}

function* readAs(calls: FileCalls, file: unknown, stamp: FileStamp): Generator<unknown, FileEnds> {
  const { size, mtime, text } = stamp;
  const buffer = Buffer.allocUnsafe(Math.min(END_BYTES, size));
  const head = toRawText(buffer, 0, (yield calls.read(file, buffer, 0)) as number);
  const tail =
    size > END_BYTES
      ? toRawText(buffer, 0, (yield calls.read(file, buffer, size - END_BYTES)) as number)
      : head;
  const after = yield* askStamp(calls, file);
  return { head, tail, size, mtime, stamp: after?.text === text ? stamp : undefined };
}

function* askStamp(calls: FileCalls, file: unknown): Generator<unknown, FileStamp | undefined> {
  return readStamp((yield calls.statOpen(file)) as BigIntStats);
}
