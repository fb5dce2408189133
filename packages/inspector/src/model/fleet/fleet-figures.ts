// The figures in a row of the fleet. They are those of the summary, which the header of the session shows, too.
import { lastActivity } from './session-filter.js';
import { countTokens } from './fleet-totals.js';
import type { SessionSummary } from '../session-summary.js';

/** What a row tells as a number; undefined where there is nothing to tell. */
export interface FleetFigures {
  turns: number;
  errors: number;
  /** Questions that wait now. */
  waiting: number;
  durationMs: number;
  /** Undefined for a conversation of a cluster, whose journal does not count them. */
  tokens: number | undefined;
  /** In US dollars. */
  costUsd: number | undefined;
  /** Milliseconds since 1970. */
  activeAt: number | undefined;
}

/** The figures of a session's row. */
export function readFleetFigures(summary: SessionSummary): FleetFigures {
  const { turns, errors, waiting, durationMs, tokens, costUsd, conversation } = summary;
  return {
    turns,
    errors,
    waiting,
    durationMs,
    tokens: conversation ? undefined : countTokens(tokens),
    costUsd,
    activeAt: lastActivity(summary) || undefined,
  };
}
