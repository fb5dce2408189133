// Decides which rows of a long list are drawn, and where it scrolls when rows change. It is the part of a virtual list that
// needs no browser.
import { ListHeights } from './list-heights.js';

export type RowKey = string | number;

/** The rows as they are now. */
export interface ListRows {
  count: number;
  keyAt(index: number): RowKey;
}

/** The row at the upper edge, and how many pixels of it are scrolled out of sight. */
export interface ListAnchor {
  key: RowKey;
  index: number;
  past: number;
}

/** The rows that are drawn: from `first` to `end` (exclusive). */
export interface RowRange {
  first: number;
  end: number;
}

/** The greatest number of rows that are drawn, however small they are. */
const MOST_ROWS = 180;

/** Keeps heights by key, so that a row that moves or comes back keeps its height. */
export class ListLayout {
  readonly heights = new ListHeights();
  readonly #measured = new Map<RowKey, number>();
  #keys: RowKey[] = [];
  readonly #estimate: number;

  constructor(estimate: number) {
    this.#estimate = estimate;
  }

  /**
   * Takes the rows as they are now. This is cheap if rows were only added or removed at the end, which is judged by the keys
   * of a few rows. Otherwise it costs a pass over all rows. Returns the new index of the row that was at the upper edge, or
   * undefined if that row is gone.
   */
  sync(rows: ListRows, anchor: ListAnchor | undefined): number | undefined {
    const known = Math.min(this.#keys.length, rows.count);
    const isSame = (index: number): boolean =>
      index < 0 || index >= known || this.#keys[index] === rows.keyAt(index);
    const isKept = isSame(known - 1) && isSame(0) && isSame(known >> 1) && isSame(anchor?.index ?? 0);
    if (!isKept) return this.#rebuild(rows, anchor);
    this.#keys.length = known;
    this.heights.truncate(known);
    for (let index = known; index < rows.count; index += 1) this.#push(rows.keyAt(index));
    return anchor && anchor.index < rows.count ? anchor.index : undefined;
  }

  #rebuild(rows: ListRows, anchor: ListAnchor | undefined): number | undefined {
    let found: number | undefined;
    this.#keys = [];
    this.heights.truncate(0);
    for (let index = 0; index < rows.count; index += 1) {
      const key = rows.keyAt(index);
      if (anchor !== undefined && key === anchor.key) found = index;
      this.#push(key);
    }
    return found;
  }

  #push(key: RowKey): void {
    this.#keys.push(key);
    this.heights.push(this.#measured.get(key) ?? this.#estimate);
  }

  /** Takes the measured height of a row; returns by how much it differs from the height assumed before. */
  measure(index: number, key: RowKey, height: number): number {
    this.#measured.set(key, height);
    this.#keys[index] = key;
    return this.heights.set(index, height);
  }

  isMeasured(key: RowKey): boolean {
    return this.#measured.has(key);
  }

  /** The row at the upper edge. */
  anchorAt(scrollTop: number): ListAnchor | undefined {
    const index = this.heights.indexAt(Math.max(0, scrollTop));
    const key = this.#keys[index];
    if (key === undefined) return undefined;
    return { key, index, past: scrollTop - this.heights.offsetOf(index) };
  }

  /** The rows to draw: the visible ones, and about `over` pixels more on both sides. */
  range(scrollTop: number, height: number, over: number): RowRange {
    const { count } = this.heights;
    if (count === 0) return { first: 0, end: 0 };
    const first = Math.max(0, this.heights.indexAt(Math.max(0, scrollTop - over)));
    const end = this.heights.indexAt(Math.max(0, scrollTop + height + over)) + 1;
    if (end - first <= MOST_ROWS) return { first, end };
    const top = this.heights.indexAt(Math.max(0, scrollTop));
    const begin = Math.max(first, top - Math.floor(MOST_ROWS / 4));
    return { first: begin, end: Math.min(end, begin + MOST_ROWS) };
  }

  /** The scroll position that shows a row. `nearest` does not move if the whole row is visible already. */
  scrollTopFor(
    index: number,
    at: 'start' | 'center' | 'nearest',
    { scrollTop, height }: { scrollTop: number; height: number },
  ): number {
    const top = this.heights.offsetOf(index);
    const bottom = top + this.heights.heightOf(index);
    if (at === 'start') return top;
    if (at === 'center') return Math.max(0, top - Math.max(0, (height - (bottom - top)) / 2));
    if (top < scrollTop || bottom - top > height) return top;
    return bottom > scrollTop + height ? bottom - height : scrollTop;
  }
}
