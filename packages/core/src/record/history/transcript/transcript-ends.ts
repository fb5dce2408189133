// Reads the two ends of a transcript. They are enough to describe a session, however large its transcript is.
import type { Stats } from 'node:fs';
import { isWithoutDescriptor } from '../../../util/without-descriptor.js';
import { readOneFile, type FileCalls } from '../folders/file-calls.js';
import { isSameState, readStamp, type FileStamp } from '../folders/file-stamp.js';

/** How many bytes are read at each end. */
export const END_BYTES = 64 * 1024;

/** The two ends as raw text. A transcript of at most 64 KiB is complete in both. Lines at the inner edges may be cut. */
export interface TranscriptEnds {
  readonly head: string;
  readonly tail: string;
  /** The size of the whole file in bytes. */
  readonly size: number;
  /** When the file was last changed, in milliseconds since 1970. */
  readonly mtime: number;
}

/** The ends of a file. */
export interface FileEnds extends TranscriptEnds {
  /** The state of the file that was read; undefined when it changed during the read. */
  readonly stamp: FileStamp | undefined;
}

/**
 * Reads both ends of a file. Undefined when it is empty, missing, or not a regular file. Rejects when the process has no
 * free file descriptor, because a list would otherwise leave out a session that exists.
 */
export async function readFileEnds(path: string): Promise<FileEnds | undefined> {
  return await readOneFile((calls) => readBothEnds(calls, path));
}

/**
 * Like `readFileEnds`, as a generator that works on one of many files. The stamp of an earlier look saves a system call,
 * unless the file has changed since.
 */
export function* readBothEnds(
  calls: FileCalls,
  path: string,
  expected?: FileStamp,
): Generator<unknown, FileEnds | undefined> {
  let file;
  try {
    file = yield calls.open(path);
  } catch (error) {
    if (isWithoutDescriptor(error)) throw error;
    return undefined;
  }
  try {
    const ends = expected && (yield* readAs(calls, file, expected));
    if (ends?.stamp) return ends;
    const found = readStamp((yield calls.statOpen(file)) as Stats);
    return found && found.size > 0 ? yield* readAs(calls, file, found) : undefined;
  } catch {
    // The file was removed, or became unreadable, during the read.
    return undefined;
  } finally {
    yield calls.close(file);
  }
}

function* readAs(calls: FileCalls, file: unknown, stamp: FileStamp): Generator<unknown, FileEnds> {
  const { size, mtimeMs } = stamp;
  const head = (yield calls.readText(file, 0, Math.min(END_BYTES, size))) as string;
  const tail =
    size > END_BYTES ? ((yield calls.readText(file, size - END_BYTES, END_BYTES)) as string) : head;
  const after = readStamp((yield calls.statOpen(file)) as Stats);
  // The time is rounded as in the `Date` objects of `fs.Stats`.
  return {
    head,
    tail,
    size,
    mtime: Math.round(mtimeMs),
    stamp: isSameState(after, stamp) ? stamp : undefined,
  };
}
