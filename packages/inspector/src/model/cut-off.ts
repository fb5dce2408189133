// The summary of a session that was cut off: a recording without an end, or a session whose program is gone.
import type { SessionSummary } from './session-summary.js';

/** The summary of a session that does not go on, and waits for nobody. */
export function cutOffSummary(summary: SessionSummary, stateText: string): SessionSummary {
  const { waitsFor: _waitsFor, isSuspended: _isSuspended, ...rest } = summary;
  return { ...rest, state: 'cut', stateText, waiting: 0, now: undefined };
}
