// The state of the wire view for a session: the filter, the chosen row, the scroll position. It is kept while the page is
// open, so that switching to another view and back changes nothing.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { SessionModel } from '../../../model/session-model.js';
import { NO_WIRE_FILTER, WireList, type WireFilter } from '../../../model/wire/wire-list.js';
import type { ListMemory } from '../../components/list-scroller.js';
import type { LoadedSession } from '../../store/store.js';

/** The state of the view for one session. */
export interface WireState {
  filter: Signal<WireFilter>;
  /** The lines that pass the filter; the list grows with the session. */
  list: ReadonlySignal<WireList>;
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
  state = {
    filter,
    list: computed(() => {
      // Reading the revision makes this run again when the session grows. `made` changes only with the filter.
      void revision.value;
      return made.value.update();
    }),
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

/** A copy of a set, with the value added or removed. */
export function toggled<T>(set: ReadonlySet<T>, value: T): Set<T> {
  const changed = new Set(set);
  if (!changed.delete(value)) changed.add(value);
  return changed;
}
