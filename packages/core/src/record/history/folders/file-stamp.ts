// Distinguishes two states of a file without reading it.
import type { Stats } from 'node:fs';

/** One state of an existing file. */
export interface FileStamp {
  /** The id of the file system. */
  readonly dev: number;
  /** The id of the file in it. */
  readonly ino: number;
  /** The size in bytes. */
  readonly size: number;
  /** When the content was last changed, in milliseconds since 1970, to a fraction of a microsecond. */
  readonly mtimeMs: number;
  /** When anything about the file was last changed, in the same unit. Programs cannot set this time. */
  readonly ctimeMs: number;
}

/** The stamp of a file; undefined for anything but a file. */
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
