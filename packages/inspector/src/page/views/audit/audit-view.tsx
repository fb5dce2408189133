// The view "audit": who did what in a cluster, and when. Newest first, a part at a time.
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../components/button.js';
import { Empty } from '../../components/empty.js';
import { Icon } from '../../components/icons.js';
import { useKeys } from '../../components/use-keys.js';
import { defineKeys } from '../../store/keys.js';
import type { Store } from '../../store/store.js';
import { AuditFilterBar } from './audit-filter-bar.js';
import { AuditRows } from './audit-rows.js';
import {
  auditStateOf,
  changeFilter,
  followAudit,
  NO_AUDIT_FILTER,
  showNewer,
  showOlder,
  type AuditState,
} from './audit-state.js';

const KEYS = defineKeys('Audit', {
  next: { keys: ['ArrowDown', 'j'], says: 'Next entry' },
  previous: { keys: ['ArrowUp', 'k'], says: 'Previous entry' },
  open: { keys: ['Enter'], says: 'Show or hide the inputs of the entry' },
  search: { keys: ['/'], says: 'Search the audit' },
  older: { keys: ['o'], says: 'Older entries' },
  newer: { keys: ['i'], says: 'Newer entries' },
});

export function AuditView({ store }: { store: Store }) {
  const box = useRef<HTMLDivElement>(null);
  const state = auditStateOf(store);
  const [filter, places] = [state.filter.value, state.places.value];
  const hasAudit = store.state.value?.hasAudit === true;
  useEffect(
    () => (hasAudit ? followAudit(store.source, state) : undefined),
    [store, state, filter, places, hasAudit],
  );
  useEffect(() => box.current?.scrollTo({ top: 0 }), [places]);
  useKeys(KEYS, {
    next: () => moveFocus(box.current, 1),
    previous: () => moveFocus(box.current, -1),
    open: () => focusedRow(box.current)?.querySelector('summary')?.click(),
    search: () => box.current?.querySelector<HTMLElement>('input[type=search]')?.focus(),
    older: () => showOlder(state),
    newer: () => showNewer(state),
  });
  return (
    <section class="view view-audit" aria-label="Audit">
      <div class="view-scroll" ref={box}>
        <div class="audit-inner">
          {hasAudit ? (
            <>
              <AuditFilterBar state={state} />
              <Shown store={store} state={state} />
            </>
          ) : (
            <Empty icon="audit" title="There is no audit here">
              <p>Only a cluster has one, if its journal keeps it.</p>
            </Empty>
          )}
        </div>
      </div>
    </section>
  );
}

function Shown({ store, state }: { store: Store; state: AuditState }) {
  const [part, trouble] = [state.part.value, state.trouble.value];
  const isFirst = state.places.value.length === 0;
  return (
    <>
      {trouble !== undefined && (
        <p class="audit-trouble tone-error" role="status">
          <Icon name="warning" />
          <span>{`The audit cannot be read: ${trouble} Trying again.`}</span>
        </p>
      )}
      {part === undefined ? (
        trouble === undefined && <Empty title="Reading…" />
      ) : part.entries.length === 0 ? (
        <Nothing state={state} isEmpty={part.newest === 0} isUnfinished={part.older !== undefined} />
      ) : (
        <AuditRows store={store} entries={part.entries} onPerson={(by) => changeFilter(state, { by })} />
      )}
      {part && (!isFirst || part.older !== undefined) && (
        <nav class="audit-pages" aria-label="Parts of the audit">
          <Button
            icon="left"
            shortcut="i"
            onClick={() => showNewer(state)}
            offBecause={isFirst ? 'These are the newest entries.' : undefined}
          >
            Newer
          </Button>
          <Button
            icon="right"
            shortcut="o"
            onClick={() => showOlder(state)}
            offBecause={part.older === undefined ? 'There are no older entries.' : undefined}
          >
            Older
          </Button>
        </nav>
      )}
    </>
  );
}

function Nothing({
  state,
  isEmpty,
  isUnfinished,
}: {
  state: AuditState;
  isEmpty: boolean;
  isUnfinished: boolean;
}) {
  if (isEmpty)
    return (
      <Empty icon="audit" title="Nothing has been done yet">
        <p>Who sends, answers, interrupts, closes and forgets what appears here.</p>
      </Empty>
    );
  if (isUnfinished)
    return (
      <Empty icon="search" title="No match among the entries searched so far">
        <p>Choose “Older” to search on.</p>
      </Empty>
    );
  return (
    <Empty
      icon="search"
      title={state.places.value.length > 0 ? 'No older entry matches' : 'No entry matches'}
    >
      <p class="audit-clear">
        <Button onClick={() => changeFilter(state, NO_AUDIT_FILTER)}>Show all entries</Button>
      </p>
    </Empty>
  );
}

const ROW = '.audit-row';

function focusedRow(box: HTMLElement | null): HTMLElement | undefined {
  const row = document.activeElement?.closest<HTMLElement>(ROW);
  return row && box?.contains(row) ? row : undefined;
}

/** Moves the focus to the row before or after the focused one; to the first if none has the focus. */
function moveFocus(box: HTMLElement | null, step: number): void {
  const rows = [...(box?.querySelectorAll<HTMLElement>(ROW) ?? [])];
  const row = focusedRow(box);
  const at = row ? rows.indexOf(row) + step : 0;
  rows[Math.max(0, Math.min(rows.length - 1, at))]?.focus();
}
