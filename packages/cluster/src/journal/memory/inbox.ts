// The methods of the journal in memory that need no lease: send, cancel, interrupt, close and remove.
import { ClusterError } from '@inboard/core/errors.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { FIRST_MESSAGE_HINT } from '../check-names.js';
import type { Caller, CallerScope } from '../filters.js';
import type { NewTurn } from '../journal.js';
import type { TurnOutcome, TurnRecord } from '../records.js';
import { eraseDeeds, noteDeed } from './audit.js';
import { endStoredTurn } from './end-turn.js';
import { addTurnEvent } from './events.js';
import { findConversation, findHeadTurn, type MemoryState, type StoredConversation } from './memory-state.js';
import { dropReservation } from './reservations.js';

/** `Journal.enqueue`. */
export function enqueue(
  state: MemoryState,
  sent: NewTurn,
  scope: CallerScope = {},
): { turn: TurnRecord; isNew: boolean } {
  const isForeign = scope.tenant !== undefined && !findConversation(state, sent.key, scope);
  const isCreated = !state.conversations.has(sent.key) && sent.start?.tenant === scope.tenant;
  if (isForeign && !isCreated) throw unknownConversation(sent.key);
  const known = state.conversations.get(sent.key)?.turnsById.get(sent.id);
  if (known) return { turn: known, isNew: false };
  const conversation = state.conversations.get(sent.key) ?? createConversation(state, sent);
  const { key, turns, turnsById } = conversation;
  if (conversation.closedAt !== undefined) {
    throw new ClusterError('CONVERSATION_CLOSED', `The conversation "${key}" is closed.`, { key });
  }
  const now = state.now();
  const turn: TurnRecord = {
    key,
    id: sent.id,
    place: turns.length + 1,
    uuid: randomUUID(),
    content: sent.content,
    state: 'queued',
    attempt: 0,
    tries: 0,
    turnCostUsd: 0,
    epoch: 0,
    ...(sent.afterMs !== undefined && sent.afterMs > 0 && { notBefore: now + sent.afterMs }),
    ...(sent.trace !== undefined && { trace: sent.trace }),
    sentAt: now,
  };
  turns.push(turn);
  turnsById.set(turn.id, turn);
  addTurnEvent(state, conversation, turn, 0);
  noteDeed(state, { what: 'sent', by: scope.by, turn: turn.id }, conversation);
  state.changes.tell(key, 'inbox');
  return { turn, isNew: true };
}

/** `Journal.cancel`. */
export function cancel(state: MemoryState, key: string, id: string, { by }: Caller = {}): boolean {
  const conversation = state.conversations.get(key);
  const turn = conversation?.turnsById.get(id);
  if (!conversation || turn?.state !== 'queued') return false;
  cancelTurn(state, conversation, turn);
  noteDeed(state, { what: 'cancelled', by, turn: id }, conversation);
  return true;
}

/** `Journal.interrupt`. */
export function interrupt(state: MemoryState, key: string, scope: CallerScope = {}): boolean {
  const conversation = findConversation(state, key, scope);
  const turn = conversation && findHeadTurn(conversation);
  // A turn that was asked to end before is not interrupted again.
  const isNew = turn?.stop === undefined;
  if (!conversation || !stopTurn(state, conversation, turn)) return false;
  if (isNew) noteDeed(state, { what: 'interrupted', by: scope.by, turn: turn?.id }, conversation);
  return true;
}

function stopTurn(
  state: MemoryState,
  conversation: StoredConversation,
  turn: TurnRecord | undefined,
): boolean {
  const { key } = conversation;
  if (!turn || turn.state === 'queued') return false;
  if (turn.state === 'parked') {
    endStoredTurn(state, conversation, turn, { epoch: 0, outcome: createOutcome('interrupted', turn) });
    state.changes.tell(key, 'inbox');
    return true;
  }
  turn.stop = 'interrupt';
  delete turn.notBefore;
  conversation.updatedAt = state.now();
  state.changes.tell(key, 'stop', 'inbox');
  return true;
}

/** `Journal.closeConversation`. */
export function closeConversation(state: MemoryState, key: string, { by }: Caller = {}): void {
  const conversation = state.conversations.get(key);
  if (!conversation) throw unknownConversation(key);
  if (conversation.closedAt !== undefined) return;
  conversation.closedAt = state.now();
  conversation.updatedAt = state.now();
  for (const turn of conversation.turns) if (turn.state === 'queued') cancelTurn(state, conversation, turn);
  stopTurn(state, conversation, findHeadTurn(conversation));
  noteDeed(state, { what: 'closed', by }, conversation);
}

function cancelTurn(state: MemoryState, conversation: StoredConversation, turn: TurnRecord): void {
  endStoredTurn(state, conversation, turn, { epoch: 0, outcome: createOutcome('cancelled', turn) });
  // Another turn may be the next one now.
  state.changes.tell(conversation.key, 'inbox');
}

/** `Journal.remove`. */
export function remove(state: MemoryState, key: string, { by }: Caller = {}): boolean {
  const conversation = state.conversations.get(key);
  if (!conversation) {
    // Retention may have removed it, and left its entries.
    const { conversationNumber: number, tenant } = eraseDeeds(state, key, 'all') ?? {};
    if (number === undefined) return false;
    noteDeed(state, { what: 'forgotten', by }, { number, tenant });
    return true;
  }
  const { tenant } = conversation;
  removeConversation(state, conversation);
  eraseDeeds(state, key, { tenant });
  noteDeed(state, { what: 'forgotten', by }, { ...conversation, key: undefined });
  return true;
}

/** Removes a conversation and all that belongs to it, except its entries in the audit. */
export function removeConversation(state: MemoryState, conversation: StoredConversation): void {
  const { key } = conversation;
  state.conversations.delete(key);
  dropReservation(state, conversation);
  for (const id of conversation.questions.keys()) state.questions.delete(id);
  for (const [name, session] of state.sessions) if (session.conversation === key) state.sessions.delete(name);
  // The worker that has the conversation checks its lease, and readers notice that the conversation is gone.
  state.changes.tell(key, 'stop', 'events');
  if (conversation.questions.size > 0) state.changes.tell(key, 'answer');
}

function createConversation(state: MemoryState, { key, start }: NewTurn): StoredConversation {
  if (!start) throw unknownConversation(key, FIRST_MESSAGE_HINT);
  const now = state.now();
  state.conversationCount += 1;
  const conversation: StoredConversation = {
    key,
    number: state.conversationCount,
    sessionId: randomUUID(),
    agent: start.agent,
    data: start.data,
    tenant: start.tenant,
    createdAt: now,
    updatedAt: now,
    closedAt: undefined,
    totalCostUsd: 0,
    failure: undefined,
    turns: [],
    turnsById: new Map(),
    head: 0,
    leases: [],
    isHandedOver: false,
    reservation: undefined,
    events: [],
    wholeEvents: new Map(),
    lastEventId: 0,
    batch: undefined,
    calls: new Map(),
    questions: new Map(),
  };
  state.conversations.set(key, conversation);
  return conversation;
}

function createOutcome(kind: 'cancelled' | 'interrupted', { turnCostUsd }: TurnRecord): TurnOutcome {
  return { ok: false, kind, text: '', turnCostUsd };
}

function unknownConversation(key: string, hint = ''): ClusterError {
  return new ClusterError('CONVERSATION_UNKNOWN', `There is no conversation "${key}".${hint}`, { key });
}
