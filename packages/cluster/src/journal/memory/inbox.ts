// The methods of the journal in memory that need no lease: send, cancel, interrupt, close and remove.
import { ClusterError } from '@inboard/core/errors.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { FIRST_MESSAGE_HINT } from '../check-names.js';
import type { NewTurn, TenantScope } from '../journal.js';
import type { TurnOutcome, TurnRecord } from '../records.js';
import { endStoredTurn } from './end-turn.js';
import { addTurnEvent } from './events.js';
import { findConversation, findHeadTurn, type MemoryState, type StoredConversation } from './memory-state.js';

/** `Journal.enqueue`. */
export function enqueue(
  state: MemoryState,
  sent: NewTurn,
  scope: TenantScope = {},
): { turn: TurnRecord; isNew: boolean } {
  if (scope.tenant !== undefined && !findConversation(state, sent.key, scope))
    throw unknownConversation(sent.key);
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
    costUsd: 0,
    epoch: 0,
    ...(sent.afterMs !== undefined && sent.afterMs > 0 && { notBefore: now + sent.afterMs }),
    ...(sent.trace !== undefined && { trace: sent.trace }),
    sentAt: now,
  };
  turns.push(turn);
  turnsById.set(turn.id, turn);
  addTurnEvent(state, conversation, turn, 0);
  state.changes.tell(key, 'inbox');
  return { turn, isNew: true };
}

/** `Journal.cancel`. */
export function cancel(state: MemoryState, key: string, id: string): boolean {
  const conversation = state.conversations.get(key);
  const turn = conversation?.turnsById.get(id);
  if (!conversation || turn?.state !== 'queued') return false;
  endStoredTurn(state, conversation, turn, { epoch: 0, outcome: createOutcome('cancelled', turn) });
  // Another turn may be the next one now.
  state.changes.tell(key, 'inbox');
  return true;
}

/** `Journal.interrupt`. */
export function interrupt(state: MemoryState, key: string, scope: TenantScope = {}): boolean {
  const conversation = findConversation(state, key, scope);
  const turn = conversation && findHeadTurn(conversation);
  if (!conversation || !turn || turn.state === 'queued') return false;
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
export function closeConversation(state: MemoryState, key: string): void {
  const conversation = state.conversations.get(key);
  if (!conversation) throw unknownConversation(key);
  if (conversation.closedAt !== undefined) return;
  conversation.closedAt = state.now();
  conversation.updatedAt = state.now();
  for (const { id, state: turnState } of conversation.turns)
    if (turnState === 'queued') cancel(state, key, id);
  interrupt(state, key);
}

/** `Journal.remove`. */
export function remove(state: MemoryState, key: string): boolean {
  const conversation = state.conversations.get(key);
  if (!conversation) return false;
  state.conversations.delete(key);
  for (const id of conversation.questions.keys()) state.questions.delete(id);
  for (const [name, session] of state.sessions) if (session.conversation === key) state.sessions.delete(name);
  // The worker that has the conversation checks its lease, and readers notice that the conversation is gone.
  state.changes.tell(key, 'stop', 'events');
  if (conversation.questions.size > 0) state.changes.tell(key, 'answer');
  return true;
}

function createConversation(state: MemoryState, { key, start }: NewTurn): StoredConversation {
  if (!start) throw unknownConversation(key, FIRST_MESSAGE_HINT);
  const now = state.now();
  const conversation: StoredConversation = {
    key,
    sessionId: randomUUID(),
    agent: start.agent,
    data: start.data,
    tenant: start.tenant,
    createdAt: now,
    updatedAt: now,
    closedAt: undefined,
    costUsd: 0,
    failure: undefined,
    turns: [],
    turnsById: new Map(),
    head: 0,
    leases: [],
    isHandedOver: false,
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

function createOutcome(kind: 'cancelled' | 'interrupted', { costUsd }: TurnRecord): TurnOutcome {
  return { ok: false, kind, text: '', costUsd };
}

function unknownConversation(key: string, hint = ''): ClusterError {
  return new ClusterError('CONVERSATION_UNKNOWN', `There is no conversation "${key}".${hint}`, { key });
}
