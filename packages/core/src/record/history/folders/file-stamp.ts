// What tells one state of a file from another without reading it.
import type { Stats } from 'node:fs';

/** One state of a file that is there. */
export interface FileStamp {
  /** The file system. */
  readonly dev: number;
  /** The file in it. */
  readonly ino: number;
  /** Bytes. */
  readonly size: number;
  /** When the content was last changed, in milliseconds since 1970, to a fraction of a microsecond. */
  readonly mtimeMs: number;
  /** When anything was last changed, and nobody can set it back; likewise. */
  readonly ctimeMs: number;
}

/** The stamp of a file; undefined for what is no file. */
export function readStamp(stats: Stats): FileStamp | undefined {
  if (!stats.isFile()) return undefined;
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  return { dev, ino, size, mtimeMs, ctimeMs };
}

/** Whether two stamps are of the same state of the same file. */
export function isSameState(one: FileStamp | undefined, other: FileStamp | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.size === other.size &&
    one.ino === other.ino &&
    one.dev === other.dev
  );
}
