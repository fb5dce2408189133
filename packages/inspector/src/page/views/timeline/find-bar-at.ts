// Finds the bar under a point of the lanes.
import { findRows, type TimelineRow } from '../../../model/time/timeline-rows.js';
import { findBars, type Bar, type TimeWindow } from '../../../model/time/visible-bars.js';

/** How far beside a bar a point still counts, in CSS pixels. */
const REACH_PX = 4;

/** The bar at a point, which is given from the top of all rows and the left of the lanes. */
export function findBarAt(
  rows: readonly TimelineRow[],
  window: TimeWindow,
  { x, y }: { x: number; y: number },
): { bar: Bar; row: TimelineRow } | undefined {
  const row = findRows(rows, y, y + 1)[0];
  if (!row) return undefined;
  let nearest: Bar | undefined;
  let least = REACH_PX;
  for (const bar of findBars(row.spans, window)) {
    const away = Math.max(bar.x - x, x - (bar.x + bar.width), 0);
    if (away < least) [nearest, least] = [bar, away];
  }
  return nearest && { bar: nearest, row };
}
