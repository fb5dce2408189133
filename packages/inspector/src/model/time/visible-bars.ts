// Decides which bars of a lane are drawn in a window, and where. Spans that are too narrow to be distinguished become one bar
// with a count, so that the number of bars depends on the width of the page, not on the length of the session.
import type { FoldedTime } from './folded-time.js';
import { findFirst } from './lane-search.js';
import { endOf, type Stretch, type TimeSpan } from './time-span.js';

/** The part of the axis that is shown, and its width. */
export interface TimeWindow {
  time: FoldedTime;
  /** Places on the axis. */
  from: number;
  to: number;
  /** CSS pixels. */
  width: number;
  /** The time at which running spans end. */
  now: number;
}

/** A bar on the page. */
export interface Bar {
  span: TimeSpan;
  x: number;
  width: number;
  /** How many spans it stands for. */
  count: number;
}

/** The least width of a bar, in CSS pixels. */
export const LEAST_WIDTH = 3;
const GAP = 1;

/** Where a time is drawn. */
export function toX(window: TimeWindow, t: number): number {
  return ((window.time.toPlace(t) - window.from) / (window.to - window.from)) * window.width;
}

/** The time of a point. */
export function toTime(window: TimeWindow, x: number): number {
  return window.time.toTime(window.from + (x / window.width) * (window.to - window.from));
}

/** The bars of one lane. */
export function findBars(spans: readonly TimeSpan[], window: TimeWindow): Bar[] {
  const ends = (span: TimeSpan): number => endOf(span, window.now);
  const start = window.time.toTime(window.from);
  const bars: Bar[] = [];
  let index = findFirst(spans, start - 1e-6, ends);
  while (index < spans.length) {
    const span = spans[index] as TimeSpan;
    const x = toX(window, span.start);
    if (x > window.width) break;
    const right = toX(window, ends(span));
    let next = index + 1;
    // If this bar is narrow and the next span begins before `reach`, the spans that end before `reach` are drawn as part of it.
    const reach = Math.max(right, x + LEAST_WIDTH) + GAP;
    const following = spans[next];
    if (right - x < LEAST_WIDTH && following && toX(window, following.start) < reach)
      next = Math.max(next, findFirst(spans, toTime(window, reach), ends));
    bars.push({ span, x, width: Math.max(LEAST_WIDTH, right - x), count: next - index });
    index = next;
  }
  return bars;
}

/** A stretch on the page. */
export interface Band {
  stretch: Stretch;
  x: number;
  width: number;
}

/** The stretches of the window as bands. Those that share one pixel become one band, for the longest of the first 16. */
export function findBands(stretches: readonly Stretch[], window: TimeWindow): Band[] {
  const bands: Band[] = [];
  const start = window.time.toTime(window.from);
  let index = findFirst(stretches, start, ({ end }) => end);
  while (index < stretches.length) {
    let stretch = stretches[index] as Stretch;
    const x = toX(window, stretch.start);
    if (x > window.width) break;
    let right = toX(window, stretch.end);
    let next = index + 1;
    if (right - x < 1) {
      next = Math.max(
        next,
        findFirst(stretches, toTime(window, x + 1), ({ end }) => end),
      );
      // Comparing all of them would take long, and the page would hardly look different.
      for (const other of stretches.slice(index, Math.min(next, index + 16)))
        if (other.end - other.start > stretch.end - stretch.start) stretch = other;
      right = x + 1;
    }
    bands.push({ stretch, x, width: right - x });
    index = next;
  }
  return bands;
}
