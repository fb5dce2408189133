// Scrolls a virtual list: measures the drawn rows, keeps the visible rows in place when rows above them change, follows the
// end, and scrolls to a row.
import type { Signal } from '@preact/signals';
import { ListLayout, type ListAnchor, type ListRows, type RowRange } from './list-layout.js';

/** The state of a list while it is not on the page. The owner of the list keeps it. */
export interface ListMemory {
  layout?: ListLayout | undefined;
  anchor?: ListAnchor | undefined;
}

export type RowPlace = 'start' | 'center' | 'nearest';

/** How much is drawn beyond the visible part, on each side, in pixels. */
const OVER = 400;
/** A position this close to the end counts as the end, in pixels. */
const NEAR_END = 8;
/** A row of which less is seen, in pixels, does not count as in sight. */
const EDGE = 24;
/** The assumed height of the list until it is measured, in pixels. */
const FIRST_HEIGHT = 900;

/** The scrolling of one list. */
export class ListScroller {
  readonly layout: ListLayout;
  range: RowRange = { first: 0, end: 0 };
  follow: Signal<boolean> | undefined;
  /** The rows in sight, without those that are drawn around them. */
  visible: Signal<RowRange> | undefined;
  readonly #memory: ListMemory;
  readonly #redraw: () => void;
  #box: HTMLElement | undefined;
  #rows: ListRows = { count: 0, keyAt: () => 0 };
  /** The position that the rows are drawn for. It may be ahead of the browser's. */
  #top = 0;
  /** The last known scroll position. Reading it from the browser would force a layout. */
  #seenTop = 0;
  #height = FIRST_HEIGHT;
  #anchor: ListAnchor | undefined;
  #isAtEnd = false;
  /** The frame after a jump, which draws what is beyond the visible part. */
  #afterJump = 0;
  /** The position to scroll to once the rows are drawn. */
  #wanted: number | undefined;
  #goal: { index: number; at: RowPlace; isFocused: boolean } | undefined;
  #watcher: ResizeObserver | undefined;
  #watched = new Set<Element>();

  constructor(estimate: number, memory: ListMemory, redraw: () => void) {
    this.layout = memory.layout ??= new ListLayout(estimate);
    this.#memory = memory;
    this.#anchor = memory.anchor;
    this.#redraw = redraw;
  }

  attach(box: HTMLElement): () => void {
    this.#box = box;
    this.#watcher = new ResizeObserver((entries) => this.#resized(entries));
    this.#watcher.observe(box);
    return () => {
      this.#watcher?.disconnect();
      this.#watched.clear();
      cancelAnimationFrame(this.#afterJump);
      this.#memory.anchor = this.#anchor;
      this.#box = undefined;
    };
  }

  /** Takes the rows, before they are drawn. */
  sync(rows: ListRows): void {
    this.#rows = rows;
    const place = this.layout.sync(rows, this.#anchor);
    if (this.#anchor && place !== undefined) {
      this.#anchor = { ...this.#anchor, index: place };
      this.#wanted = this.layout.heights.offsetOf(place) + this.#anchor.past;
      this.#top = this.#wanted;
    }
    const end = Math.max(0, this.layout.heights.total - this.#height);
    this.#top = this.follow?.peek() === true ? end : Math.min(this.#top, end);
    if (this.#goal) this.#top = this.#topOfGoal(this.#goal);
    this.range = this.layout.range(this.#top, this.#height, this.#over());
  }

  /** Corrects the scroll position, after the rows were drawn and before the browser paints them. */
  drawn(): void {
    const box = this.#box;
    if (!box) return;
    this.#watchRows(box);
    if (this.#goal) this.#approach(box, this.#goal);
    else if (this.follow?.peek() === true) this.#scrollTo(box, box.scrollHeight);
    else if (this.#wanted !== undefined && Math.abs(this.#wanted - this.#seenTop) >= 1)
      this.#scrollTo(box, this.#wanted);
    this.#wanted = undefined;
    this.#tellVisible();
  }

  /** Handles a scroll event, caused by the reader, by `#scrollTo`, or by the browser because rows were removed. */
  scrolled(): void {
    const box = this.#box;
    if (!box || box.scrollTop === this.#seenTop) return;
    const isUp = box.scrollTop < this.#seenTop;
    const isJump = Math.abs(box.scrollTop - this.#seenTop) > this.#height + OVER;
    // If rows were removed, the browser itself scrolls to the position that `sync` expects. The list then follows as before.
    const isWished = box.scrollTop !== this.#top;
    this.#note(box);
    if (this.follow && isWished) {
      if (this.#isAtEnd) this.follow.value = true;
      else if (isUp) this.follow.value = false;
    }
    if (isJump) this.#drawRestLater();
    const range = this.layout.range(this.#top, this.#height, this.#over());
    if (range.first !== this.range.first || range.end !== this.range.end) this.#redraw();
  }

  /** How much is drawn beyond the visible part. After a jump, no drawn row is kept, and the visible ones come first. */
  #over(): number {
    return this.#afterJump === 0 ? OVER : 0;
  }

  #drawRestLater(): void {
    cancelAnimationFrame(this.#afterJump);
    // The second frame from now: the first one is that of the jump itself.
    this.#afterJump = requestAnimationFrame(() => {
      this.#afterJump = requestAnimationFrame(() => {
        this.#afterJump = 0;
        this.#redraw();
      });
    });
  }

  /** Gives up the scroll target, because the reader may be scrolling. */
  interrupt(): void {
    this.#goal = undefined;
  }

  goTo(index: number, at: RowPlace, isFocused: boolean): void {
    if (index < 0 || index >= this.layout.heights.count) return;
    this.#goal = { index, at, isFocused };
    if (this.follow && index < this.layout.heights.count - 1) this.follow.value = false;
    this.#redraw();
  }

  goToEnd(): void {
    if (this.follow) this.follow.value = true;
    this.goTo(this.layout.heights.count - 1, 'nearest', false);
  }

  #resized(entries: readonly ResizeObserverEntry[]): void {
    const box = this.#box;
    if (!box) return;
    let moved = 0;
    let isChanged = false;
    for (const { target } of entries) {
      if (target === box) {
        isChanged ||= box.clientHeight !== this.#height;
        this.#height = box.clientHeight || FIRST_HEIGHT;
        continue;
      }
      const index = Number((target as HTMLElement).dataset['index']);
      if (!target.isConnected || index >= this.#rows.count) continue;
      const grown = this.layout.measure(
        index,
        this.#rows.keyAt(index),
        target.getBoundingClientRect().height,
      );
      isChanged ||= grown !== 0;
      if (this.#anchor && index < this.#anchor.index) moved += grown;
    }
    if (!isChanged && !this.#goal) return;
    if (this.#isAtEnd) this.#wanted = this.layout.heights.total;
    else if (moved !== 0) this.#wanted = this.#seenTop + moved;
    this.#redraw();
  }

  #watchRows(box: HTMLElement): void {
    const present = new Set<Element>(box.querySelectorAll(':scope > div > div > [data-index]'));
    for (const row of this.#watched) if (!present.has(row)) this.#watcher?.unobserve(row);
    for (const row of present) if (!this.#watched.has(row)) this.#watcher?.observe(row);
    this.#watched = present;
  }

  #topOfGoal({ index, at }: { index: number; at: RowPlace }): number {
    const end = Math.max(0, this.layout.heights.total - this.#height);
    const top = this.layout.scrollTopFor(index, at, { scrollTop: this.#top, height: this.#height });
    return Math.min(top, end);
  }

  /** Scrolls towards a row. Each drawing repeats this until all drawn rows are measured: until then, heights are estimates. */
  #approach(box: HTMLElement, goal: { index: number; at: RowPlace; isFocused: boolean }): void {
    this.#scrollTo(box, this.#topOfGoal(goal));
    const row = box.querySelector<HTMLElement>(`[data-index="${goal.index}"]`);
    if (row && goal.isFocused && document.activeElement !== row) row.focus({ preventScroll: true });
    for (let index = this.range.first; index < this.range.end; index += 1)
      if (!this.layout.isMeasured(this.#rows.keyAt(index))) return;
    this.#goal = undefined;
  }

  #scrollTo(box: HTMLElement, top: number): void {
    box.scrollTop = top;
    this.#note(box);
  }

  #note(box: HTMLElement): void {
    this.#top = box.scrollTop;
    this.#seenTop = this.#top;
    this.#isAtEnd = box.scrollHeight - box.clientHeight - box.scrollTop <= NEAR_END;
    this.#anchor = this.layout.anchorAt(this.#top);
    this.#tellVisible();
  }

  #tellVisible(): void {
    if (!this.visible) return;
    const { heights } = this.layout;
    const first = heights.indexAt(this.#top + EDGE);
    const end = heights.indexAt(Math.max(this.#top, this.#top + this.#height - EDGE)) + 1;
    const known = this.visible.peek();
    if (known.first !== first || known.end !== end) this.visible.value = { first, end };
  }
}
