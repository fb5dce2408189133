// What the turns of the journal in memory wait for while nobody works on them, and which of their tries have failed.
import { SILENT_AFTER_MS } from '../mark-silence.js';
import type { TurnWait } from '../records.js';
import { waitsSince } from './leases.js';
import { findPause } from './limits.js';
import { findHeadTurn, findValidLease, type MemoryState, type StoredConversation } from './memory-state.js';

/** What the turn of a conversation waits for. */
export function findWait(state: MemoryState, conversation: StoredConversation): TurnWait | undefined {
  const turn = findHeadTurn(conversation);
  if (conversation.closedAt !== undefined || !turn || turn.state === 'ended') return undefined;
  const now = state.now();
  const lease = findValidLease(state, conversation);
  if (lease) {
    const seenAt = state.workers.get(lease.owner)?.seenAt ?? Infinity;
    return seenAt <= now - SILENT_AFTER_MS ? 'lease' : undefined;
  }
  if (turn.state === 'parked') return 'answer';
  const waiting = conversation.reservation?.waiting;
  if (waiting && waiting.wokenAt === undefined) return 'budget';
  if (turn.notBefore !== undefined && turn.notBefore > now) return 'time';
  return turn.state === 'queued' && findPause(state, conversation.tenant) ? 'pause' : 'place';
}

/**
 * Since when the turn of a conversation waits for a place. For one that has begun: since its lease ended, since its answer came, or
 * since a budget had room for it, whichever was last.
 */
export function findPlaceWantedSince(conversation: StoredConversation): number {
  const turn = findHeadTurn(conversation);
  if (!turn) return Infinity;
  const since = waitsSince(turn);
  if (turn.state === 'queued') return since;
  const goesOn = conversation.events.findLast(
    (event) =>
      event.epoch === 0 && event.turn === turn.id && event.type === 'turn' && event.state === 'running',
  );
  return Math.max(
    since,
    conversation.leases.at(-1)?.until ?? since,
    goesOn?.at ?? since,
    conversation.reservation?.waiting?.wokenAt ?? since,
  );
}

/** How many tries of the turn under way have failed, or were cut off. */
export function countFailedTries(state: MemoryState, conversation: StoredConversation): number {
  const turn = findHeadTurn(conversation);
  if (turn?.state !== 'running') return 0;
  const isWorkedOn = findValidLease(state, conversation)?.epoch === turn.epoch;
  return Math.max(0, turn.tries - (isWorkedOn ? 1 : 0));
}

/** The facts about waiting and failing that a conversation shows. */
export function describeWait(
  state: MemoryState,
  conversation: StoredConversation,
): { waitsFor?: TurnWait; failedTries?: number } {
  const waitsFor = findWait(state, conversation);
  const failedTries = countFailedTries(state, conversation);
  return { ...(waitsFor && { waitsFor }), ...(failedTries > 0 && { failedTries }) };
}
