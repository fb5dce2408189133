// Types about money that a running turn holds back from its budgets. They belong to the contract in `journal.ts`.

/** A budget that applies to a turn. */
export interface BudgetLimit {
  /** Whose money it is: that of the turn's conversation, of its tenant, or of all conversations together. */
  of: 'conversation' | 'tenant' | 'cluster';
  usd: number;
  /** The days over which it is counted (UTC, by the journal's clock), including today. Default: all. */
  days?: number | undefined;
}

/** What a turn wants to hold back while it runs. */
export interface ReservationRequest {
  /** At least one. */
  budgets: readonly BudgetLimit[];
  /**
   * The most that it needs. It gets this, or all that turns that have settled left over, if that is less. Default: what is
   * free, unless other turns have reserved more than half of what is left.
   */
  atMostUsd?: number | undefined;
  /**
   * What the turn is known to have cost so far, with all earlier leases. The part of it that was not counted before is counted
   * now.
   */
  turnCostUsd?: number | undefined;
  /** Whether the turn lines up if only reservations of other turns are in the way. */
  waits: boolean;
}

/** Whether a turn got its reservation. `budget` is the index of the budget that is in the way. */
export type ReservationAnswer =
  | { state: 'reserved'; usd: number }
  /** It was spent, by turns that have settled. */
  | { state: 'usedUp'; budget: number }
  /**
   * Other turns have reserved it. `freeUsd` is what they left. `waitedMs` is set if the turn had lined up for the same money before:
   * for how long it waits. Money of the tenant and money of all conversations are not the same.
   */
  | { state: 'taken'; budget: number; freeUsd: number; waitedMs?: number | undefined };
