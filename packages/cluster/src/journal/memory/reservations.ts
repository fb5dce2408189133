// The reservations of the journal in memory: money that running turns hold back from their budgets, and the turns that wait for
// it.
import type { BudgetLimit, ReservationAnswer, ReservationRequest } from '../reservation.js';
import type { Fence, TurnRecord } from '../records.js';
import { requireFence } from './fence.js';
import { countCost, sumSpending, DAY_MS } from './limits.js';
import { requireTurn, type MemoryState, type StoredConversation } from './memory-state.js';
import { requireUnderWay } from './under-way.js';

/** The smallest amount that is left of a budget. Sums of fractions are never exact. */
const SMALLEST_USD = 1e-6;
/** Two amounts that differ by less are the same. */
const ROUNDING_USD = SMALLEST_USD / 1000;
/** Milliseconds for which the money that has become free is kept for the turn that was woken for it. */
const PROMISED_MS = 5000;

/** `Journal.reserve`. */
export function reserve(
  state: MemoryState,
  fence: Fence,
  id: string,
  { budgets, atMostUsd, turnCostUsd, waits }: ReservationRequest,
): ReservationAnswer {
  const conversation = requireFence(state, fence);
  const turn = requireTurn(conversation, id);
  requireUnderWay(conversation, turn);
  countCost(state, conversation, turn, (turnCostUsd ?? 0) - turn.turnCostUsd);
  const scopes = new Set(
    budgets.flatMap((budget) => (budget.of === 'conversation' ? [] : [scopeOf(budget, conversation)])),
  );
  const rests = budgets.map((budget) => {
    const settled = budget.usd - sumSpent(state, conversation, budget);
    return { settled, free: settled - sumReserved(state, conversation, budget) };
  });
  const [left, least] = findSmallest(rests.map(({ settled }) => settled));
  const [free, tightest] = findSmallest(rests.map((rest) => rest.free));
  const { reservation: before } = conversation;
  // Who only gives some of it back works on, whatever others have spent in the meantime.
  const lowers =
    turnCostUsd === undefined &&
    atMostUsd !== undefined &&
    before?.turn === id &&
    before.epoch === fence.epoch &&
    !before.waiting &&
    before.usd > atMostUsd;
  if (left < SMALLEST_USD && !lowers) {
    conversation.reservation = undefined;
    // The same goes for the turns that wait.
    wakeWaiting(state, scopes);
    return { state: 'usedUp', budget: least };
  }
  const wanted = lowers ? atMostUsd : Math.min(atMostUsd ?? Infinity, left);
  const enough = atMostUsd === undefined ? left / 2 : wanted - ROUNDING_USD;
  if (lowers || (free >= SMALLEST_USD && free >= enough)) {
    const usd = atMostUsd === undefined ? free : wanted;
    conversation.reservation = { turn: id, epoch: fence.epoch, scopes, usd };
    wakeWaiting(state, scopes, { rest: free - usd, left });
    return { state: 'reserved', usd };
  }
  const blocked = scopeOf(budgets[tightest] as BudgetLimit, conversation);
  const waitedFor = before?.turn === id ? before.waiting : undefined;
  conversation.reservation = waits
    ? {
        turn: id,
        epoch: fence.epoch,
        scopes,
        usd: 0,
        waiting: {
          blocked,
          wanted: atMostUsd === undefined ? Infinity : wanted,
          since: before?.waiting?.since ?? nextPlace(state),
          at: before?.waiting?.at ?? state.now(),
          wokenAt: undefined,
        },
      }
    : undefined;
  const { waiting } = conversation.reservation ?? {};
  // What is free, but too little for this turn, may be enough for one behind it.
  if (waiting && free >= SMALLEST_USD) wakeWaiting(state, scopes, { rest: free, left, after: waiting.since });
  return {
    state: 'taken',
    budget: tightest,
    freeUsd: Math.max(free, 0),
    ...(waitedFor?.blocked === blocked && { waitedMs: state.now() - waitedFor.at }),
  };
}

/** Gives back what a turn has reserved, or its place in the line. */
export function dropReservation(state: MemoryState, conversation: StoredConversation): void {
  const { reservation } = conversation;
  conversation.reservation = undefined;
  if (reservation && (!reservation.waiting || reservation.waiting.wokenAt !== undefined))
    wakeWaiting(state, reservation.scopes);
}

/**
 * Wakes the turn that has waited longest for each of these budgets. With `has`, only one that can have what it wants of that. With
 * `after`, the first such one of those that lined up later.
 */
function wakeWaiting(
  state: MemoryState,
  scopes: ReadonlySet<string>,
  has?: { rest: number; left: number; after?: number },
): void {
  for (const scope of scopes) {
    const fits = ({ wanted }: { wanted: number }): boolean =>
      !has || has.rest >= (wanted === Infinity ? has.left / 2 : wanted - ROUNDING_USD);
    const after = has?.after;
    const [first] = [...state.conversations.values()]
      .flatMap((conversation) => {
        const waiting = conversation.reservation?.waiting;
        return waiting?.blocked === scope && waiting.wokenAt === undefined ? [{ conversation, waiting }] : [];
      })
      .filter(({ waiting }) => after === undefined || (waiting.since > after && fits(waiting)))
      .sort((one, other) => one.waiting.since - other.waiting.since);
    if (!first || !fits(first.waiting)) continue;
    const { conversation, waiting } = first;
    waiting.wokenAt = state.now();
    const turn = conversation.turnsById.get(conversation.reservation?.turn ?? '');
    if (turn?.state !== 'running' || turn.notBefore === undefined) continue;
    delete turn.notBefore;
    state.changes.tell(conversation.key, 'inbox');
  }
}

function sumSpent(
  state: MemoryState,
  conversation: StoredConversation,
  { of: whose, days }: BudgetLimit,
): number {
  if (whose !== 'conversation')
    return sumSpending(state, whose === 'tenant' ? { tenant: conversation.tenant, days } : { days });
  if (days === undefined) return conversation.totalCostUsd;
  const since = (Math.floor(state.now() / DAY_MS) - days + 1) * DAY_MS;
  const timeOf = ({ endedAt, startedAt, sentAt }: TurnRecord): number => endedAt ?? startedAt ?? sentAt;
  return conversation.turns.reduce((sum, turn) => (timeOf(turn) >= since ? sum + turn.turnCostUsd : sum), 0);
}

/** What others hold back of a budget. Only one turn of a conversation runs at a time. */
function sumReserved(state: MemoryState, own: StoredConversation, { of: whose }: BudgetLimit): number {
  if (whose === 'conversation') return 0;
  let sum = 0;
  for (const { key, tenant, reservation } of state.conversations.values()) {
    if (!reservation || key === own.key || (whose === 'tenant' && tenant !== own.tenant)) continue;
    const { usd, waiting } = reservation;
    const wokenAt = waiting?.wokenAt ?? -Infinity;
    if (!waiting) sum += usd;
    else if (wokenAt > state.now() - PROMISED_MS) sum += waiting.wanted;
  }
  return sum;
}

function scopeOf({ of: whose }: BudgetLimit, { tenant }: StoredConversation): string {
  return whose === 'tenant' ? `of:${tenant ?? ''}` : 'all';
}

function nextPlace(state: MemoryState): number {
  state.waited += 1;
  return state.waited;
}

function findSmallest(amounts: readonly number[]): [amount: number, at: number] {
  const amount = Math.min(...amounts);
  return [amount, amounts.indexOf(amount)];
}
