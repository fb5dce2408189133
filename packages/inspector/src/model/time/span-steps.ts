// Finds the next span for the keys of the timeline, by the beginnings of spans over all rows.
import { findFirst } from './lane-search.js';
import type { TimeRow } from './timeline-rows.js';
import type { TimeSpan } from './time-span.js';

/** A span and the row it is in. */
export interface Placed {
  span: TimeSpan;
  row: TimeRow;
}

/**
 * The next span that begins after `from`, or before it with direction -1. Without `from`, the first or the last span.
 * Undefined if there is none.
 */
export function stepFrom(
  rows: readonly TimeRow[],
  from: TimeSpan | undefined,
  direction: 1 | -1,
): Placed | undefined {
  let best: Placed | undefined;
  for (const row of rows) {
    const span = nearestIn(row.spans, from, direction);
    if (span && (!best || isBefore(span, best.span) === (direction === 1))) best = { span, row };
  }
  return best;
}

function nearestIn(
  spans: readonly TimeSpan[],
  from: TimeSpan | undefined,
  direction: 1 | -1,
): TimeSpan | undefined {
  if (!from) return direction === 1 ? spans[0] : spans.at(-1);
  // Spans that begin at the same time are ordered by the numbers of their events.
  let place = findFirst(spans, from.start - 1e-9, ({ start }) => start);
  while (place < spans.length && !isBefore(from, spans[place] as TimeSpan)) place += 1;
  if (direction === 1) return spans[place];
  let before = place - 1;
  while (before >= 0 && !isBefore(spans[before] as TimeSpan, from)) before -= 1;
  return spans[before];
}

function isBefore(one: TimeSpan, other: TimeSpan): boolean {
  return one.start === other.start ? one.n < other.n : one.start < other.start;
}
