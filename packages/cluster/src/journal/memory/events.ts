// Events of the journal in memory. They are numbered from 1 without gaps, across all leases of a conversation.
import { measureJson } from '@inboard/core/util/measure-json.js';
import type { Journal, TenantScope } from '../journal.js';
import type { ClusterEvent, ClusterEventBody, Fence, NewClusterEvent, TurnRecord } from '../records.js';
import { isToShorten, shortenEvent } from '../shorten-event.js';
import { requireFence } from './fence.js';
import { findConversation, type MemoryState, type StoredConversation } from './memory-state.js';

const DEFAULT_LIMIT = 1000;

/** Adds an event. `epoch` is 0 for an event that needs no lease. */
export function addEvent(
  state: MemoryState,
  conversation: StoredConversation,
  { turn, epoch, ...body }: { turn: string; epoch: number } & ClusterEventBody,
): void {
  conversation.lastEventId += 1;
  const { key, lastEventId: id } = conversation;
  const event: ClusterEvent = { id, key, turn, at: state.now(), epoch, ...body };
  if (isToShorten(body)) {
    conversation.wholeEvents.set(id, event);
    conversation.events.push({ ...event, ...shortenEvent(body, measureJson(body, Infinity)) });
  } else conversation.events.push(event);
  conversation.updatedAt = state.now();
  state.changes.tell(key, 'events');
}

/** Adds an event with the current state of a turn. */
export function addTurnEvent(
  state: MemoryState,
  conversation: StoredConversation,
  turn: TurnRecord,
  epoch: number,
): void {
  const { id, state: turnState, attempt, outcome } = turn;
  const content = turnState === 'queued' ? turn.content : undefined;
  addEvent(state, conversation, {
    turn: id,
    epoch,
    type: 'turn',
    state: turnState,
    attempt,
    content,
    outcome,
  });
}

/** `Journal.publish`. */
export function publish(
  state: MemoryState,
  fence: Fence,
  events: readonly NewClusterEvent[],
  batch: string | undefined,
): number {
  const conversation = requireFence(state, fence);
  if (batch !== undefined && conversation.batch?.name === batch) return conversation.batch.lastId;
  for (const event of events) addEvent(state, conversation, { ...event, epoch: fence.epoch });
  if (batch !== undefined) conversation.batch = { name: batch, lastId: conversation.lastEventId };
  return conversation.lastEventId;
}

/** `Journal.events`. */
export function readEvents(
  state: MemoryState,
  key: string,
  { after = 0, limit = DEFAULT_LIMIT, tenant }: NonNullable<Parameters<Journal['events']>[1]> = {},
): ClusterEvent[] {
  const { events } = findConversation(state, key, { tenant }) ?? { events: [] };
  // Searches from the end, because most readers have read nearly all events.
  const last = events.findLastIndex(({ id }) => id <= after);
  return events.slice(last + 1, last + 1 + limit);
}

/** `Journal.readWhole`. */
export function readWhole(
  state: MemoryState,
  key: string,
  id: number,
  scope?: TenantScope,
): ClusterEvent | undefined {
  const conversation = findConversation(state, key, scope);
  return conversation?.wholeEvents.get(id) ?? conversation?.events.find((event) => event.id === id);
}

/** `Journal.prune`. */
export function prune(state: MemoryState, olderThanMs: number): number {
  const cutoff = state.now() - olderThanMs;
  let removed = 0;
  for (const conversation of state.conversations.values()) {
    const { events, leases, turnsById } = conversation;
    const isOld = ({ turn }: ClusterEvent): boolean => {
      const endedAt = turnsById.get(turn)?.endedAt;
      return endedAt !== undefined && endedAt <= cutoff;
    };
    conversation.events = events.filter((event) => !isOld(event));
    for (const event of conversation.wholeEvents.values())
      if (isOld(event)) conversation.wholeEvents.delete(event.id);
    conversation.leases = leases.filter((lease, at) => at === leases.length - 1 || lease.until > cutoff);
    removed += events.length - conversation.events.length + leases.length - conversation.leases.length;
  }
  return removed;
}
