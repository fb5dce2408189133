// Says what the figures of time of a session are at a later moment than its last event, the same for every view.
import type { SessionSummary } from './session-summary.js';

/** Whether the time of a session goes on although no event comes: it runs, or waits for a person. */
export function isGoing({ now, current }: Pick<SessionSummary, 'now' | 'current'>): boolean {
  return now !== undefined && current !== 'idle';
}

/** The summary with its time counted up to `t`. A session whose time does not go on stays as of its last event. */
export function summaryAt(summary: SessionSummary, t: number): SessionSummary {
  const more = t - summary.durationMs;
  if (!isGoing(summary) || !(more > 0)) return summary;
  const { shares, current, conversation } = summary;
  return {
    ...summary,
    durationMs: t,
    // The journal of a cluster does not say where the time went.
    shares: conversation ? shares : { ...shares, [current]: shares[current] + more },
  };
}
