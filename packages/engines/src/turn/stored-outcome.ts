// An outcome that an engine has kept. Earlier versions called its cost `costUsd`.
import type { AttemptOutcome } from '@inboard/durable/attempt/attempt-outcome.js';

/** The outcome with the names of this version. */
export function readKeptOutcome(kept: AttemptOutcome): AttemptOutcome {
  if (!('costUsd' in kept)) return kept;
  const { costUsd, ...outcome } = kept as AttemptOutcome & { costUsd: number };
  return { ...outcome, turnCostUsd: outcome.turnCostUsd ?? costUsd };
}
