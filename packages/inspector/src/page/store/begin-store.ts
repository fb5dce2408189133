// Connects a store with its source: asks for the state, chooses what to look at, reads its history, follows what comes, and
// goes on from the last number when a connection breaks.
import { effect, untracked } from '@preact/signals';
import type { ServerState } from '../../model/page-contract.js';
import type { SessionSummary } from '../../model/session-summary.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import type { PageListener } from '../page-source.js';
import { retryAfter } from '../source/retry.js';
import { SourceFailure } from '../source/source-failure.js';
import type { Place } from './place.js';
import type { InnerStore } from './store.js';

/** So many failures in a row, and the server counts as gone. */
const GONE_AFTER = 3;

/** Begins; returns what ends it. */
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
      whenOver(effect(() => followSession(store, store.selected.value)));
      whenOver(effect(() => catchUpCompared(store)));
    },
  );

  return () => {
    isOver = true;
    for (const end of ends.splice(0)) end();
  };
}

/** Tries until it works, or until nobody wants it any more; the store's connection says how it stands. */
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
    // Anything but a failure of the source is a fault of this page, and trying again would not mend it.
    if (!(error instanceof SourceFailure)) {
      store.trouble.value = messageOf(error);
      store.isReady.value = true;
      return;
    }
    store.connection.value = failures + 1 >= GONE_AFTER ? 'gone' : 'lost';
    whenOver(
      store.scheduler.after(retryAfter(failures), () => attempt(store, isOver, whenOver, work, failures + 1)),
    );
  });
}

function takeState(store: InnerStore, state: ServerState): void {
  store.state.value = state;
  store.sessions.value = state.sessions;
  store.questions.value = state.questions;
}

/** One session is looked at, several as a fleet; an address that says otherwise is followed as far as it still leads somewhere. */
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
  store.view.value = isLost ? 'fleet' : (place.view ?? 'story');
  if (store.selected.value !== undefined && place.event !== undefined && isThere(place.session))
    store.shownEvent.value = { session: store.selected.value, n: place.event };
}

/** Reads a session's history, then follows it; the fleet is followed all the while. */
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
    // What waits for an answer must not wait for a long history to be read.
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
      // A connection that was left may still have something on its way: the one after it brings that as well.
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
    summary: heard((summary) => {
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
    connection: heard((state) => {
      store.connection.value = state;
    }),
  };
}

/** A page that was opened before anything ran looks at the first session that begins. */
function chooseOnly(store: InnerStore): void {
  const [only] = store.sessions.value;
  if (store.selected.value === undefined && store.sessions.value.length === 1 && store.view.value !== 'fleet')
    store.selected.value = only?.id;
}

function withSummary(sessions: SessionSummary[], summary: SessionSummary): SessionSummary[] {
  const place = sessions.findIndex(({ id }) => id === summary.id);
  return place < 0 ? [...sessions, summary] : sessions.with(place, summary);
}

/** The session beside is not followed event by event: it is read on when its summary says that there is more. */
function catchUpCompared(store: InnerStore): void {
  const session = store.compared.value;
  const summary = store.sessions.value.find(({ id }) => id === session);
  if (session === undefined || summary === undefined || session === store.selected.value) return;
  const reader = store.reader(session);
  untracked(() => {
    reader.catchUp().catch(() => {
      // The connection says that it is lost; the next summary tries again.
    });
  });
}
