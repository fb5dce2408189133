// Shows one event exactly: what it is, what it belongs to, and its JSON as it was recorded.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { WireRow } from '../../model/wire/wire-row.js';
import { fieldText } from '../../model/wire/frame-text.js';
import type { LoadedSession, Store } from '../store/store.js';
import { Badge } from './badge.js';
import { Button } from './button.js';
import { EventFacts } from './event-facts.js';
import { EventJson } from './event-json.js';

const DIRECTIONS = { in: 'from the CLI', out: 'to the CLI', none: undefined } as const;

export function EventDetail({ store }: { store: Store }) {
  const shown = store.shownEvent.value;
  if (!shown) return null;
  const session = store.load(shown.session);
  // The row may come later, because an address can name an event that has not been read yet.
  void session.revision.value;
  const row = session.model.wire.at(shown.n);
  return (
    <article class="event-detail">
      <header class="event-head">
        <h2 class={`event-name tone-${toneOf(row)}`}>{row?.event ?? `Event ${shown.n}`}</h2>
        <Button
          look="plain"
          icon="cross"
          label="Close"
          shortcut="Esc"
          onClick={() => {
            store.shownEvent.value = undefined;
          }}
        />
      </header>
      {row && (
        <>
          <div class="event-badges">
            {DIRECTIONS[row.direction] && <Badge>{DIRECTIONS[row.direction]}</Badge>}
            {row.isError && <Badge tone="error">error</Badge>}
            {row.isHidden && <Badge tone="permission">values redacted</Badge>}
          </div>
          <EventFacts store={store} session={session} row={row} />
        </>
      )}
      <EventLine key={`${shown.session} ${shown.n}`} store={store} session={session} n={shown.n} />
    </article>
  );
}

function toneOf(row: WireRow | undefined): string {
  if (row?.isError) return 'error';
  return row === undefined || row.tone === 'plain' ? 'accent' : row.tone;
}

type Reading = { state: 'reading' } | { state: 'failed' } | { state: 'read'; line: string | undefined };

/** Reads the line of an event from the source, because the model of the session keeps no lines, and shows it. */
function EventLine({ store, session, n }: { store: Store; session: LoadedSession; n: number }) {
  const reading = useSignal<Reading>({ state: 'reading' });
  useEffect(() => {
    let isOver = false;
    store.source.readWhole(session.model.id, n).then(
      (line) => {
        if (!isOver) reading.value = { state: 'read', line };
      },
      () => {
        if (!isOver) reading.value = { state: 'failed' };
      },
    );
    return () => {
      isOver = true;
    };
  }, [store, session, n, reading]);
  const now = reading.value;
  if (now.state === 'reading') return <p class="event-note">Reading the line…</p>;
  if (now.state === 'failed')
    return <p class="event-note">The line could not be read: the connection to the server is lost.</p>;
  if (now.line === undefined)
    return <p class="event-note">The line is gone: the server no longer keeps it.</p>;
  const frame = fieldText(now.line, 'frame');
  return (
    <>
      {fieldText(now.line, 'isCut') === 'true' && (
        <p class="event-note">
          Long texts were cut when this page was written, and say so at their ends. The trace has them in
          full.
        </p>
      )}
      <EventJson text={frame ?? now.line} isFrame={frame !== undefined} />
    </>
  );
}
