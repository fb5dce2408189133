// The view "wire": every event of all layers in order, as a sequence between the program and the CLI.
import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { WireFilter } from '../../../model/wire/wire-list.js';
import { spanOfEntry } from '../../../model/wire/wire-order.js';
import type { WireEntry, WireRow, WireRun } from '../../../model/wire/wire-row.js';
import { Empty } from '../../components/empty.js';
import { useKeys } from '../../components/use-keys.js';
import { VirtualList, type ListHandle } from '../../components/virtual-list.js';
import { defineKeys } from '../../store/keys.js';
import type { LoadedSession, Store } from '../../store/store.js';
import { placeBars } from './place-bars.js';
import { searchLines } from './search-lines.js';
import { WireBar } from './wire-bar.js';
import { WireHead } from './wire-head.js';
import { WireLine } from './wire-row.js';
import { setFilter, toggled, wireStateOf, type WireState } from './wire-state.js';

const KEYS = defineKeys('Wire', {
  next: { keys: ['j'], says: 'Next row' },
  previous: { keys: ['k'], says: 'Previous row' },
  open: { keys: ['Enter'], says: 'Show the exact line' },
  search: { keys: ['/'], says: 'Search' },
  fold: { keys: ['f'], says: 'Fold or unfold streamed pieces' },
  unfold: { keys: ['ArrowRight'], says: 'Open the pieces of this row' },
  close: { keys: ['ArrowLeft'], says: 'Close them' },
  error: { keys: ['e'], says: 'Next error' },
  reply: { keys: ['r'], says: 'From a request to its reply, and back' },
});

/** The approximate height of a row if there is room for arrows, in pixels. */
const ROW_HEIGHT = 34;

export function WireView({ store }: { store: Store }) {
  const session = store.current.value;
  if (!session) return null;
  return <SessionWire store={store} session={session} />;
}

function SessionWire({ store, session }: { store: Store; session: LoadedSession }) {
  const state = wireStateOf(session);
  const { wire } = session.model;
  const lines = state.lines.value;
  const { entries } = lines;
  const revision = session.revision.value;
  const field = useRef<HTMLInputElement>(null);
  const handle = useRef<ListHandle | undefined>(undefined);
  const box = useRef<HTMLElement>(null);
  const chosen = chosenIn(store, session, state);
  const active = chosen === undefined ? -1 : lines.indexOf(chosen);
  const chosenRow = chosen === undefined ? undefined : wire.at(chosen);
  const kin = new Set(chosenRow && wire.kinOf(chosenRow));

  const choose = (index: number, opens = false): void => {
    const entry = entries[index];
    if (!entry) return;
    state.chosen.value = entry.n;
    if (opens || store.shownEvent.value) store.shownEvent.value = { session: session.model.id, n: entry.n };
  };
  const move = (by: number): void => {
    const index = step(entries, state.filter.value, active, by);
    choose(index);
    handle.current?.focusIndex(index);
  };
  const toggle = (run: WireRun | undefined, isOpen?: boolean): void => {
    const { open, folds } = state.filter.value;
    if (!run || !folds || open.has(run.n) === isOpen) return;
    setFilter(state, { open: toggled(open, run.n) });
  };
  const jump = (row: WireEntry | undefined): void => {
    const other = row?.kind === 'row' ? (row.answers ?? row.answeredBy) : undefined;
    const index = other === undefined ? -1 : lines.indexOf(other);
    if (index < 0) return;
    choose(index);
    handle.current?.focusIndex(index, 'center');
  };
  useLayoutEffect(
    () =>
      effect(() => {
        if (box.current) placeBars(box.current, state.range.value);
      }),
    [state],
  );
  // A line that was there before may have got its reply.
  useLayoutEffect(() => {
    if (box.current) placeBars(box.current, state.range.peek());
  }, [revision, state]);
  const runHere = (): WireRun | undefined => runOf(entries[active]);

  useKeys(KEYS, {
    next: () => move(1),
    previous: () => move(-1),
    open: () => choose(active, true),
    search: () => field.current?.focus(),
    fold: () => setFilter(state, { folds: !state.filter.value.folds, open: new Set() }),
    unfold: () => toggle(runHere(), true),
    close: () => toggle(runHere(), false),
    error: () => {
      const index = nextError(entries, active);
      if (index < 0) return;
      choose(index, true);
      handle.current?.focusIndex(index);
    },
    reply: () => jump(entries[active]),
  });

  return (
    <section ref={box} class="view view-wire" aria-label="Wire">
      <WireBar
        state={state}
        total={wire.rows.length}
        field={field}
        onSearchLines={() => beginSearch(store, session.model.id, state)}
      />
      <WireHead state={state} />
      {entries.length === 0 ? (
        <Nothing hasEvents={wire.rows.length > 0} />
      ) : (
        <VirtualList
          label="Events on the wire"
          class="wire-list"
          count={entries.length}
          revision={revision}
          keyAt={(index) => keyOf(entries[index])}
          estimate={ROW_HEIGHT}
          memory={state.memory}
          visible={state.visible}
          follow={state.sort.value.by === 'time' && !state.sort.value.isDown ? state.follow : undefined}
          handle={handle}
          active={active < 0 ? undefined : active}
          onMove={(index) => choose(index)}
          onOpen={(index) => choose(index, true)}
          rowClass={(index) => classOf(entries[index], kin)}
          renderRow={(index) => {
            const entry = entries[index];
            return (
              entry && (
                <div class="wire-hit" onClick={() => choose(index, true)}>
                  <WireLine
                    entry={entry}
                    span={spanOfEntry(entry, (n) => wire.at(n))}
                    placeBar={state.placeBar}
                    hasFailed={entry.kind === 'row' && wire.at(entry.answeredBy ?? -1)?.isError === true}
                    onJump={() => jump(entry)}
                    isOpen={entry.kind === 'run' && state.filter.value.open.has(entry.n)}
                    onToggle={toggle}
                  />
                </div>
              )
            );
          }}
        />
      )}
    </section>
  );
}

/** The number of the chosen row. The event that is shown exactly counts as chosen. */
function chosenIn(store: Store, { model }: LoadedSession, state: WireState): number | undefined {
  const shown = store.shownEvent.value;
  return shown?.session === model.id ? shown.n : state.chosen.value;
}

/** The key of a line. The head of an open run and its first row have the same number, so the keys must differ. */
function keyOf(entry: WireEntry | undefined): string | number {
  return entry?.kind === 'run' ? `run ${entry.n}` : (entry?.n ?? 0);
}

function runOf(entry: WireEntry | undefined): WireRun | undefined {
  return entry?.kind === 'run' ? entry : entry?.run;
}

function classOf(entry: WireEntry | undefined, kin: ReadonlySet<WireRow>): string | undefined {
  return entry?.kind === 'row' && kin.size > 1 && kin.has(entry) ? 'wire-kin' : undefined;
}

/** The index of the next line up or down. Moving up skips the head of an open run, whose number is that of its first piece. */
function step(entries: readonly WireEntry[], { open }: WireFilter, active: number, by: number): number {
  const at = Math.max(0, Math.min(entries.length - 1, active + by));
  const entry = entries[at];
  const isOpenHead = entry?.kind === 'run' && open.has(entry.n);
  return isOpenHead && by < 0 && at > 0 ? at - 1 : at;
}

function nextError(entries: readonly WireEntry[], active: number): number {
  const isError = (entry: WireEntry): boolean => entry.kind === 'row' && entry.isError;
  const after = entries.findIndex((entry, index) => index > active && isError(entry));
  return after < 0 ? entries.findIndex(isError) : after;
}

function beginSearch({ source }: Store, session: string, state: WireState): void {
  const { text } = state.filter.value;
  const isOver = (): boolean => state.filter.value.text !== text;
  state.search.value = { text, part: 0, found: 0, state: 'running' };
  searchLines({
    source,
    session,
    text,
    isOver,
    onProgress: (found, part) => {
      // A new filter rebuilds the list, so it is set only if the matches have changed.
      if (found.size !== state.filter.value.found?.size) setFilter(state, { found: new Set(found) });
      state.search.value = { text, part, found: found.size, state: part === 1 ? 'done' : 'running' };
    },
  }).catch(() => {
    if (!isOver()) state.search.value = { text, part: 0, found: 0, state: 'failed' };
  });
}

function Nothing({ hasEvents }: { hasEvents: boolean }) {
  return hasEvents ? (
    <Empty icon="filter" title="Nothing matches the filter">
      Clear the search, or show more layers.
    </Empty>
  ) : (
    <Empty icon="wire" title="Nothing has passed yet">
      Each message between your program and the CLI shows here as it passes.
    </Empty>
  );
}
