// Connects a store with its source: asks for the state, chooses what to show, reads past events and follows new ones. After a
// broken connection, it continues after the last event.
import { effect, untracked } from '@preact/signals';
import { isOverState } from '../../model/is-over-state.js';
import type { ServerEnd, ServerState } from '../../model/page-contract.js';
import { cutOffSummary } from '../../model/cut-off.js';
import type { SessionSummary } from '../../model/session-summary.js';
import { isGoing } from '../../model/session-time.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { PageListener } from '../page-source.js';
import { retryAfter } from '../source/retry.js';
import { SourceFailure } from '../source/source-failure.js';
import type { Place } from './place.js';
import { isOfSession, listViews, type InnerStore } from './store.js';

/** After this many failures in a row, the server counts as gone: the first may have been its last moment. */
const GONE_AFTER = 2;

/** Connects the store until the returned function is called. */
export function beginStore(store: InnerStore, place: Place): () => void {
  const ends: (() => void)[] = [];
  let isOver = false;
  const whenOver = (end: () => void): void => {
    if (isOver) end();
    else ends.push(end);
  };

  attempt(
    store,
    () => isOver,
    whenOver,
    async () => {
      const state = await store.source.state();
      if (isOver) return;
      takeState(store, state);
      choosePlace(store, place);
      whenOver(
        effect(() => {
          void store.dropped.value;
          return followSession(store, store.selected.value);
        }),
      );
      whenOver(effect(() => catchUpCompared(store)));
      whenOver(store.clock.run(() => isClockOn(store)));
    },
  );

  return () => {
    isOver = true;
    for (const end of ends.splice(0)) end();
  };
}

/** Repeats `work` until it succeeds or `isOver` says to stop. Sets the store's connection after each failure. */
function attempt(
  store: InnerStore,
  isOver: () => boolean,
  whenOver: (end: () => void) => void,
  work: () => Promise<void>,
  failures = 0,
): void {
  work().catch((error: unknown) => {
    if (isOver()) return;
    if (error instanceof SourceFailure && error.kind === 'refused') {
      store.connection.value = 'refused';
      return;
    }
    // Any other error is a fault of this page, and trying again would not help.
    if (!(error instanceof SourceFailure)) {
      store.trouble.value = messageOf(error);
      store.isReady.value = true;
      return;
    }
    const isGone = failures + 1 >= GONE_AFTER;
    if (isGone) takeEnd(store, store.end.value ?? { how: 'silent' });
    store.connection.value = isGone ? 'gone' : 'lost';
    whenOver(
      store.scheduler.after(retryAfter(failures), () => attempt(store, isOver, whenOver, work, failures + 1)),
    );
  });
}

/** Whether the time of a session goes on. Without a connection, that is not known. */
function isClockOn({ state, connection, sessions }: InnerStore): boolean {
  return state.value?.kind === 'live' && connection.value === 'live' && sessions.value.some(isGoing);
}

/** Notes how the server ended. Sessions of a program that is gone do not go on, and wait for nobody. */
function takeEnd(store: InnerStore, end: ServerEnd): void {
  store.end.value = end;
  const state = store.state.value;
  if (end.how === 'closed')
    store.questions.value = store.questions.value.map((each) => ({ ...each, canAnswer: false }));
  if (end.how === 'closed' || state?.kind !== 'live' || state.cluster !== undefined) return;
  store.questions.value = [];
  store.sessions.value = store.sessions.value.map((summary) => {
    if (summary.conversation || isOverState(summary.state)) return summary;
    store.clock.take({ id: summary.id, now: undefined });
    return cutOffSummary(summary, 'the program ended');
  });
}

/** Adds the present time to a conversation of a cluster. Its journal has times of day, so the page can tell it by itself. */
function withTime(summary: SessionSummary): SessionSummary {
  if (!summary.conversation || summary.state === 'ended') return summary;
  return { ...summary, now: Date.now() - Date.parse(summary.startedAt) };
}

function takeState(store: InnerStore, state: ServerState): void {
  const sessions = state.sessions.map(withTime);
  for (const summary of sessions) store.clock.take(summary);
  store.state.value = state;
  store.sessions.value = sessions;
  store.questions.value = state.questions;
  store.dropCutOff(sessions);
}

/** Chooses what to show: the session and view of the address if they exist, else the only session, else the fleet. */
function choosePlace(store: InnerStore, place: Place): void {
  const sessions = store.sessions.value;
  const isThere = (id: string | undefined): boolean => sessions.some((session) => session.id === id);
  store.selected.value = isThere(place.session)
    ? place.session
    : sessions.length === 1
      ? sessions[0]?.id
      : undefined;
  store.compared.value = isThere(place.compared) ? place.compared : undefined;
  const isLost = store.selected.value === undefined && sessions.length > 1;
  const view = listViews(store.state.value).find((name) => name === place.view) ?? 'story';
  store.view.value = isLost && isOfSession(view) ? 'fleet' : view;
  if (store.selected.value !== undefined && place.event !== undefined && isThere(place.session))
    store.shownEvent.value = { session: store.selected.value, n: place.event };
}

/** Reads a session's past events, then follows it. If the reading takes long, the fleet alone is followed meanwhile. */
function followSession(store: InnerStore, session: string | undefined): () => void {
  let isOver = false;
  let stop: (() => void) | undefined;
  const ends: (() => void)[] = [];
  const follow = (at: string | undefined, after: number): void => {
    stop?.();
    let isStopped = false;
    const end = store.source.follow(
      { session: at, after },
      listenFor(store, () => isStopped),
    );
    stop = () => {
      isStopped = true;
      end();
    };
  };
  store.trouble.value = undefined;

  if (session === undefined) {
    follow(undefined, 0);
    store.isReady.value = true;
  } else {
    const reader = store.reader(session);
    // Open questions must appear even while many past events are read.
    const cancelEarly = store.scheduler.after(300, () => {
      if (!isOver && stop === undefined) follow(undefined, 0);
    });
    ends.push(cancelEarly);
    const cancelReady = effect(() => {
      if (reader.progress.value > 0) store.isReady.value = true;
    });
    ends.push(cancelReady);
    attempt(
      store,
      () => isOver,
      (end) => ends.push(end),
      async () => {
        await reader.catchUp();
        if (isOver) return;
        store.isReady.value = true;
        cancelEarly();
        follow(session, reader.model.last);
      },
    );
  }
  return () => {
    isOver = true;
    stop?.();
    for (const end of ends) end();
  };
}

function listenFor(store: InnerStore, isStopped: () => boolean): PageListener {
  const heard =
    <Given extends unknown[]>(run: (...given: Given) => void) =>
    (...given: Given): void => {
      // An old connection may still deliver messages. They are ignored, because the new connection brings them too.
      if (!isStopped()) untracked(() => run(...given));
    };
  return {
    state: heard((state) => {
      takeState(store, state);
      chooseOnly(store);
    }),
    event: heard((line) => {
      const session = store.selected.value;
      if (session !== undefined) store.reader(session).accept(line);
    }),
    summary: heard((told) => {
      const summary = withTime(told);
      store.clock.take(summary);
      store.sessions.value = withSummary(store.sessions.value, summary);
      chooseOnly(store);
    }),
    asked: heard((question) => {
      const others = store.questions.value.filter(({ id }) => id !== question.id);
      store.questions.value = [...others, question];
    }),
    settled: heard((session, id) => {
      store.questions.value = store.questions.value.filter(
        (question) => question.id !== id || question.session !== session,
      );
    }),
    cluster: heard((cluster) => {
      const state = store.state.value;
      if (state) store.state.value = { ...state, cluster };
    }),
    ended: heard((end) => takeEnd(store, end)),
    connection: heard((state) => {
      if (state === 'live') store.end.value = undefined;
      store.connection.value = state;
    }),
  };
}

/** Shows the first session that begins, if the page was opened before there was one. */
function chooseOnly(store: InnerStore): void {
  const [only] = store.sessions.value;
  if (
    store.selected.value === undefined &&
    store.sessions.value.length === 1 &&
    isOfSession(store.view.value)
  )
    store.selected.value = only?.id;
}

function withSummary(sessions: SessionSummary[], summary: SessionSummary): SessionSummary[] {
  const place = sessions.findIndex(({ id }) => id === summary.id);
  return place < 0 ? [...sessions, summary] : sessions.with(place, summary);
}

/** Reads new events of the compared session when its summary changes. That session is not followed event by event. */
function catchUpCompared(store: InnerStore): void {
  const session = store.compared.value;
  const summary = store.sessions.value.find(({ id }) => id === session);
  if (session === undefined || summary === undefined || session === store.selected.value) return;
  const reader = store.reader(session);
  untracked(() => {
    reader.catchUp().catch(() => {
      // The connection state already shows the failure, and the next summary tries again.
    });
  });
}
