// The lines of the wire view under a filter. Grows with the ledger; a new filter makes a new list.
import type { TimelineLayer } from '@inboard/core/record/trace/timeline/frame-description.js';
import { describeRun } from './wire-runs.js';
import type { WireLedger } from './wire-ledger.js';
import type { WireEntry, WireRow, WireRun } from './wire-row.js';

/** What is shown. */
export interface WireFilter {
  /** Layers that are left out. */
  hiddenLayers: ReadonlySet<TimelineLayer>;
  direction: 'both' | 'in' | 'out';
  errorsOnly: boolean;
  /** Found in names and summaries, whatever its case; empty finds everything. */
  text: string;
  /** Numbers of events whose whole lines have the text; undefined where those were not searched. */
  found: ReadonlySet<number> | undefined;
  /** Rows of this call only. */
  call: string | undefined;
  /** Whether pieces are folded into runs. */
  folds: boolean;
  /** Runs that are open all the same, by their numbers. */
  open: ReadonlySet<number>;
}

/** Everything, folded. */
export const NO_FILTER: WireFilter = {
  hiddenLayers: new Set(),
  direction: 'both',
  errorsOnly: false,
  text: '',
  found: undefined,
  call: undefined,
  folds: true,
  open: new Set(),
};

/** The lines of one ledger under one filter. */
export class WireList {
  readonly entries: WireEntry[] = [];
  readonly #ledger: WireLedger;
  readonly #filter: WireFilter;
  readonly #text: string;
  #read = 0;
  /** The run that was looked into last, and has not what is looked for. */
  #passed: WireRun | undefined;

  constructor(ledger: WireLedger, filter: WireFilter) {
    this.#ledger = ledger;
    this.#filter = filter;
    this.#text = filter.text.toLowerCase();
  }

  /** Takes what the ledger got since. */
  update(): this {
    const { rows } = this.#ledger;
    this.#passed = undefined;
    for (; this.#read < rows.length; this.#read += 1) this.#take(rows[this.#read] as WireRow);
    return this;
  }

  /** Where the line of an event is; -1 where it is not shown. */
  indexOf(n: number): number {
    const run = this.#ledger.at(n)?.run;
    const shown = run && this.#isFolded(run) ? run.n : n;
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.entries[middle] as WireEntry;
      if (entry.n < shown || (entry.n === shown && entry.kind === 'run' && !this.#isFolded(entry)))
        low = middle + 1;
      else high = middle;
    }
    return this.entries[low]?.n === shown ? low : -1;
  }

  #take(row: WireRow): void {
    const { run } = row;
    if (!run || !this.#filter.folds) {
      if (this.#fitsRest(row) && this.#fitsText(row)) this.entries.push(row);
      return;
    }
    const last = this.entries.at(-1);
    const isListed = last === run || (last?.kind === 'row' && last.run === run);
    if (!isListed) {
      if (!this.#fitsRest(row) || !(this.#fitsText(row) || this.#fitsRun(run))) return;
      this.entries.push(run);
    }
    if (!this.#isFolded(run)) this.entries.push(row);
  }

  /** A text may go from one piece into the next. Once for all pieces that came together: they are described as one. */
  #fitsRun(run: WireRun): boolean {
    if (this.#passed === run) return false;
    this.#passed = run;
    return this.#matches(describeRun(run));
  }

  #isFolded(run: WireRun): boolean {
    return this.#filter.folds && !this.#filter.open.has(run.n);
  }

  #fitsRest({ layer, direction, isError, ids }: WireRow): boolean {
    const filter = this.#filter;
    return (
      !filter.hiddenLayers.has(layer) &&
      (filter.direction === 'both' || filter.direction === direction) &&
      (!filter.errorsOnly || isError) &&
      (filter.call === undefined || ids.includes(filter.call))
    );
  }

  #fitsText({ n, event, summary }: WireRow): boolean {
    return this.#filter.found?.has(n) === true || this.#matches(event) || this.#matches(summary);
  }

  #matches(text: string): boolean {
    return this.#text === '' || text.toLowerCase().includes(this.#text);
  }
}
