// The order of the wire's lines: as they passed, or sorted by a column. Also how long a line took, from request to reply.
import type { WireList } from './wire-list.js';
import type { WireEntry, WireRow } from './wire-row.js';

/** The columns by which lines are sorted. */
export type WireColumn = 'time' | 'event' | 'took' | 'size';

/** A column, and whether its greatest values come first. */
export interface WireSort {
  by: WireColumn;
  isDown: boolean;
}

/** As they passed. */
export const AS_PASSED: WireSort = { by: 'time', isDown: false };

/** The sorting after a click on a column: the other way round, or that column, where long and large come first. */
export function sortedBy({ by, isDown }: WireSort, column: WireColumn): WireSort {
  if (by === column) return { by, isDown: !isDown };
  return { by: column, isDown: column === 'took' || column === 'size' };
}

/** When a request was made and answered, or when a streamed answer began and ended; undefined for any other line. */
export function spanOfEntry(
  entry: WireEntry,
  rowAt: (n: number) => WireRow | undefined,
): { from: number; to: number } | undefined {
  if (entry.kind === 'run') return { from: entry.t, to: entry.endT };
  const other = entry.answers ?? entry.answeredBy;
  const row = other === undefined ? undefined : rowAt(other);
  return row && { from: Math.min(row.t, entry.t), to: Math.max(row.t, entry.t) };
}

/** The lines of the wire in an order. */
export interface OrderedLines {
  readonly entries: readonly WireEntry[];
  /** The index of the line that shows an event; -1 if none does. */
  indexOf(n: number): number;
}

/** Puts the lines of a list in order. Lines without a value in the column come last, whichever way they are sorted. */
export function orderLines(
  list: WireList,
  { by, isDown }: WireSort,
  rowAt: (n: number) => WireRow | undefined,
): OrderedLines {
  if (by === 'time' && !isDown) return { entries: list.entries, indexOf: (n) => list.indexOf(n) };
  const entries = by === 'time' ? list.entries.toReversed() : sort(list.entries, valuesOf(by, rowAt), isDown);
  return {
    entries,
    indexOf: (n) => {
      const entry = list.entries[list.indexOf(n)];
      return entry === undefined ? -1 : entries.indexOf(entry);
    },
  };
}

type Value = number | string | undefined;

function valuesOf(by: WireColumn, rowAt: (n: number) => WireRow | undefined): (entry: WireEntry) => Value {
  if (by === 'size') return ({ bytes }) => bytes;
  if (by === 'event') return (entry) => (entry.kind === 'run' ? 'streamed' : entry.event);
  return (entry) => {
    const span = spanOfEntry(entry, rowAt);
    return span && span.to - span.from;
  };
}

function sort(
  entries: readonly WireEntry[],
  read: (entry: WireEntry) => Value,
  isDown: boolean,
): WireEntry[] {
  const way = isDown ? -1 : 1;
  const valued = entries.map((entry) => ({ entry, value: read(entry) }));
  // The sort is stable, so lines with the same value stay as they passed.
  valued.sort(({ value: one }, { value: other }) => {
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return one < other ? -way : one > other ? way : 0;
  });
  return valued.map(({ entry }) => entry);
}

/** Some of the lines: from `first` to `end` (exclusive). */
export interface LinesInSight {
  entries: readonly WireEntry[];
  first: number;
  end: number;
}

/**
 * The time that the lines in sight cover, which is the width of the column with the bars. A reply that comes after them is within
 * it only if `coversReplies`: else one long request would make all other bars too small to be seen.
 */
export function timeInSight(
  { entries, first, end }: LinesInSight,
  rowAt: (n: number) => WireRow | undefined,
  coversReplies: boolean,
): { from: number; to: number } {
  let from = Infinity;
  let to = -Infinity;
  for (const entry of entries.slice(first, end)) {
    from = Math.min(from, entry.t);
    to = Math.max(to, entry.t, (coversReplies && spanOfEntry(entry, rowAt)?.to) || 0);
  }
  return from <= to ? { from, to } : { from: 0, to: 0 };
}
