// Lays out the rows of the timeline: for each conversation one row for the model, and one for each lane.
import { findFirst } from './lane-search.js';
import type { SpanGroup, TimeSpan } from './time-span.js';

/** A row and its position. */
export interface TimeRow {
  /** `head` shows the name of a conversation, if there are several. */
  kind: 'head' | 'model' | 'lane';
  label: string;
  spans: readonly TimeSpan[];
  top: number;
  height: number;
}

/** How tall rows are, in CSS pixels. */
export interface RowHeights {
  head: number;
  lane: number;
}

/** The rows of all conversations, from top to bottom. */
export function layOutRows(groups: readonly SpanGroup[], heights: RowHeights): TimeRow[] {
  const rows: TimeRow[] = [];
  let top = 0;
  const add = (row: Omit<TimeRow, 'top' | 'height'>): void => {
    const height = row.kind === 'head' ? heights.head : heights.lane;
    rows.push({ ...row, top, height });
    top += height;
  };
  for (const group of groups) {
    const { name, model, lanes } = group;
    if (groups.length > 1) add({ kind: 'head', label: name, spans: [] });
    if (model.length > 0) add({ kind: 'model', label: 'Model', spans: model });
    for (const [index, spans] of lanes.entries())
      add({ kind: 'lane', label: index === 0 ? 'Tools' : '', spans });
  }
  return rows;
}

/** The height of all rows. */
export function heightOf(rows: readonly TimeRow[]): number {
  const last = rows.at(-1);
  return last ? last.top + last.height : 0;
}

/** The rows between two heights. */
export function findRows(rows: readonly TimeRow[], from: number, to: number): TimeRow[] {
  const first = findFirst(rows, from, ({ top, height }) => top + height);
  const found: TimeRow[] = [];
  for (let index = first; index < rows.length; index += 1) {
    const row = rows[index];
    if (!row || row.top >= to) break;
    found.push(row);
  }
  return found;
}
