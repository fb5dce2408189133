// Lists the sessions of this process that can be inspected. Queries and conversations report when a session gets a CLI and when
// that CLI is gone, and an inspector listens. Without an inspector, a session costs one entry in a table.
import type { InspectedSession } from './inspected-session.js';

/** The object behind a query or a conversation. */
export interface Inspectable {
  /** Makes a new description at each call. `describeOnce` remembers it. */
  inspected(): InspectedSession;
}

/** Is told of a session. `subject` is the same object each time for the same session. */
export type SessionListener = (session: InspectedSession, subject: Inspectable) => void;

/** Sessions of this process: a single one, or all that a pool or group has started or will start. */
export type SessionsTarget = { subject: Inspectable } | { origin: object; present: readonly Inspectable[] };

/** The method of public objects that returns their target. It is on the prototype, so that it costs nothing per object. */
export const INSPECT_TARGET: unique symbol = Symbol('inspect target');

interface Watch {
  listener: SessionListener;
  /** The pool or group whose sessions the listener is told of. Undefined for all sessions. */
  origin: object | undefined;
}

const running = new Map<Inspectable, object | undefined>();
const watches = new Set<Watch>();
const described = new WeakMap<Inspectable, InspectedSession>();

/** Notes that a session has a CLI, perhaps not its first. `origin` is the pool or group that started the session. */
export function noteRunning(subject: Inspectable, origin?: object): void {
  running.set(subject, origin);
  if (watches.size > 0) announceSession(subject, origin);
}

/** Notes that the session's CLI is gone. The session itself may go on. */
export function noteGone(subject: Inspectable): void {
  running.delete(subject);
}

/** Whether a session of this process has a CLI, by the conversation's id. */
export function isRunningHere(sessionId: string): boolean {
  return [...running.keys()].some((subject) => describeOnce(subject).sessionId() === sessionId);
}

/** Tells inspectors of a session, which need not have a CLI yet. */
export function announceSession(subject: Inspectable, origin?: object): void {
  for (const watch of watches)
    if (watch.origin === undefined || watch.origin === origin) watch.listener(describeOnce(subject), subject);
}

/**
 * Tells the listener of every session that has a CLI now or gets one later. With `origin`, tells it only of the sessions of
 * that pool or group. The returned function ends that.
 */
export function watchSessions(listener: SessionListener, origin?: object): () => void {
  const watch: Watch = { listener, origin };
  watches.add(watch);
  for (const [subject, from] of running)
    if (origin === undefined || from === origin) listener(describeOnce(subject), subject);
  return () => watches.delete(watch);
}

/** Describes the session behind a subject. Returns the same description each time. */
export function describeOnce(subject: Inspectable): InspectedSession {
  const known = described.get(subject) ?? subject.inspected();
  described.set(subject, known);
  return known;
}
