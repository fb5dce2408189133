// Attaches to the error of an aborted run what the run had done until then, so that its caller can still account for it.
import type { AbortError } from '../../errors.js';
import type { Outcome } from '../../live/output/outcome.js';
import { addUsage } from '../../record/usage/usage-count.js';
import type { UsageReport } from '../../record/usage/usage-ledger.js';

type OpenFacts = Pick<Outcome, 'reason' | 'text' | 'errors' | 'retryable' | 'turnUsage'>;

/**
 * What an aborted run had done, as the `outcome` of its AbortError: the turn that was cut off, with the field names of an
 * `Outcome`, and in `all` the turns that had ended before.
 */
export interface AbortedRunOutcome extends OpenFacts {
  ok: false;
  kind: 'interrupted';
  /** The messages of the model in that turn, with those of its subagents. */
  turns: number;
  /** Undefined if the CLI had not named it yet. */
  sessionId: string | undefined;
  /** What the turn that was cut off cost, computed from the option `usage.prices`. 0 without it: the CLI had not said it yet. */
  turnCostUsd: number;
  /** What the session has cost in US dollars: what the CLI has reported, and `turnCostUsd`. */
  totalCostUsd: number;
  /** The turns that had ended before the run was aborted. */
  all: Outcome[];
}

/** Gives the error of an aborted run its `outcome`. */
export function attachAbortedRun(
  error: AbortError,
  { total, openTurn }: UsageReport,
  { all, sessionId }: Pick<AbortedRunOutcome, 'all' | 'sessionId'>,
): void {
  const { messages, main, subagents, turnCostUsd } = openTurn;
  const outcome: AbortedRunOutcome = {
    ok: false,
    kind: 'interrupted',
    reason: 'aborted',
    text: error.message,
    errors: [],
    retryable: error.retryable,
    sessionId,
    turns: messages,
    turnCostUsd,
    turnUsage: Object.values(subagents).reduce(addUsage, main),
    totalCostUsd: total.totalCostUsd + turnCostUsd,
    all,
  };
  // Not enumerable, as in a RunError.
  Object.defineProperty(error, 'outcome', { value: outcome });
}
