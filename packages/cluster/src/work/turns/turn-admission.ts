// Asks the budgets whether a turn may begin, keeps its reservation true to what its CLI may spend, and finds out what attempts
// have cost whose worker or CLI died.
import type { TurnOutcome } from '../../journal/records.js';
import type { BudgetDecision } from '../../limits/budgets.js';
import { priceTurn } from '../../limits/transcript-cost.js';
import type { AgentSession } from '../session/agent-session.js';
import type { LeasedTurn } from './leased-turn.js';

/** The decision that lets a turn begin. */
export type Admitted = Extract<BudgetDecision, { admitted: true }>;

/** Decides whether a turn may begin, and reserves what it may cost. */
export async function admitTurn(state: LeasedTurn): Promise<BudgetDecision> {
  const { context, record } = state;
  return await admit(state, {
    ownUsd: context.session?.ownBudgetUsd,
    ...(state.foundUsd > 0 && { turnCostUsd: record.turnCostUsd }),
  });
}

/** Gives back what the turn has reserved beyond its agent's own limit, which is known once the agent was asked. */
export async function lowerReservation(
  state: LeasedTurn,
  { ownBudgetUsd: ownUsd }: AgentSession,
  { isReserved, maxBudgetUsd = 0 }: Admitted,
): Promise<void> {
  if (!isReserved || ownUsd === undefined || ownUsd >= maxBudgetUsd) return;
  await admit(state, { ownUsd });
}

/**
 * Names the budget that ended a turn. Its CLI knows only a limit, and speaks of an option of the agent, although the limit may be what
 * was left of a budget of the cluster.
 */
export async function explainBudget(
  outcome: TurnOutcome,
  session: AgentSession,
  { describeCrossed }: Admitted,
): Promise<TurnOutcome> {
  if (outcome.kind !== 'budget' || !session.isLimitedByCluster || !describeCrossed) return outcome;
  const text = await describeCrossed();
  return { ...outcome, text, error: { code: 'BUDGET', message: text } };
}

async function admit(
  state: LeasedTurn,
  facts: { ownUsd: number | undefined; turnCostUsd?: number },
): Promise<BudgetDecision> {
  const { context, record } = state;
  const { host, lease, conversation } = context;
  const admission = await lease.write(() =>
    host.parts.admit(record, conversation, { ...facts, fence: lease.fence }),
  );
  if (admission.isCounted) state.foundUsd = 0;
  return admission;
}

/**
 * Adds to the turn's cost what its transcript tells and nobody has counted. Never rejects. Without prices, the transcript tells
 * nothing.
 */
export async function countFound(state: LeasedTurn): Promise<void> {
  const { context, record } = state;
  const { prices } = context.host.parts;
  if (!prices) return;
  try {
    const entries = (await context.store.loadMain(context.conversation.sessionId)) ?? [];
    noteFound(state, priceTurn(entries, record.uuid, prices));
  } catch (error) {
    // What is known is counted all the same.
    context.host.emit({ type: 'trouble', key: record.key, where: 'journal', error });
  }
}

/** Notes what the transcript tells of the turn's cost, if that is more than what was counted. */
function noteFound(state: LeasedTurn, turnCostUsd: number): void {
  const { record } = state;
  const more = turnCostUsd - record.turnCostUsd;
  // Rounding is no cost.
  if (more < 1e-9) return;
  state.foundUsd += more;
  record.turnCostUsd = turnCostUsd;
}
