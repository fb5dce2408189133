// What tells one state of a file from another without reading it.
import type { BigIntStats } from 'node:fs';

/** One state of a file that is there. */
export interface FileStamp {
  /** Bytes. */
  readonly size: number;
  /** When the content was last changed, in milliseconds since 1970. */
  readonly mtime: number;
  /** When anything was last changed, and nobody can set it back; in milliseconds since 1970. */
  readonly ctime: number;
  /** The same for the same state: file system, file, size, and both times to the nanosecond. */
  readonly text: string;
}

/** The stamp of a file; undefined for what is no file. */
export function readStamp(stats: BigIntStats): FileStamp | undefined {
  if (!stats.isFile()) return undefined;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return {
    size: Number(size),
    mtime: toMilliseconds(mtimeNs),
    ctime: toMilliseconds(ctimeNs),
    text: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`,
  };
}

// Rounded as a Date of the file system's functions is; a Date of nanoseconds is cut.
function toMilliseconds(ns: bigint): number {
  return Math.round(Number(ns / 1_000_000_000n) * 1000 + Number(ns % 1_000_000_000n) / 1_000_000);
}
