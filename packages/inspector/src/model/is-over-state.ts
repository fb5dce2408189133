// Whether a session is over: whatever is not known of it now will not be known later.
import type { SessionActivity } from './session-summary.js';

const OVER: ReadonlySet<SessionActivity> = new Set(['ended', 'failed', 'cut']);

export function isOverState(state: SessionActivity | undefined): boolean {
  return state !== undefined && OVER.has(state);
}
