// Leases of the journal in memory: grants, renews and releases them, and lists the conversations that are due for one.
import type { DueConversation, LeaseAnswer, LeftTurn, RenewedLease } from '../journal.js';
import type { Fence, TurnRecord } from '../records.js';
import { findLease, isOver, whyLost } from './fence.js';
import { countCost, findPause } from './limits.js';
import {
  findHeadTurn,
  findValidLease,
  recordConversation,
  type MemoryState,
  type StoredConversation,
} from './memory-state.js';
import { dropReservation } from './reservations.js';

/** `Journal.lease`. */
export function lease(
  state: MemoryState,
  key: string,
  { owner, ms }: { owner: string; ms: number },
): LeaseAnswer {
  const conversation = state.conversations.get(key);
  if (!conversation) return { state: 'unknown' };
  const now = state.now();
  // The check uses the same time as the new lease, which must not begin before the end of the previous one.
  const held = findValidLease(state, conversation, now);
  if (held) return { state: 'held', owner: held.owner, forMs: held.until - now };
  const reason = whyNot(state, conversation);
  if (reason) return reason;
  const before = conversation.leases.at(-1);
  const takenOverAfterMs = before && !before.released ? now - before.until : undefined;
  if (takenOverAfterMs !== undefined) state.takeovers += 1;
  state.epoch += 1;
  const { epoch } = state;
  conversation.isHandedOver = false;
  conversation.leases.push({ epoch, owner, grantedAt: now, until: now + ms, released: false });
  conversation.updatedAt = now;
  return {
    state: 'granted',
    fence: { key, epoch, owner },
    conversation: recordConversation(state, conversation),
    takenOverAfterMs,
  };
}

/** `Journal.renew`. */
export function renew(state: MemoryState, fences: readonly Fence[], ms: number): RenewedLease[] {
  return fences.map((fence) => {
    const { key, epoch } = fence;
    const conversation = state.conversations.get(key);
    const found = conversation && findLease(conversation, fence);
    if (!found) return { key, epoch, held: false, why: whyLost(conversation, fence), hasWork: false };
    if (isOver(state, conversation)) return { key, epoch, held: false, why: 'late', hasWork: false };
    found.until = state.now() + ms;
    const turn = findHeadTurn(conversation);
    const stop = turn?.state === 'running' && turn.stop ? turn.id : undefined;
    return { key, epoch, held: true, hasWork: hasWork(state, conversation, epoch), stop };
  });
}

/** `Journal.release`. */
export function release(state: MemoryState, fence: Fence, left: LeftTurn | undefined): boolean {
  const conversation = state.conversations.get(fence.key);
  const found = conversation && findLease(conversation, fence);
  if (!found) return false;
  const now = state.now();
  found.released = true;
  // The validity of a lease that had already expired is not extended to now.
  found.until = Math.min(found.until, now);
  conversation.updatedAt = now;
  const turn = left && conversation.turnsById.get(left.turn);
  if (turn?.state === 'running') leaveTurn(state, conversation, turn, left as LeftTurn);
  if (!whyNot(state, conversation)) state.changes.tell(fence.key, 'inbox');
  return true;
}

/** `Journal.due`. */
export function listDue(
  state: MemoryState,
  limit: number,
  { withinMs = 0 }: { withinMs?: number | undefined } = {},
): DueConversation[] {
  const found: Array<DueConversation & { since: number }> = [];
  for (const conversation of state.conversations.values()) {
    const turn = findDueTurn(state, conversation);
    if (!turn) continue;
    const isHandedOver = conversation.isHandedOver && turn.state === 'running';
    const recovered = isHandedOver || conversation.leases.at(-1)?.released === false;
    found.push({ key: conversation.key, recovered, since: waitsSince(turn) });
  }
  found.sort((one, other) => Number(other.recovered) - Number(one.recovered) || one.since - other.since);
  const due = found.slice(0, limit).map(({ key, recovered }) => ({ key, recovered }));
  return [...due, ...listNext(state, withinMs)];
}

/** The conversation with a turn to run whose lease runs out next, if that is soon. */
function listNext(state: MemoryState, withinMs: number): DueConversation[] {
  const now = state.now();
  let next: (DueConversation & { afterMs: number }) | undefined;
  for (const conversation of state.conversations.values()) {
    const held = findValidLease(state, conversation, now);
    const afterMs = held ? held.until - now : Infinity;
    if (afterMs > Math.min(withinMs, next?.afterMs ?? Infinity) || whyNot(state, conversation)) continue;
    next = { key: conversation.key, recovered: true, afterMs };
  }
  return next ? [next] : [];
}

/** The turn for which a lease would be granted. */
function findDueTurn(state: MemoryState, conversation: StoredConversation): TurnRecord | undefined {
  if (findValidLease(state, conversation) || whyNot(state, conversation)) return undefined;
  return findHeadTurn(conversation);
}

/** The time since which a turn could have begun. */
export function waitsSince({ notBefore, sentAt }: TurnRecord): number {
  return notBefore ?? sentAt;
}

/** Why nobody could work on a conversation now, even with its lease. Undefined if a turn could run. */
export function whyNot(
  state: MemoryState,
  conversation: StoredConversation,
): Extract<LeaseAnswer, { state: 'idle' | 'paused' }> | undefined {
  const turn = findHeadTurn(conversation);
  if (!turn || turn.state === 'parked') return { state: 'idle' };
  const now = state.now();
  if (turn.notBefore !== undefined && turn.notBefore > now) {
    return { state: 'idle', afterMs: turn.notBefore - now };
  }
  const pause = turn.state === 'queued' ? findPause(state, conversation.tenant) : undefined;
  return pause && { state: 'paused', forMs: pause.until - now, reason: pause.reason };
}

/** Whether there is more to do than the turn that this lease is working on. */
function hasWork(state: MemoryState, conversation: StoredConversation, epoch: number): boolean {
  const head = findHeadTurn(conversation);
  if (!head || head.state === 'parked') return false;
  if (head.epoch !== epoch) return !whyNot(state, conversation);
  const next = conversation.turns.slice(conversation.head + 1).find((turn) => turn.state === 'queued');
  if (!next || findPause(state, conversation.tenant)) return false;
  return next.notBefore === undefined || next.notBefore <= state.now();
}

function leaveTurn(
  state: MemoryState,
  conversation: StoredConversation,
  turn: TurnRecord,
  { turnCostUsd, failed = false, cutOff = false, afterMs = 0 }: LeftTurn,
): void {
  countCost(state, conversation, turn, turnCostUsd);
  if (!failed) turn.tries -= 1;
  const { reservation } = conversation;
  const waiting = reservation?.epoch === turn.epoch ? reservation.waiting : undefined;
  conversation.isHandedOver = !waiting && (!failed || cutOff);
  const isWoken = waiting?.wokenAt !== undefined;
  // A turn that was asked to end does not wait, and neither does one that was woken in the meantime.
  if (afterMs > 0 && !turn.stop && !isWoken) turn.notBefore = state.now() + afterMs;
  if (!waiting && !cutOff) dropReservation(state, conversation);
}
