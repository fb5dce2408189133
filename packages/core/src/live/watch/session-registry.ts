// The sessions of this process that can be inspected. Verbs say when one has a CLI and when that is gone; an inspector
// listens. Without an inspector this costs a session an entry in a table.
import type { InspectedSession } from './inspected-session.js';

/** What stands behind a query or a conversation. */
export interface Inspectable {
  /** Described anew each time; `describeOnce` remembers. */
  inspected(): InspectedSession;
}

/** Told of each session once; `subject` is the same for the same session. */
export type SessionListener = (session: InspectedSession, subject: Inspectable) => void;

/** Sessions of this process: one, or all that a pool or group has started and will start. */
export type SessionsTarget = { subject: Inspectable } | { origin: object; present: readonly Inspectable[] };

/** The method of public objects that gives their target; it stands on the prototype, so that it costs an object nothing. */
export const INSPECT_TARGET: unique symbol = Symbol('inspect target');

interface Watch {
  listener: SessionListener;
  /** Only sessions of this pool or group; undefined for all. */
  origin: object | undefined;
}

const running = new Map<Inspectable, object | undefined>();
const watches = new Set<Watch>();
const described = new WeakMap<Inspectable, InspectedSession>();

/** A session has a CLI from now on, perhaps again. `origin` is the pool or group that started it. */
export function noteRunning(subject: Inspectable, origin?: object): void {
  running.set(subject, origin);
  if (watches.size > 0) announceSession(subject, origin);
}

/** The session's CLI is gone; the session itself may go on. */
export function noteGone(subject: Inspectable): void {
  running.delete(subject);
}

/** Whether a session of this process has a CLI, by the conversation's id. */
export function isRunningHere(sessionId: string): boolean {
  return [...running.keys()].some((subject) => describeOnce(subject).sessionId() === sessionId);
}

/** Tells inspectors of a session that has no CLI yet. */
export function announceSession(subject: Inspectable, origin?: object): void {
  for (const watch of watches)
    if (watch.origin === undefined || watch.origin === origin) watch.listener(describeOnce(subject), subject);
}

/** Hears of every session that has a CLI, now or later, or of those of one pool or group; the returned function ends that. */
export function watchSessions(listener: SessionListener, origin?: object): () => void {
  const watch: Watch = { listener, origin };
  watches.add(watch);
  for (const [subject, from] of running)
    if (origin === undefined || from === origin) listener(describeOnce(subject), subject);
  return () => watches.delete(watch);
}

/** The session behind a subject, the same each time. */
export function describeOnce(subject: Inspectable): InspectedSession {
  const known = described.get(subject) ?? subject.inspected();
  described.set(subject, known);
  return known;
}
