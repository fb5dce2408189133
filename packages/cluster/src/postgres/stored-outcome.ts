// The outcome of a turn as the tables keep it. Its cost is called `costUsd` there, because functions of the tables write that name too,
// and tables of every version must stay readable.
import { isRecord } from '@inboard/core/util/guards.js';
import type { ClusterEventBody, TurnOutcome } from '../journal/records.js';

/** The outcome with the names of the tables. */
export function toStoredOutcome({ turnCostUsd, ...outcome }: TurnOutcome): object {
  return { ...outcome, costUsd: turnCostUsd };
}

/** The outcome with the names of the records. */
export function readStoredOutcome(stored: TurnOutcome): TurnOutcome {
  if (!('costUsd' in stored)) return stored;
  const { costUsd, ...outcome } = stored as TurnOutcome & { costUsd: number };
  return { ...outcome, turnCostUsd: costUsd };
}

/** The body of an event, whose outcome, if it has one, gets the names of the records. */
export function readStoredBody(stored: ClusterEventBody): ClusterEventBody {
  const { outcome } = stored as { outcome?: unknown };
  if (!isRecord(outcome)) return stored;
  return { ...stored, outcome: readStoredOutcome(outcome as unknown as TurnOutcome) } as ClusterEventBody;
}
