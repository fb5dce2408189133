// The list of sessions: totals, filters, and a row for each session. Open questions are cards beside it.
import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { countTokens, sumSessions } from '../../../model/fleet/fleet-totals.js';
import { filterSessions, NO_SESSION_FILTER } from '../../../model/fleet/session-filter.js';
import { formatCountOf, formatCount, formatMoney } from '../../../model/format.js';
import type { SessionSummary } from '../../../model/session-summary.js';
import { Button } from '../../components/button.js';
import { Empty } from '../../components/empty.js';
import { ShareBar } from '../../components/share-bar.js';
import { useKeys } from '../../components/use-keys.js';
import { defineKeys } from '../../store/keys.js';
import type { Store } from '../../store/store.js';
import { ClusterHead } from './cluster-head.js';
import { CompareBar } from './compare-bar.js';
import { FleetFilter } from './fleet-filter.js';
import { compareMarked, fleetStateOf, ROWS_AT_ONCE, toggleMark } from './fleet-state.js';
import { useHeldOrder } from './held-order.js';
import { ColumnNames, SessionRow } from './session-row.js';
import { toolNamesOf } from './tool-names.js';

const KEYS = defineKeys('Fleet', {
  next: { keys: ['ArrowDown', 'j'], says: 'Next session' },
  previous: { keys: ['ArrowUp', 'k'], says: 'Previous session' },
  search: { keys: ['/'], says: 'Search the sessions' },
  mark: { keys: ['c'], says: 'Mark the session for comparing' },
  compare: { keys: ['C'], says: 'Compare the two marked sessions' },
});

export function FleetList({ store }: { store: Store }) {
  const box = useRef<HTMLDivElement>(null);
  const state = fleetStateOf(store);
  const held = useHeldOrder();
  const rows = useComputed(() => {
    const found = filterSessions(store.sessions.value, state.filter.value, (id) => toolNamesOf(store, id));
    return held.sort(found, state.order.value);
  });
  const news = useNews(store);
  useKeys(KEYS, {
    next: () => moveFocus(box.current, 1),
    previous: () => moveFocus(box.current, -1),
    search: () => box.current?.querySelector<HTMLElement>('input[type=search]')?.focus(),
    mark: () => {
      const id = focusedRow(box.current)?.dataset['session'];
      if (id !== undefined) toggleMark(state, id);
    },
    compare: () => {
      compareMarked(store);
    },
  });

  if (store.sessions.value.length === 0) return <NoSessions store={store} />;
  const shown = rows.value.slice(0, state.shown.value);
  return (
    <div class="fleet" ref={box}>
      <div class="view-scroll">
        <div class="fleet-inner">
          <ClusterHead store={store} />
          <FleetTotals store={store} sessions={rows.value} total={store.sessions.value.length} />
          <FleetFilter store={store} />
          <p class="off-screen" role="status">
            {news}
          </p>
          {shown.length === 0 ? (
            <NothingFound onClear={() => (state.filter.value = NO_SESSION_FILTER)} />
          ) : (
            <div class="fleet-rows">
              <ColumnNames />
              <ul aria-label="Sessions" {...held.attributes}>
                {shown.map((session) => (
                  <SessionRow key={session.id} store={store} session={session} />
                ))}
              </ul>
            </div>
          )}
          {rows.value.length > shown.length && (
            <Button onClick={() => (state.shown.value += ROWS_AT_ONCE)}>
              {`Show ${formatCountOf(Math.min(ROWS_AT_ONCE, rows.value.length - shown.length), 'more session')}`}
            </Button>
          )}
        </div>
      </div>
      <CompareBar store={store} />
    </div>
  );
}

/** The sums of all sessions that pass the filter. */
function FleetTotals({
  store,
  sessions,
  total,
}: {
  store: Store;
  sessions: readonly SessionSummary[];
  total: number;
}) {
  const sums = sumSessions(sessions.map((session) => store.clock.summaryNow(session)));
  const unread = sessions.filter(({ read }) => read !== undefined).length;
  const title =
    sessions.length === total
      ? formatCountOf(total, 'session')
      : `${sessions.length} of ${formatCountOf(total, 'session')}`;
  return (
    <header class="fleet-head">
      <h2>{title}</h2>
      <p class="fleet-sums soft number">
        {unread > 0 && <span>{`${formatCountOf(unread, 'session')} still being read`}</span>}
        {sums.errors > 0 && <span class="fleet-sum-errors">{formatCountOf(sums.errors, 'error')}</span>}
        <span>{formatCountOf(sums.turns, 'turn')}</span>
        {countTokens(sums.tokens) > 0 && <span>{`${formatCount(countTokens(sums.tokens))} tokens`}</span>}
        {sums.costUsd !== undefined && <span>{formatMoney(sums.costUsd)}</span>}
      </p>
      <ShareBar shares={sums.shares} />
    </header>
  );
}

/** Is shown while there is no session, and says how to get one. */
function NoSessions({ store }: { store: Store }) {
  const isLive = store.state.value?.kind === 'live';
  if (store.state.value?.cluster)
    return (
      <div class="view-scroll">
        <div class="fleet-inner">
          <ClusterHead store={store} />
        </div>
        <Empty icon="fleet" title="No conversation yet">
          <p>Conversations of the cluster appear here with their first message.</p>
        </Empty>
      </div>
    );
  return (
    <div class="view-scroll">
      {isLive ? (
        <Empty icon="fleet" title="No session yet">
          <p>Queries and conversations of this process appear here as they are started.</p>
        </Empty>
      ) : (
        <Empty icon="fleet" title="No recordings here">
          <p>Record a run, and it appears here:</p>
          <pre>inboard run tools.mjs "…" --trace=run.jsonl</pre>
        </Empty>
      )}
    </div>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <Empty icon="search" title="No session matches">
      <p>
        Search looks at titles, prompts, answers, models, folders, and the tools of sessions that were opened.
      </p>
      <p class="fleet-clear">
        <Button onClick={onClear}>Show all sessions</Button>
      </p>
    </Empty>
  );
}

/** A sentence for screen readers about the sessions whose rows are marked as new. */
function useNews(store: Store): string {
  const { seen } = fleetStateOf(store);
  const sessions = store.sessions.value;
  useEffect(() => {
    if (seen.peek() === undefined && sessions.length > 0) seen.value = new Set(sessions.map(({ id }) => id));
  }, [sessions, seen]);
  const known = seen.value;
  if (known === undefined) return '';
  const fresh = sessions.filter(({ id }) => !known.has(id));
  return fresh.length === 0 ? '' : `${formatCountOf(fresh.length, 'new session')}: ${fresh.at(-1)?.title}`;
}

const ROW = '.fleet-row';

function focusedRow(box: HTMLElement | null): HTMLElement | undefined {
  const row = document.activeElement?.closest<HTMLElement>(ROW);
  return row && box?.contains(row) ? row : undefined;
}

/** Moves the focus to the row before or after the focused one; to the first if none has the focus. */
function moveFocus(box: HTMLElement | null, step: number): void {
  const rows = [...(box?.querySelectorAll<HTMLElement>(ROW) ?? [])];
  const row = focusedRow(box);
  const at = row ? rows.indexOf(row) + step : 0;
  rows[Math.max(0, Math.min(rows.length - 1, at))]?.querySelector<HTMLElement>('.fleet-open')?.focus();
}
