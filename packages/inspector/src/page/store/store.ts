// The state of the page. A source fills it, and everything that the views show is derived from it.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { ServerEnd, ServerState } from '../../model/page-contract.js';
import type { SessionSummary } from '../../model/session-summary.js';
import type { Question } from '../../stream/question.js';
import type { ConnectionState, PageSource } from '../page-source.js';
import type { Scheduler } from './scheduler.js';
import { SessionClock } from './session-clock.js';
import { SessionReader, type LoadedSession } from './session-reader.js';

export type { LoadedSession } from './session-reader.js';

/** The views, in the order of their keys 1 to 7. */
export const VIEWS = ['story', 'timeline', 'wire', 'tools', 'cost', 'fleet', 'audit'] as const;
export type ViewName = (typeof VIEWS)[number];

/** Whether a view shows one session, and not all of them. */
export function isOfSession(view: ViewName): boolean {
  return view !== 'fleet' && view !== 'audit';
}

/** The views that a page has: the audit only if there is one. */
export function listViews(state: ServerState | undefined): readonly ViewName[] {
  return state?.hasAudit === true ? VIEWS : VIEWS.filter((view) => view !== 'audit');
}

/** The page's state. */
export interface Store {
  source: PageSource;
  state: Signal<ServerState | undefined>;
  sessions: Signal<SessionSummary[]>;
  questions: Signal<Question[]>;
  connection: Signal<ConnectionState>;
  /** How the server ended, while the connection is gone. */
  end: Signal<ServerEnd | undefined>;
  view: Signal<ViewName>;
  /** The session that is shown. */
  selected: Signal<string | undefined>;
  /** The second session, when two are compared. */
  compared: Signal<string | undefined>;
  /** The event whose exact line is shown. */
  shownEvent: Signal<{ session: string; n: number } | undefined>;
  current: ReadonlySignal<LoadedSession | undefined>;
  /** The summary of the session that is shown, as its server made it. */
  summary: ReadonlySignal<SessionSummary | undefined>;
  /** The figures of the session that is shown, as of now, from its events if the page has read all of them. */
  figures: ReadonlySignal<SessionSummary | undefined>;
  /** Counts the time of all sessions. */
  clock: SessionClock;
  /** Whether the page can be shown: the first events have come, or it is certain that there are none. */
  isReady: Signal<boolean>;
  /** Why the events of the session cannot be read; undefined if they can. */
  trouble: Signal<string | undefined>;
  /** The events of a session. The first call begins to read them, unless they are being read already. */
  load(session: string): LoadedSession;
  /** Shows a session in the given view. If none is given, the present view stays, but the fleet is replaced by the story. */
  open(session: string, view?: ViewName): void;
  /** Shows a view. A view of a session chooses a session if none is chosen. */
  show(view: ViewName): void;
}

/** A store with the members that only `beginStore` needs. */
export interface InnerStore extends Store {
  scheduler: Scheduler;
  /** Grows when what was read of a session was dropped. */
  dropped: Signal<number>;
  reader(session: string): SessionReader;
  /** Drops what was read of sessions that were taken for cut off and are not. They are read again. */
  dropCutOff(sessions: readonly SessionSummary[]): void;
}

/** A store that reads from a source; `beginStore` connects it. */
export function createStore(source: PageSource, scheduler: Scheduler): InnerStore {
  const readers = new Map<string, SessionReader>();
  const selected = signal<string | undefined>(undefined);
  const sessions = signal<SessionSummary[]>([]);
  const view = signal<ViewName>('story');
  const dropped = signal(0);
  const clock = new SessionClock(scheduler);
  const reader = (session: string): SessionReader => {
    const present = readers.get(session);
    if (present) return present;
    const fresh = new SessionReader(session, source, scheduler);
    readers.set(session, fresh);
    return fresh;
  };
  const store: InnerStore = {
    source,
    scheduler,
    state: signal(undefined),
    sessions,
    questions: signal([]),
    connection: signal('connecting'),
    end: signal(undefined),
    view,
    selected,
    compared: signal(undefined),
    shownEvent: signal(undefined),
    isReady: signal(false),
    trouble: signal(undefined),
    current: computed(() => {
      void dropped.value;
      return selected.value === undefined ? undefined : reader(selected.value);
    }),
    summary: computed(() => sessions.value.find(({ id }) => id === selected.value)),
    figures: computed(() => {
      const { value: summary } = store.summary;
      return summary && clock.summaryNow(chooseFigures(summary, reader(summary.id)));
    }),
    clock,
    dropped,
    reader,
    dropCutOff: (told) => {
      const again = told.filter(({ id, state }) => state !== 'cut' && readers.get(id)?.model.isCutOff);
      for (const { id } of again) readers.delete(id);
      if (again.length > 0) dropped.value += 1;
    },
    load: (session) => {
      const known = readers.has(session);
      const loaded = reader(session);
      // Views call this while they are drawn, so reading begins afterwards. After a failure, the events are just missing.
      if (!known) scheduler.after(0, () => void loaded.catchUp().catch(() => {}));
      return loaded;
    },
    open: (session, next) => {
      selected.value = session;
      if (store.shownEvent.value?.session !== session) store.shownEvent.value = undefined;
      view.value = next ?? (isOfSession(view.value) ? view.value : 'story');
    },
    show: (next) => {
      if (!listViews(store.state.value).includes(next)) return;
      if (isOfSession(next)) selected.value ??= mostUrgent(sessions.value)?.id;
      view.value = next;
    },
  };
  return store;
}

/**
 * The summary that covers more events: that of the server, or that of the page. The page has fewer events while it reads, and
 * if some were left out or lost; the server has fewer for a moment after each event, and while it reads a recording.
 */
function chooseFigures(told: SessionSummary, { model, revision, progress }: LoadedSession): SessionSummary {
  void revision.value;
  // Only the journal of a cluster knows the figures of a conversation.
  if (told.conversation) return told;
  const own = model.summary.read();
  if (own.events < told.events) return told;
  const { durationMs, current, turns, tokens, costUsd, errors, events, shares } = own;
  const read = progress.value < 1 && told.read !== undefined ? progress.value : undefined;
  const figures = { durationMs, current, turns, tokens, costUsd, errors, events, shares, read };
  // The events do not say that a program is gone.
  if (told.state === 'cut') return { ...told, ...figures };
  const { state, stateText, waiting, waitsFor, isSuspended } = own;
  return { ...told, ...figures, state, stateText, waiting, waitsFor, isSuspended };
}

/** The session to show first: one that waits, else one that works, else the one that began last. */
export function mostUrgent(sessions: readonly SessionSummary[]): SessionSummary | undefined {
  const rank = ({ state }: SessionSummary): number => (state === 'waiting' ? 2 : state === 'working' ? 1 : 0);
  let best: SessionSummary | undefined;
  for (const session of sessions)
    if (
      !best ||
      rank(session) - rank(best) > 0 ||
      (rank(session) === rank(best) && session.startedAt > best.startedAt)
    )
      best = session;
  return best;
}
