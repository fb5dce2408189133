// The lines of the wire view under one filter. The list grows with the ledger; a new filter needs a new list.
import type { TimelineLayer } from '@inboard/core/record/trace/timeline/frame-description.js';
import { describeRun } from './wire-runs.js';
import type { WireLedger } from './wire-ledger.js';
import type { WireEntry, WireRow, WireRun } from './wire-row.js';

/** Which rows are shown. */
export interface WireFilter {
  /** The layers that are not shown. */
  hiddenLayers: ReadonlySet<TimelineLayer>;
  direction: 'both' | 'in' | 'out';
  errorsOnly: boolean;
  /** A text that the name or the summary of a row must contain, in upper or lower case. An empty text matches everything. */
  text: string;
  /** The numbers of events whose whole lines contain the text; undefined if the whole lines were not searched. */
  found: ReadonlySet<number> | undefined;
  /** Shows only rows of this call. */
  call: string | undefined;
  /** Whether pieces are folded into runs. */
  folds: boolean;
  /** The runs that are unfolded nevertheless, by their numbers. */
  open: ReadonlySet<number>;
}

/** Shows everything, with runs folded. */
export const NO_WIRE_FILTER: WireFilter = {
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
  /** Finds the text. A pattern makes no copy of each row in lower case, of which a long session has hundreds of thousands. */
  readonly #text: RegExp | undefined;
  #read = 0;
  /** The run that was searched last and did not match. */
  #passed: WireRun | undefined;

  constructor(ledger: WireLedger, filter: WireFilter) {
    this.#ledger = ledger;
    this.#filter = filter;
    const literal = filter.text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    this.#text = literal === '' ? undefined : new RegExp(literal, 'iu');
  }

  /** Takes the rows that the ledger got since the last call. */
  update(): this {
    const { rows } = this.#ledger;
    this.#passed = undefined;
    for (; this.#read < rows.length; this.#read += 1) this.#take(rows[this.#read] as WireRow);
    return this;
  }

  /** The index of the line that shows an event; -1 if none does. */
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

  /** Whether the description of a run matches, because a match may span several pieces. An update searches each run once. */
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
    return this.#text === undefined || this.#text.test(text);
  }
}
