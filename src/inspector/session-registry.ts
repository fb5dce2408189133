// The sessions of this process that can be inspected. Verbs announce them; whoever inspects listens. While nobody does, this
// costs a session one call.
import type { InspectedSession } from './sources/inspected-session.js';

/** Told of each session as it is started. */
export type SessionListener = (session: InspectedSession) => void;

const listeners = new Set<SessionListener>();

/** Tells whoever inspects that a session is being started. `describe` is called only where somebody does. */
export function announceSession(describe: () => InspectedSession): void {
  if (listeners.size === 0) return;
  const session = describe();
  for (const listener of listeners) listener(session);
}

/** Hears of every session from now on; the returned function ends that. */
export function watchSessions(listener: SessionListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
