// The methods of the journal in memory that list conversations and workers, count everything, and read the history of a
// conversation.
import type { ConversationFilter, TenantScope } from '../journal.js';
import type { ConversationHistory, ConversationRecord, JournalStats, WorkerRecord } from '../records.js';
import { markSilence } from '../mark-silence.js';
import { countNoWaits } from '../wait-reasons.js';
import { sumSpending } from './limits.js';
import {
  findValidLease,
  recordConversation,
  stateOf,
  type MemoryState,
  type StoredConversation,
} from './memory-state.js';
import { listQuestions } from './questions.js';
import { listTranscriptEntries } from './transcripts.js';
import { countFailedTries, describeWait, findPlaceWantedSince, findWait } from './waiting.js';

const DEFAULT_LIMIT = 100;
const WORKER_SEEN_MS = 60_000;

/** `Journal.conversations`. */
export function listConversations(
  state: MemoryState,
  { tenant, state: wanted, failed, waitsFor, after, limit = DEFAULT_LIMIT }: ConversationFilter = {},
): ConversationRecord[] {
  return [...state.conversations.values()]
    .filter(
      (conversation) =>
        (after === undefined || conversation.key > after) &&
        (tenant === undefined || conversation.tenant === tenant) &&
        (wanted === undefined || stateOf(conversation) === wanted) &&
        (failed === undefined || hasFailed(state, conversation) === failed) &&
        !(failed === true && wanted === undefined && conversation.closedAt !== undefined) &&
        (waitsFor === undefined || findWait(state, conversation) === waitsFor),
    )
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .slice(0, limit)
    .map((conversation) => recordForReaders(state, conversation));
}

/** A conversation, with what it waits for. */
export function recordForReaders(state: MemoryState, conversation: StoredConversation): ConversationRecord {
  return { ...recordConversation(state, conversation), ...describeWait(state, conversation) };
}

function hasFailed(state: MemoryState, conversation: StoredConversation): boolean {
  return conversation.failure !== undefined || countFailedTries(state, conversation) > 0;
}

/** `Journal.stats`. */
export function countAll(state: MemoryState, { tenant }: TenantScope = {}): JournalStats {
  const isWanted = (each: { tenant?: string | undefined }): boolean =>
    tenant === undefined || each.tenant === tenant;
  const stats: JournalStats = {
    conversations: { idle: 0, queued: 0, running: 0, parked: 0, closed: 0 },
    turns: { queued: 0, running: 0, parked: 0, ended: 0 },
    oldestQueuedMs: 0,
    waiting: countNoWaits(),
    leases: 0,
    takeovers: tenant === undefined ? state.takeovers : 0,
    questions: 0,
    totalCostUsd: sumSpending(state, { tenant }),
  };
  for (const conversation of state.conversations.values()) {
    if (!isWanted(conversation)) continue;
    // A lease that was not released was taken over if another follows it.
    if (tenant !== undefined)
      stats.takeovers += conversation.leases.slice(0, -1).filter(({ released }) => !released).length;
    stats.conversations[stateOf(conversation)] += 1;
    for (const turn of conversation.turns) stats.turns[turn.state] += 1;
    if (findValidLease(state, conversation)) stats.leases += 1;
    const waitsFor = findWait(state, conversation);
    if (waitsFor && stats.waiting) stats.waiting[waitsFor] += 1;
    if (waitsFor === 'place')
      stats.oldestQueuedMs = Math.max(stats.oldestQueuedMs, state.now() - findPlaceWantedSince(conversation));
  }
  const asked = [...state.questions.values()].filter((question) => !question.answer && isWanted(question));
  stats.questions = asked.length;
  stats.oldestQuestionMs = asked.reduce((most, { askedAt }) => Math.max(most, state.now() - askedAt), 0);
  return stats;
}

/** `Journal.history`. */
export function readHistory(state: MemoryState, key: string): ConversationHistory | undefined {
  const conversation = state.conversations.get(key);
  if (!conversation) return undefined;
  const { leases, turns, events, calls } = conversation;
  return {
    conversation: recordForReaders(state, conversation),
    leases,
    turns,
    events,
    calls: [...calls.values()].map(({ endedEpoch: _ended, ...call }) => call),
    questions: listQuestions(state, { key, answered: true }),
    entries: listTranscriptEntries(state, conversation),
  };
}

/** `Journal.reportWorker`. */
export function reportWorker(state: MemoryState, worker: Omit<WorkerRecord, 'seenAt' | 'silentMs'>): void {
  state.workers.set(worker.name, { ...worker, seenAt: state.now() });
}

/** `Journal.removeWorker`. */
export function removeWorker(state: MemoryState, name: string): void {
  state.workers.delete(name);
}

/** `Journal.workers`. */
export function listWorkers(state: MemoryState): WorkerRecord[] {
  const now = state.now();
  for (const [name, { seenAt }] of state.workers)
    if (seenAt < now - WORKER_SEEN_MS) state.workers.delete(name);
  return [...state.workers.values()]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((worker) => markSilence(worker, now - worker.seenAt));
}
