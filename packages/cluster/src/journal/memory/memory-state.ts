// The data that a journal in memory keeps, and the functions that find and describe parts of it. The other files in this
// folder change the data.
import { ClusterError } from '@inboard/core/errors.js';
import type { SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import type {
  CallRecord,
  ClusterEvent,
  ConversationFacts,
  ConversationFailure,
  ConversationRecord,
  ConversationState,
  Json,
  LeaseHistory,
  Pause,
  TurnRecord,
  WorkerRecord,
} from '../records.js';
import type { TenantScope } from '../journal.js';
import type { JournalQuestion } from '../journal-question.js';
import type { AuditEntry } from '../audit-entry.js';
import type { Changes } from './changes.js';

/** A call, with the lease in which its newest result was written. */
export interface StoredCall extends CallRecord {
  epoch: number;
  begun: number;
  ended: number;
  endedEpoch: number;
  result?: Json;
}

/** What a running turn holds back from its budgets. */
export interface StoredReservation {
  turn: string;
  epoch: number;
  /** The budgets that the turn shares with other conversations. */
  scopes: ReadonlySet<string>;
  usd: number;
  /** Set while the turn waits: for which budget, what it wants of it, its place in the line, since when, and when it was woken. */
  waiting?:
    { blocked: string; wanted: number; since: number; at: number; wokenAt: number | undefined } | undefined;
}

/** A conversation with all that belongs to it, except its transcripts, which are in `MemoryState.sessions`. */
export interface StoredConversation extends ConversationFacts {
  key: string;
  /** No other conversation ever has this number. */
  number: number;
  sessionId: string;
  createdAt: number;
  updatedAt: number;
  closedAt: number | undefined;
  totalCostUsd: number;
  failure: ConversationFailure | undefined;
  /** Sorted by place. */
  turns: TurnRecord[];
  turnsById: Map<string, TurnRecord>;
  /** The index of the first turn that has not ended. */
  head: number;
  /** The newest lease is the last. Only that one counts, unless it was given back. */
  leases: LeaseHistory[];
  /** Whether the newest lease was released with a running turn that another worker should continue first. */
  isHandedOver: boolean;
  reservation: StoredReservation | undefined;
  events: ClusterEvent[];
  /** The unshortened form of the events that are shortened in `events`, by id. */
  wholeEvents: Map<number, ClusterEvent>;
  lastEventId: number;
  /** The newest call of `publish` that gave a `batch`. */
  batch: { name: string; lastId: number } | undefined;
  calls: Map<string, StoredCall>;
  /** Questions by id. `MemoryState.questions` has them too, so that they are found without the conversation. */
  questions: Map<string, JournalQuestion>;
}

/** A transcript, each entry with the epoch under which it was written. */
export interface StoredTranscript {
  entries: Array<{ epoch: number; entry: SessionStoreEntry }>;
  uuids: Set<string>;
}

/** The transcripts of a session, and the conversation that wrote them. */
export interface MemorySession {
  conversation: string;
  projectKey: string;
  sessionId: string;
  /** When the session's own transcript was last appended to. */
  changedAt: number;
  /** By subpath. The session's own transcript has the empty string. */
  transcripts: Map<string, StoredTranscript>;
}

/** The whole state of a journal. */
export interface MemoryState {
  now: () => number;
  changes: Changes;
  conversations: Map<string, StoredConversation>;
  questions: Map<string, JournalQuestion>;
  /** By project and session. */
  sessions: Map<string, MemorySession>;
  pauses: Map<string | undefined, Pause>;
  /** US dollars by UTC day, then by tenant. */
  spending: Map<number, Map<string | undefined, number>>;
  workers: Map<string, WorkerRecord>;
  /** The newest epoch of all conversations. */
  epoch: number;
  takeovers: number;
  /** How often a turn has lined up for a budget. */
  waited: number;
  lastTranscriptTime: number;
  /** How many conversations there have been. */
  conversationCount: number;
  /** Sorted by number. */
  audit: AuditEntry[];
  /** Who has the retention job until when, and when it was last done. */
  retention: { owner?: string; until: number; doneAt: number };
  auditSeq: number;
}

/** Creates an empty state. */
export function createMemoryState(now: () => number, changes: Changes): MemoryState {
  return {
    now,
    changes,
    conversations: new Map(),
    questions: new Map(),
    sessions: new Map(),
    pauses: new Map(),
    spending: new Map(),
    workers: new Map(),
    epoch: 0,
    takeovers: 0,
    waited: 0,
    lastTranscriptTime: 0,
    conversationCount: 0,
    audit: [],
    retention: { until: -Infinity, doneAt: -Infinity },
    auditSeq: 0,
  };
}

/** Finds a conversation by its key. One outside of the scope is not found. */
export function findConversation(
  { conversations }: MemoryState,
  key: string,
  { tenant }: TenantScope = {},
): StoredConversation | undefined {
  const found = conversations.get(key);
  return tenant === undefined || found?.tenant === tenant ? found : undefined;
}

/** The turn that runs, is parked, or would begin next. */
export function findHeadTurn(conversation: StoredConversation): TurnRecord | undefined {
  const { turns } = conversation;
  while (turns[conversation.head]?.state === 'ended') conversation.head += 1;
  return turns[conversation.head];
}

/** The lease that is valid now. */
export function findValidLease(
  state: MemoryState,
  { leases }: StoredConversation,
  now: number = state.now(),
): LeaseHistory | undefined {
  const newest = leases.at(-1);
  return newest && !newest.released && now < newest.until ? newest : undefined;
}

/** Finds a turn by its id. Throws a ClusterError TURN_UNKNOWN if the conversation has no such turn. */
export function requireTurn(conversation: StoredConversation, id: string): TurnRecord {
  const turn = conversation.turnsById.get(id);
  if (turn) return turn;
  const { key } = conversation;
  throw new ClusterError('TURN_UNKNOWN', `The conversation "${key}" has no turn "${id}".`, { key });
}

/** A conversation as everybody sees it. */
export function recordConversation(state: MemoryState, conversation: StoredConversation): ConversationRecord {
  const { key, sessionId, agent, data, tenant, totalCostUsd, failure, lastEventId } = conversation;
  const { createdAt, updatedAt, closedAt } = conversation;
  const lease = findValidLease(state, conversation);
  return {
    key,
    sessionId,
    agent,
    data,
    tenant,
    state: stateOf(conversation),
    lease: lease && { owner: lease.owner, epoch: lease.epoch, expiresAt: lease.until },
    turns: conversation.turns.length,
    queued: conversation.turns.slice(conversation.head).filter((turn) => turn.state === 'queued').length,
    questions: openQuestions(conversation).length,
    totalCostUsd,
    failure,
    lastEventId,
    createdAt,
    updatedAt,
    closedAt,
  };
}

export function stateOf(conversation: StoredConversation): ConversationState {
  if (conversation.closedAt !== undefined) return 'closed';
  const turn = findHeadTurn(conversation);
  return !turn || turn.state === 'ended' ? 'idle' : turn.state;
}

/** The questions of a conversation that have no answer. With a turn, only those of that turn. */
export function openQuestions({ questions }: StoredConversation, turn?: string): JournalQuestion[] {
  return [...questions.values()].filter(
    (question) => !question.answer && (turn === undefined || question.turn === turn),
  );
}
