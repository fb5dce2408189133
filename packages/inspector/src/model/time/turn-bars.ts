// Joins bars that are too narrow to be told apart into one bar for each turn, and finds where errors are marked above a lane.
import { findFirst } from './lane-search.js';
import { endOf, spanOutcomeOf, type TimeSpan } from './time-span.js';
import { findBars, toX, LEAST_WIDTH, type Bar, type TimeWindow } from './visible-bars.js';

/** A bar of a lane. */
export interface LaneBar extends Bar {
  /** The number of the turn, from 1, whose narrow spans the bar joins; undefined for any other bar. */
  turn?: number | undefined;
}

/** Narrow bars with a wider gap between them stay apart, because there is room for what they say. */
const MOST_GAP = 16;
/** Turns that are closer on average have no lines. */
const LEAST_TURN_WIDTH = 12;
/** Marks that are closer than this become one. */
const MARK_WIDTH = 7;

/** The bars of one lane, with those under three pixels joined by turn. `turns` are the starts of turns. */
export function findLaneBars(
  spans: readonly TimeSpan[],
  window: TimeWindow,
  turns: readonly { t: number }[],
): LaneBar[] {
  const joined: LaneBar[] = [];
  const turnOf = ({ span }: LaneBar): number => findFirst(turns, span.start, ({ t }) => t);
  for (const bar of findBars(spans, window)) {
    const last = joined.at(-1);
    const isNear = last !== undefined && bar.x - (last.x + last.width) < MOST_GAP;
    const isAlike = isNear && last.span.kind === bar.span.kind && turnOf(last) === turnOf(bar);
    if (isAlike && isNarrow(last) && isNarrow(bar)) {
      last.width = bar.x + bar.width - last.x;
      last.count += bar.count;
      last.turn = turnOf(last);
    } else joined.push({ ...bar });
  }
  return joined;
}

function isNarrow({ width, turn }: LaneBar): boolean {
  return turn !== undefined || width <= LEAST_WIDTH;
}

/** The turns that begin in the window; none if they are so close together that their lines would be a pattern. */
export function findTurnLines(turns: readonly { t: number }[], window: TimeWindow): readonly { t: number }[] {
  const first = findFirst(turns, window.time.toTime(window.from), ({ t }) => t);
  const end = findFirst(turns, window.time.toTime(window.to), ({ t }) => t);
  return (end - first) * LEAST_TURN_WIDTH > window.width ? [] : turns.slice(first, end);
}

/** Where failed spans of a lane begin in the window; those that are close together give one mark. */
export function findErrorMarks(spans: readonly TimeSpan[], window: TimeWindow): number[] {
  const marks: number[] = [];
  const start = window.time.toTime(window.from);
  for (
    let index = findFirst(spans, start, (span) => endOf(span, window.now));
    index < spans.length;
    index += 1
  ) {
    const span = spans[index] as TimeSpan;
    if (spanOutcomeOf(span) !== 'failed') continue;
    const x = Math.max(0, toX(window, span.start));
    if (x > window.width) break;
    if (x - (marks.at(-1) ?? -Infinity) >= MARK_WIDTH) marks.push(x);
  }
  return marks;
}
