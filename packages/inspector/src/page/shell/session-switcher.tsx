// Chooses another session: a list that can be searched.
import { useSignal } from '@preact/signals';
import { formatTimeOfDay, formatCountOf } from '../../model/format.js';
import type { SessionSummary } from '../../model/session-summary.js';
import { StateMark } from '../components/badge.js';
import { Dialog } from '../components/dialog.js';
import { wordOfState } from '../../model/state-words.js';
import { VirtualList } from '../components/virtual-list.js';
import type { Store } from '../store/store.js';

export function SessionSwitcher({ store, onClose }: { store: Store; onClose: () => void }) {
  const search = useSignal('');
  const active = useSignal<number | undefined>(undefined);
  const wanted = search.value.trim().toLowerCase();
  const shown = store.sessions.value.filter((session) => textOf(session).includes(wanted));
  const choose = (index: number): void => {
    const session = shown[index];
    if (!session) return;
    store.open(session.id);
    onClose();
  };
  return (
    <Dialog title="Sessions" class="switcher" onClose={onClose}>
      <input
        type="search"
        autoFocus
        class="switcher-search"
        placeholder="Search by title, model or state"
        aria-label="Search sessions"
        value={search.value}
        onInput={(event) => {
          search.value = event.currentTarget.value;
          active.value = undefined;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose(active.value ?? 0);
        }}
      />
      <p class="soft small" role="status">
        {formatCountOf(shown.length, 'session')}
      </p>
      <div class="switcher-list">
        <VirtualList
          label="Sessions"
          count={shown.length}
          keyAt={(index) => shown[index]?.id ?? index}
          estimate={57}
          active={active.value}
          onMove={(index) => {
            active.value = index;
          }}
          onOpen={choose}
          renderRow={(index) => {
            const session = shown[index];
            return session && <SessionRow session={session} store={store} onChoose={() => choose(index)} />;
          }}
        />
      </div>
    </Dialog>
  );
}

function SessionRow({
  session,
  store,
  onChoose,
}: {
  session: SessionSummary;
  store: Store;
  onChoose: () => void;
}) {
  const { word, tone } = wordOfState(session);
  return (
    <button
      type="button"
      class="switcher-row"
      aria-current={session.id === store.selected.value ? 'true' : undefined}
      onClick={onChoose}
    >
      <bdi class="switcher-title cut">{session.title}</bdi>
      <span class="switcher-facts soft small">
        <StateMark tone={tone}>{word}</StateMark>
        <span class="cut">
          {[session.model, formatTimeOfDay(Date.parse(session.startedAt))].filter(Boolean).join(' · ')}
        </span>
      </span>
    </button>
  );
}

function textOf(session: SessionSummary): string {
  const { title, model, prompt, cwd } = session;
  return [title, model, wordOfState(session).word, prompt, cwd].join('\n').toLowerCase();
}
