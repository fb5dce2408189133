// The reader's place in a story: open items, the chosen item, the scroll position. It is kept while another view is shown.
import { signal, type Signal } from '@preact/signals';
import type { SessionModel } from '../../../model/session-model.js';
import { listRows, searchRows } from '../../../model/story/story-rows.js';
import type { StoryItem } from '../../../model/story/story-item.js';
import type { RowRange } from '../../components/list-layout.js';
import type { ListMemory, RowPlace } from '../../components/list-scroller.js';

/** One reader's place in one story. */
export interface StoryPlace {
  /** The keys of items that are unfolded, and of subagents that are folded. */
  open: Signal<ReadonlySet<string>>;
  folded: Signal<ReadonlySet<string>>;
  active: Signal<number | undefined>;
  /** A row that another view asked for, until the story scrolls to it. */
  wanted: Signal<number | undefined>;
  follow: Signal<boolean>;
  /** How many items there were when the reader stopped following. */
  seen: Signal<number>;
  query: Signal<string>;
  /** The rows that are in sight. */
  visible: Signal<RowRange>;
  memory: ListMemory;
  /** The rows, rebuilt only when an item was added or folded. */
  rows: () => readonly StoryItem[];
  /** The indexes of the rows that match the search. */
  matches: () => readonly number[];
}

/** Chooses a row and scrolls to it. `at` says where in the window the row appears. */
export type GoTo = (index: number | undefined, at?: RowPlace) => void;

const places = new WeakMap<SessionModel, StoryPlace>();

/** The place in a story: at first the end of a running one, or the beginning of one that is over. */
export function placeOf(model: SessionModel, isLive: boolean): StoryPlace {
  const known = places.get(model);
  if (known) return known;
  const folded = signal<ReadonlySet<string>>(new Set());
  const query = signal('');
  const rows = remember(
    () => [model.story.additions, folded.value],
    () => listRows(model.story.items, ({ key }) => folded.value.has(key)),
  );
  const place: StoryPlace = {
    open: signal<ReadonlySet<string>>(new Set()),
    folded,
    active: signal(undefined),
    wanted: signal(undefined),
    follow: signal(isLive),
    seen: signal(0),
    query,
    visible: signal({ first: 0, end: 0 }),
    memory: {},
    rows,
    matches: remember(
      () => [rows(), query.value],
      () => searchRows(rows(), query.value),
    ),
  };
  places.set(model, place);
  return place;
}

/** Adds a key to a set, or removes it. */
export function toggle(set: Signal<ReadonlySet<string>>, key: string): void {
  const next = new Set(set.value);
  if (!next.delete(key)) next.add(key);
  set.value = next;
}

/** Gives the value of `make`, and computes it again only when a value in `listParts` has changed. */
export function remember<Value>(listParts: () => readonly unknown[], make: () => Value): () => Value {
  let parts: readonly unknown[] | undefined;
  let value: Value;
  return () => {
    const now = listParts();
    if (!parts || now.some((part, index) => part !== parts?.[index])) {
      parts = now;
      value = make();
    }
    return value;
  };
}
