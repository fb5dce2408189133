// The state of the wire view for a session: the filter, the chosen row, the scroll position. It is kept while the page is
// open, so that switching to another view and back changes nothing.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { SessionModel } from '../../../model/session-model.js';
import { NO_WIRE_FILTER, WireList, type WireFilter } from '../../../model/wire/wire-list.js';
import {
  AS_PASSED,
  orderLines,
  sortedBy,
  timeInSight,
  type OrderedLines,
  type WireColumn,
  type WireSort,
} from '../../../model/wire/wire-order.js';
import type { RowRange } from '../../components/list-layout.js';
import type { ListMemory } from '../../components/list-scroller.js';
import type { LoadedSession } from '../../store/store.js';
import { placeBar } from './place-bars.js';

/** The state of the view for one session. */
export interface WireState {
  filter: Signal<WireFilter>;
  /** The lines that pass the filter; the list grows with the session. */
  list: ReadonlySignal<WireList>;
  sort: Signal<WireSort>;
  /** The lines of the list as they are sorted. */
  lines: ReadonlySignal<OrderedLines>;
  /** The lines that are in sight. */
  visible: Signal<RowRange>;
  /** The time that they cover, which is the width of the column with the bars. */
  range: ReadonlySignal<{ from: number; to: number }>;
  /** Places a bar in that time when it is drawn. */
  placeBar: (bar: HTMLElement | null) => void;
  /** The number of the chosen row. */
  chosen: Signal<number | undefined>;
  /** Whether the list stays at its end while events come. */
  follow: Signal<boolean>;
  memory: ListMemory;
  /** The progress of the search in whole lines. */
  search: Signal<SearchProgress | undefined>;
}

/** A search in whole lines, running or finished. */
export interface SearchProgress {
  text: string;
  /** From 0 to 1. */
  part: number;
  found: number;
  state: 'running' | 'done' | 'failed';
}

const states = new WeakMap<SessionModel, WireState>();

export function wireStateOf({ model, revision }: LoadedSession): WireState {
  let state = states.get(model);
  if (state) return state;
  const filter = signal(NO_WIRE_FILTER);
  const made = computed(() => new WireList(model.wire, filter.value));
  const sort = signal(AS_PASSED);
  const rowAt = (n: number): ReturnType<typeof model.wire.at> => model.wire.at(n);
  const update = (): WireList => {
    // Reading the revision makes the caller run again when the session grows. `made` changes only with the filter.
    void revision.value;
    return made.value.update();
  };
  const lines = computed(() => orderLines(update(), sort.value, rowAt));
  const visible = signal<RowRange>({ first: 0, end: 0 });
  const readRange = (): { from: number; to: number } => {
    const { entries } = lines.value;
    const { first, end } = visible.value;
    // A reply that comes later is a line further down, if lines are as they passed and there are more of them.
    const coversReplies = sort.value.by !== 'time' || end >= entries.length;
    return timeInSight({ entries, first, end }, rowAt, coversReplies);
  };
  const range = computed(readRange);
  state = {
    filter,
    list: computed(update),
    sort,
    lines,
    visible,
    range,
    placeBar: (bar) => {
      if (bar) placeBar(bar, range.peek());
    },
    chosen: signal(undefined),
    follow: signal(false),
    memory: {},
    search: signal(undefined),
  };
  states.set(model, state);
  return state;
}

/** Changes a part of the filter. A new text drops the matches in whole lines, which belong to the old text. */
export function setFilter({ filter, search }: WireState, change: Partial<WireFilter>): void {
  const isOther = change.text !== undefined && change.text !== filter.value.text;
  if (isOther) search.value = undefined;
  filter.value = { ...filter.value, ...(isOther && { found: undefined }), ...change };
}

/** Sorts by a column, or the other way round if that is so already. */
export function changeSort({ sort, follow }: WireState, column: WireColumn): void {
  sort.value = sortedBy(sort.value, column);
  follow.value = false;
}

/** A copy of a set, with the value added or removed. */
export function toggled<T>(set: ReadonlySet<T>, value: T): Set<T> {
  const changed = new Set(set);
  if (!changed.delete(value)) changed.add(value);
  return changed;
}
