// Gives a turn back that has not ended: it is handed over, failed, or waits for a budget.
import { pauseBeforeRetry } from './turn-start.js';
import type { LeasedTurn, WorkEnd } from './leased-turn.js';

/** Gives a turn back that another worker continues at once. */
export async function handTurnOver({ context, record }: LeasedTurn, turnCostUsd: number): Promise<WorkEnd> {
  const { host, lease } = context;
  if (!(await context.release({ turn: record.id, turnCostUsd }))) return 'lost';
  host.counts.handedOver += 1;
  host.emit({ type: 'turn-handed-over', key: lease.fence.key, turn: record.id });
  return 'handedOver';
}

/** Gives a failed turn back for a later try. */
export async function retryTurnLater(state: LeasedTurn): Promise<WorkEnd> {
  const { context, record } = state;
  const afterMs = pauseBeforeRetry(record);
  state.retryAfterMs = afterMs;
  if (!(await context.release({ turn: record.id, turnCostUsd: 0, failed: true, afterMs }))) return 'lost';
  await context.host.wake(record.key, { afterMs });
  return 'failed';
}

/**
 * Gives a turn back that waits until other turns leave it something of a budget. The journal wakes it then, and it looks again
 * after `afterMs` in any case. It says so when it begins to wait, or waits for something else.
 */
export async function letTurnWait(
  state: LeasedTurn,
  { afterMs, reason, again }: { afterMs: number; reason: string; again?: true | undefined },
): Promise<WorkEnd> {
  const { context, record } = state;
  state.retryAfterMs = afterMs;
  // A warm CLI must have ended before another worker may have the conversation.
  await context.closeSession();
  const { key, id: turn } = record;
  if (!(await context.release({ turn, turnCostUsd: state.foundUsd, afterMs }))) return 'lost';
  if (!again) context.host.emit({ type: 'turn-waiting', key, turn, reason });
  await context.host.wake(key, { afterMs });
  return 'waiting';
}
