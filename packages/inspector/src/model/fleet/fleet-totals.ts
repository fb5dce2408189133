// The totals of the sessions that pass the filter of the fleet view.
import type { SessionSummary, TokenCount } from '../session-summary.js';
import type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';

/** The totals of several sessions. */
export interface FleetTotals {
  sessions: number;
  /** Questions that wait now. */
  waiting: number;
  errors: number;
  turns: number;
  tokens: TokenCount;
  /** The sum over the sessions that report a cost; undefined if none does. */
  costUsd: number | undefined;
  shares: TimeShares;
}

export function sumSessions(sessions: readonly SessionSummary[]): FleetTotals {
  const totals: FleetTotals = {
    sessions: sessions.length,
    waiting: 0,
    errors: 0,
    turns: 0,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    costUsd: undefined,
    shares: { model: 0, permission: 0, code: 0, cliTools: 0, overhead: 0, idle: 0 },
  };
  for (const { waiting, errors, turns, tokens, costUsd, shares } of sessions) {
    totals.waiting += waiting;
    totals.errors += errors;
    totals.turns += turns;
    addTo(totals.tokens, tokens);
    addTo(totals.shares, shares);
    if (costUsd !== undefined) totals.costUsd = (totals.costUsd ?? 0) + costUsd;
  }
  return totals;
}

export function countTokens({ input, output, cacheRead, cacheWrite }: TokenCount): number {
  return input + output + cacheRead + cacheWrite;
}

function addTo<Sums extends { [Name in keyof Sums]: number }>(sums: Sums, more: Sums): void {
  for (const name of Object.keys(sums) as (keyof Sums)[])
    sums[name] = (sums[name] + more[name]) as Sums[typeof name];
}
