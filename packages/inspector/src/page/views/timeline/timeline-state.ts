// The state of the timeline: the visible part of the axis, whether idle time is folded, and the chosen bar. Other files draw
// the timeline.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { makeFoldedAxis, type Axis } from '../../../model/time/axis.js';
import { FoldedTime, findLongIdle } from '../../../model/time/folded-time.js';
import { stepFrom, type Placed } from '../../../model/time/span-steps.js';
import type { TimeLedger } from '../../../model/time/time-ledger.js';
import { layOutRows, type TimeRow } from '../../../model/time/timeline-rows.js';
import { endOf } from '../../../model/time/time-span.js';
import type { TimeWindow } from '../../../model/time/visible-bars.js';

/** A part of the axis. With `isAtEnd`, it stays at the end while the session continues. */
interface Range {
  from: number;
  to: number;
  isAtEnd: boolean;
}

/** The bar that a pointer or the keys have chosen. */
export interface Pointed extends Placed {
  /** How many spans the bar stands for. */
  count: number;
  /** The turn whose narrow spans the bar joins. */
  turn?: number | undefined;
  by: 'pointer' | 'keys';
}

const LEAST_MS = 0.05;

/** The state of one timeline. */
export class TimelineState {
  readonly ledger: TimeLedger;
  readonly #range = signal<Range | undefined>(undefined);
  readonly isFolded = signal(false);
  readonly pointed = signal<Pointed | undefined>(undefined);
  /** The width of the lanes alone, in CSS pixels. */
  readonly width = signal(0);
  /** The end of the session so far: its last event, or later while it works. */
  readonly now: Signal<number>;
  /** Grows with the session's events. */
  readonly revision: ReadonlySignal<number>;
  /** Whether there is little room: labels are then above their bars, and the names of rows have no column. */
  readonly isNarrow = signal(false);
  readonly rows: ReadonlySignal<TimeRow[]> = computed(() => {
    void this.revision.value;
    const heights = this.isNarrow.value ? { head: 30, lane: 48 } : { head: 34, lane: 30 };
    return layOutRows(this.ledger.groups, heights);
  });
  readonly time = computed(() => {
    void this.revision.value;
    return new FoldedTime(
      Math.max(this.now.value, LEAST_MS),
      this.isFolded.value ? findLongIdle(this.ledger.stretches) : [],
    );
  });
  readonly window: ReadonlySignal<TimeWindow> = computed(() => {
    const time = this.time.value;
    const { from, to } = placeRange(this.#range.value, time.length);
    return { time, from, to, width: Math.max(1, this.width.value), now: this.now.value };
  });
  /** The axis of the window. The labels of the bars use its unit. */
  readonly axis: ReadonlySignal<Axis> = computed(() => {
    const { time, from, to, width } = this.window.value;
    return makeFoldedAxis(time, { from, to }, Math.max(2, Math.floor(width / 80)));
  });
  readonly isWhole = computed(() => this.#range.value === undefined);

  constructor(ledger: TimeLedger, revision: ReadonlySignal<number>) {
    this.ledger = ledger;
    this.revision = revision;
    this.now = signal(ledger.durationMs);
  }

  /** Multiplies the length of the window by a factor. The point `at` stays in place: 0 is the left edge, 1 the right. */
  zoom(factor: number, at = 0.5): void {
    const { from, to } = this.window.value;
    const length = Math.max(LEAST_MS, (to - from) * factor);
    this.#show(from + (to - from) * at - length * at, length);
  }

  /** Moves the window by a part of its length. */
  pan(by: number): void {
    const { from, to } = this.window.value;
    this.#show(from + (to - from) * by, to - from);
  }

  /** Shows the part between two places of the axis. */
  show(from: number, to: number): void {
    this.#show(from, to - from);
  }

  /** Shows a span of time with room on both sides. */
  showTime(start: number, end: number): void {
    const { time } = this.window.value;
    const [from, to] = [time.toPlace(start), time.toPlace(end)];
    const room = Math.max((to - from) * 0.25, LEAST_MS);
    this.#show(from - room, to - from + 2 * room);
  }

  fit(): void {
    this.#range.value = undefined;
  }

  fold(): void {
    this.isFolded.value = !this.isFolded.value;
    this.fit();
  }

  /** Chooses the next or the previous bar, and brings it into the window. */
  step(direction: 1 | -1): void {
    const from = this.pointed.value?.span;
    const next = stepFrom(this.rows.value, from, direction);
    if (!next) return;
    this.pointed.value = { ...next, count: 1, by: 'keys' };
    const { time, from: left, to: right, now } = this.window.value;
    const [start, end] = [time.toPlace(next.span.start), time.toPlace(endOf(next.span, now))];
    if (start < left || end > right) this.#show((start + end) / 2 - (right - left) / 2, right - left);
  }

  #show(from: number, length: number): void {
    const whole = this.time.value.length;
    if (length >= whole) {
      this.#range.value = undefined;
      return;
    }
    const start = Math.min(Math.max(0, from), whole - length);
    this.#range.value = { from: start, to: start + length, isAtEnd: start + length >= whole * (1 - 1e-9) };
  }
}

function placeRange(range: Range | undefined, length: number): { from: number; to: number } {
  if (!range) return { from: 0, to: length };
  const { from, to, isAtEnd } = range;
  return isAtEnd
    ? { from: Math.max(0, length - (to - from)), to: length }
    : { from, to: Math.max(to, from + LEAST_MS) };
}
