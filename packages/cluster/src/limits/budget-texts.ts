// What messages say about budgets: which one is used up, reserved by others, or crossed by a turn.
import type { BudgetLimit, ReservationAnswer } from '../journal/journal.js';
import type { TurnOutcome } from '../journal/records.js';

/** US dollars in total, or within the last `days` days (UTC, by the journal's clock), including today. */
export type Budget = number | { usd: number; days: number };

/** A budget that applies to a turn, with its name in messages. */
export interface NamedBudget {
  of: BudgetLimit['of'];
  what: string;
  budget: Budget;
}

/** The outcome of a turn that does not begin, because its budget is used up. */
export function refuseUsedUp({ what, budget }: NamedBudget, turnCostUsd: number): TurnOutcome {
  return refuseTurn(
    'BUDGET_EXCEEDED',
    `The budget of ${what} is used up: ${describeBudget(budget)}.`,
    turnCostUsd,
  );
}

/** The outcome of a turn that does not begin. */
export function refuseTurn(code: string, message: string, turnCostUsd: number): TurnOutcome {
  return { ok: false, kind: 'refused', text: message, error: { code, message }, turnCostUsd };
}

/** Why a turn waits, or is refused, although there is money left. */
export function describeTaken(
  { what, budget }: NamedBudget,
  { freeUsd }: Extract<ReservationAnswer, { state: 'taken' }>,
  atMostUsd: number | undefined,
): string {
  const free = Number(Math.max(0, freeUsd).toFixed(6));
  // No turn reserves more than the whole budget.
  const needs =
    atMostUsd === undefined ? '' : `, and the turn needs up to ${Math.min(atMostUsd, usdOf(budget))}`;
  const hint =
    atMostUsd === undefined
      ? ' Set "budgets.reserveUsd" or the agent\'s "maxBudgetUsd", so that several turns can run at the same time.'
      : '';
  return `Running turns have reserved the budget of ${what}, ${describeBudget(budget)}: ${free} are free${needs}.${hint}`;
}

/** What a turn says that was ended because it had spent what was left of these budgets. Any of them may be the one. */
export function describeCrossed(budgets: readonly NamedBudget[]): string {
  const names = budgets.map(
    ({ of: whose, what, budget }) => `of ${what} ("budgets.${whose}": ${describeBudget(budget)})`,
  );
  return `The turn was ended because it has used up what was left of the budget ${names.join(', or ')}.`;
}

/** What a turn says that was ended because it had spent what one turn may spend. */
export function describeReserveCrossed(reserveUsd: number): string {
  return `The turn was ended because it has spent what one turn may spend ("budgets.reserveUsd": ${reserveUsd} US dollars).`;
}

function describeBudget(budget: Budget): string {
  const span = typeof budget === 'number' ? '' : budget.days === 1 ? ' a day' : ` in ${budget.days} days`;
  return `${usdOf(budget)} US dollars${span}`;
}

/** The US dollars of a budget. */
export function usdOf(budget: Budget): number {
  return typeof budget === 'number' ? budget : budget.usd;
}

/** Within how many days. Undefined for a budget in total. */
export function daysOf(budget: Budget): number | undefined {
  return typeof budget === 'number' ? undefined : budget.days;
}
