// Checks amounts of money, and what a turn wants to reserve, before a journal acts on them.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import type { ReservationRequest } from './reservation.js';

/** Throws an InvalidOptionsError for a reservation without a budget, or with an amount that is none. */
export function checkReservation({ budgets, atMostUsd, turnCostUsd }: ReservationRequest): void {
  if (budgets.length === 0)
    throw new InvalidOptionsError(['budgets'], 'A reservation needs at least one budget in "budgets"');
  checkAmount('atMostUsd', atMostUsd);
  checkAmount('turnCostUsd', turnCostUsd);
  for (const { usd } of budgets) checkAmount('budgets.usd', usd);
}

/** Refuses what is no amount of money: it would stay in sums for good. */
export function checkAmount(name: string, given: number | undefined): void {
  if (given === undefined || (Number.isFinite(given) && given >= 0)) return;
  throw new InvalidOptionsError([name], `"${name}" must be a number of US dollars, at least 0`);
}
