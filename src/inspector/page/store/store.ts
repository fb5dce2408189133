// The state of the page: fed by a source, read by the views. Everything a view shows is derived from it.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { SessionModel } from '../../model/session-model.js';
import type { ServerState } from '../../model/page-contract.js';
import type { SessionSummary } from '../../model/session-summary.js';
import type { Question } from '../../stream/question.js';
import type { PageSource } from '../page-source.js';

/** The views, in the order of their keys 1 to 6. */
export const VIEWS = ['story', 'timeline', 'wire', 'tools', 'cost', 'fleet'] as const;
export type ViewName = (typeof VIEWS)[number];

/** A session whose events are read. */
export interface LoadedSession {
  model: SessionModel;
  /** Raised after each batch of events: a view that reads the model reads this first. */
  revision: Signal<number>;
  /** How much of it was read, from 0 to 1. */
  progress: Signal<number>;
}

/** The page's state. */
export interface Store {
  source: PageSource;
  state: Signal<ServerState | undefined>;
  sessions: Signal<SessionSummary[]>;
  questions: Signal<Question[]>;
  connection: Signal<'connecting' | 'live' | 'lost'>;
  view: Signal<ViewName>;
  /** The session that is looked at. */
  selected: Signal<string | undefined>;
  /** The one beside it, when two are compared. */
  compared: Signal<string | undefined>;
  /** The event whose exact line is shown. */
  shownEvent: Signal<{ session: string; n: number } | undefined>;
  current: ReadonlySignal<LoadedSession | undefined>;
  /** The events of a session, read from now on if they were not. */
  load(session: string): LoadedSession;
}

/** A store that reads from a source; `begin` in `begin-store.ts` connects it. */
export function createStore(source: PageSource): Store {
  const loaded = new Map<string, LoadedSession>();
  const selected = signal<string | undefined>(undefined);
  const load = (session: string): LoadedSession => {
    const present = loaded.get(session);
    if (present) return present;
    const fresh = { model: new SessionModel(session), revision: signal(0), progress: signal(0) };
    loaded.set(session, fresh);
    return fresh;
  };
  return {
    source,
    state: signal(undefined),
    sessions: signal([]),
    questions: signal([]),
    connection: signal('connecting'),
    view: signal('story'),
    selected,
    compared: signal(undefined),
    shownEvent: signal(undefined),
    current: computed(() => (selected.value === undefined ? undefined : load(selected.value))),
    load,
  };
}
