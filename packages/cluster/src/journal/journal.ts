// The contract of a journal, the only source of truth of a cluster. All methods except `prune` take effect as a whole or not
// at all. A fence is lost when its lease is given back, a newer one is granted, or the conversation is removed. `renew` and
// `release` then say so, and other methods throw a LeaseLostError. Only `renew` and `next` refuse an expired lease. Wrong
// arguments are refused with an InvalidOptionsError, and a turn that is unknown or not under way with TURN_UNKNOWN.
import type { SessionStore } from '@inboard/core/wire/protocol/config/session-store.js';
import type { AuditFilter, AuditPage } from './audit-entry.js';
import type { Caller, CallerScope, ConversationFilter, QuestionFilter, TenantScope } from './filters.js';
import type { RetentionPolicy, RetentionReport, RetentionRun } from './retention.js';
import type { JournalAnswer, JournalQuestion, NewJournalQuestion } from './journal-question.js';
import type { LeaseAnswer, LeftTurn, RenewedLease } from './lease-answers.js';
import type { ReservationAnswer, ReservationRequest } from './reservation.js';
import type {
  CallRecord,
  ClusterEvent,
  ConversationFacts,
  ConversationHistory,
  ConversationRecord,
  Fence,
  JournalStats,
  Json,
  KnownCall,
  NewClusterEvent,
  Pause,
  TurnOutcome,
  TurnRecord,
  WorkerRecord,
} from './records.js';

export type { ConversationFilter, QuestionFilter, TenantScope } from './filters.js';
export type { LeaseAnswer, LeftTurn, RenewedLease } from './lease-answers.js';
export type { BudgetLimit, ReservationAnswer, ReservationRequest } from './reservation.js';

/** A message to store. */
export interface NewTurn {
  key: string;
  /** A second message with the same id creates no second turn, even in a closed conversation. Its other fields are ignored. */
  id: string;
  /** Stored as it is, including control characters in its texts. */
  content: Json;
  /** Describes the conversation. Without it, an unknown conversation is refused. It is ignored after the first message. */
  start?: ConversationFacts | undefined;
  /** Milliseconds from now. The turn does not begin earlier. */
  afterMs?: number | undefined;
  trace?: string | undefined;
}

/** A hint that something may have changed. It may be superfluous. Without `key`, it is about all conversations. */
export interface JournalChange {
  key?: string | undefined;
  /**
   * `inbox`: there is a turn to run. `stop`: a turn should end. `answer`: a question was answered, or removed. `question`: a
   * question was asked. `events`: there are new events. `ended`: a turn has its outcome (only a journal with `tellsEnded` has
   * to tell this).
   */
  kind: 'inbox' | 'stop' | 'answer' | 'question' | 'events' | 'ended';
}

/** The result of ending a turn. */
export interface FinishedTurn {
  /** False if the turn had already ended. Then nothing was stored. */
  ended: boolean;
  /** The turn to work on now, as `next` returns it. */
  next?: TurnRecord | undefined;
}

/** How a turn ends: the argument of `finish`. */
export interface TurnFinish {
  outcome: TurnOutcome;
  events?: readonly NewClusterEvent[] | undefined;
}

/** A conversation that a worker should look at. */
export interface DueConversation {
  key: string;
  /** Whether it goes first, because its last lease expired, or because a running turn was handed over or cut off. */
  recovered: boolean;
  /** Milliseconds until its lease runs out, unless it is renewed: not due yet. Only if `due` was asked for this. */
  afterMs?: number | undefined;
}

/**
 * Holds the state of a cluster. Every method may also reject with errors of the journal's own, for example when its database
 * cannot be reached.
 */
export interface Journal {
  /**
   * Whether `listen` tells `ended` for each outcome of a turn, and `stop` for a removed conversation. If so, a caller that
   * waits for an outcome reads only after these changes, and now and then. Otherwise it reads after any change.
   */
  readonly tellsEnded?: boolean | undefined;
  /** Makes the journal ready, once: connects, and brings the tables up to date. Every other method waits for it. */
  open(): Promise<void>;

  // Anybody may call these.

  /**
   * Stores a message durably, and creates the conversation with the first one. Refuses an unknown or closed conversation with a
   * ClusterError. With a scope, a conversation outside of it is unknown, and one is created only if `start` names the tenant of
   * the scope: in one step, so that no other tenant can create it in between.
   */
  enqueue(turn: NewTurn, scope?: CallerScope): Promise<{ turn: TurnRecord; isNew: boolean }>;
  conversation(key: string): Promise<ConversationRecord | undefined>;
  conversations(filter?: ConversationFilter): Promise<ConversationRecord[]>;
  turn(key: string, id: string): Promise<TurnRecord | undefined>;
  /** All turns of a conversation, sorted by place. Empty for an unknown conversation. */
  turns(key: string): Promise<TurnRecord[]>;
  /** Ends a turn that has not begun, as `cancelled`. False if it has begun or ended, or does not exist. */
  cancel(key: string, id: string, caller?: Caller): Promise<boolean>;
  /**
   * Asks for the current turn to end. A parked turn ends at once: its outcome is `interrupted`, with the cost so far. A running
   * turn ends when its owner reads `stop`, and no longer waits for `notBefore`. False if there is no current turn.
   */
  interrupt(key: string, scope?: CallerScope): Promise<boolean>;
  /**
   * Closes a conversation to new messages, cancels waiting turns, and interrupts the current one. A second call does nothing.
   * Refuses an unknown conversation with a ClusterError.
   */
  closeConversation(key: string, caller?: Caller): Promise<void>;
  /**
   * Stores an answer, with the journal's time. If its turn is parked, makes it `running` again. Only the first answer counts:
   * `taken` is false for later ones, and if the question does not exist.
   */
  answer(
    id: string,
    answer: JournalAnswer,
    scope?: TenantScope,
  ): Promise<{ taken: boolean; key?: string | undefined }>;
  /** Questions to people, and pending calls. */
  questions(filter?: QuestionFilter): Promise<JournalQuestion[]>;
  /**
   * Events with ids above `after` (default 0), in order, at most `limit` (default 1000). Empty for an unknown conversation. A
   * journal with `readWhole` may shorten large results of tools, and then says so in the event.
   */
  events(
    key: string,
    options?: TenantScope & { after?: number | undefined; limit?: number | undefined },
  ): Promise<ClusterEvent[]>;
  /** One event, with nothing shortened. Undefined if it does not exist. A journal without this method shortens nothing. */
  readWhole?(key: string, id: number, scope?: TenantScope): Promise<ClusterEvent | undefined>;
  /**
   * Calls `onChange` whenever something may have changed, in any process, until the returned object is disposed of. Never calls
   * `onChange` from inside another method of the journal. After a lost connection is restored, the change has no key.
   */
  listen(onChange: (change: JournalChange) => void): Promise<AsyncDisposable>;
  /**
   * Conversations for which `lease` would be granted: recovered ones first, then those whose turn waits longest, by when it was sent
   * or may begin. Of several workers that ask at the very same time, one may get them all, and the others an empty list. No worker can
   * keep the others from looking for long. Rejects if this process has no right to look. With `withinMs`, the list ends with the
   * conversation with work whose lease runs out next within that time, beyond the limit. A journal may leave that one out.
   */
  due(limit: number, options?: { withinMs?: number | undefined }): Promise<DueConversation[]>;
  /** Delays new turns, of one tenant or of all. Of two pauses for the same tenant, the one with the later end counts. */
  pause(pause: { tenant?: string | undefined; ms: number; reason: string }): Promise<void>;
  /**
   * Pauses that have not ended. With a scope, lists those that hold back this tenant's turns: its own pause, and the pause of
   * all tenants.
   */
  pauses(scope?: TenantScope): Promise<Pause[]>;
  /**
   * US dollars spent, by a tenant or by all, within the last `days` days (UTC, by the journal's clock), including today.
   * Without `days`, in total. Removed conversations count too.
   */
  spent(filter?: { tenant?: string | undefined; days?: number | undefined }): Promise<number>;
  /**
   * Stores the report of a worker. Rejects with a ClusterError JOURNAL_VERSION without a `cause` once the journal needs a newer
   * version of this package. The worker then ends.
   */
  reportWorker(worker: Omit<WorkerRecord, 'seenAt' | 'silentMs'>): Promise<void>;
  /** Takes a worker off the list at once, because it has ended normally. It is not an error if the worker is not listed. */
  removeWorker(name: string): Promise<void>;
  /** Workers that reported within the last minute, sorted by name. `silentMs` marks those that should have reported again. */
  workers(): Promise<WorkerRecord[]>;
  /**
   * The numbers of the journal, or with a scope those of one tenant. The `takeovers` of a tenant are counted from the leases
   * that are kept, so `remove` and `prune` lower them.
   */
  stats(scope?: TenantScope): Promise<JournalStats>;
  /**
   * Rejects with JOURNAL_UNAVAILABLE if there is next to no room left where the journal keeps its data. Leaves nothing behind. Of
   * a journal without this method, a lack of room is known only once a write was refused.
   */
  checkRoom?(): Promise<void>;
  history(key: string): Promise<ConversationHistory | undefined>;
  /**
   * Who sent, answered, completed, cancelled, interrupted, closed and forgot what, in order. An entry is written together with
   * what it reports. What was refused, or changed nothing, has none. Once an entry was returned, none with a lower number
   * appears. Forgetting takes everything from the entries but what was done, by whom and when. A journal without this method
   * keeps no audit.
   */
  audit?(filter?: AuditFilter): Promise<AuditPage>;
  /**
   * Removes everything that belongs to a conversation, including transcripts. A worker that has the conversation loses it, even
   * if a new one is created under the key. Of one that retention has removed, removes what the audit has left. False if there is
   * neither.
   */
  remove(key: string, caller?: Caller): Promise<boolean>;
  /**
   * Removes the name of a tenant from everything besides its conversations. Its pause is removed. The amount that it has spent
   * loses the name, but still counts in `spent()` without a tenant, and in `stats()`.
   */
  forgetTenant(tenant: string, caller?: Caller): Promise<void>;
  /**
   * Removes events of turns that ended longer ago than this, and leases that ended longer ago, except the newest of a
   * conversation. Returns how many rows it removed. Event ids keep counting up.
   */
  prune(olderThanMs: number): Promise<number>;
  /**
   * Removes what is older than a policy says, or counts it. Nothing of a conversation that has open work, an unanswered question,
   * a pending call or a valid lease. A run that is cut off may be made again. A journal without this method keeps everything.
   */
  retain?(policy: RetentionPolicy, run?: RetentionRun): Promise<RetentionReport>;
  /**
   * Takes the retention job for `ms` milliseconds, or keeps it. False while another owner has it, or if it was done less than
   * `everyMs` ago. With `done`, gives it back as done.
   */
  claimRetention?(claim: { owner: string; ms: number; everyMs: number; done?: boolean }): Promise<boolean>;

  // For workers. All methods except `lease` are for the worker that has the lease.

  /**
   * Grants a lease if a turn could run and no worker has the conversation, not even this owner. The lease is valid while the
   * journal's time is before its end.
   */
  lease(key: string, lease: { owner: string; ms: number }): Promise<LeaseAnswer>;
  /**
   * Renews leases until `ms` from now, all at once. A lease that has expired is not renewed, even if no worker took it: a
   * renewal that was delayed must not bring back a lease that its worker has given up. A lost lease is reported in the result
   * and throws nothing. A lease whose conversation is locked by another transaction is `skipped`. The results are in the given
   * order.
   */
  renew(fences: readonly Fence[], ms: number): Promise<RenewedLease[]>;
  /**
   * Releases a lease, together with the state of the running turn, if there is one. From then on its fence is lost. False if it
   * was already lost. A turn that is not running is left alone.
   */
  release(fence: Fence, left?: LeftTurn): Promise<boolean>;
  /**
   * The turn to work on: the running one, otherwise the next that may begin, which then becomes `running`. Undefined while a
   * turn is parked. The first call in a lease raises the turn's `attempt` and `tries`, sets its `epoch` and writes an event.
   * Refused with a LeaseLostError (`late`) if the lease has expired, even if no worker took it.
   */
  next(fence: Fence): Promise<TurnRecord | undefined>;
  /**
   * Ends the turn under way, with its last events, and removes its unanswered questions. `outcome.turnCostUsd` is the cost of the
   * whole turn. The part of it that was not counted before is counted now. Returns false and stores nothing if the turn had
   * already ended.
   */
  finish(fence: Fence, turn: string, end: TurnFinish): Promise<boolean>;
  /**
   * Does `finish` and then `next`, in one transaction. If a journal lacks this method, workers call the two. If the lease has
   * expired and no worker took it, the turn still ends, but no next turn begins.
   */
  finishAndNext?(fence: Fence, turn: string, end: TurnFinish): Promise<FinishedTurn>;
  /**
   * Reserves money for the turn under way, in place of what it had reserved: reservations of all turns and what is spent never
   * exceed a budget. `finish`, `park`, and `release` (unless the turn was cut off) give the reservation back; after a lease
   * that expired, the turn keeps it until its next attempt. A turn that lines up is given back with `release` and `afterMs`.
   * Once another turn gives money back, the one that has waited longest may begin at once, and the money is kept for it for
   * some seconds. If a journal lacks this method, turns that run at the same time may together exceed a budget.
   */
  reserve?(fence: Fence, turn: string, request: ReservationRequest): Promise<ReservationAnswer>;
  /**
   * Parks the running turn until one of its questions is answered, and lowers its `tries` by one. The lease stays until it is
   * given back. Returns false and changes nothing if there are no questions, if one of them is already answered or withdrawn,
   * or if the turn was asked to end or has ended. `turnCostUsd` is the turn's cost in this lease. It is counted now.
   */
  park(
    fence: Fence,
    turn: string,
    parked: { questions: readonly string[]; turnCostUsd: number },
  ): Promise<boolean>;
  /**
   * Stores a question of the current turn, with the journal's time. It replaces a question with the same id. Returns the answer
   * if the question already has one. Otherwise writes an event, once for each attempt in a lease: a worker that did not get this
   * answer may ask again.
   */
  ask(fence: Fence, turn: string, question: NewJournalQuestion): Promise<JournalAnswer | undefined>;
  /** Removes a question and its answer. Does nothing if the question is unknown, or of another conversation. */
  withdraw(fence: Fence, id: string): Promise<void>;
  /**
   * Writes down that a call begins, and returns what is known of it from earlier leases. A worker that did not get this answer
   * may ask again in the same lease: the beginning counts once, and the answer is the same. If a result is known, from any
   * lease, it is returned, and nothing is written.
   */
  beginCall(fence: Fence, call: CallRecord): Promise<KnownCall>;
  /** Stores the result of a call that was begun, replacing any earlier one. */
  endCall(fence: Fence, callKey: string, result: Json): Promise<void>;
  /**
   * Adds events and returns the id of the last. If the answer was lost, call it again with the same `batch`: it then adds
   * nothing and returns the same id. Without events, it returns the id of the newest event.
   */
  publish(fence: Fence, events: readonly NewClusterEvent[], batch?: string): Promise<number>;
  /**
   * Transcripts, with all optional methods except perhaps `listSessionSummaries`. With a fence, appended entries belong to its
   * conversation, and `append` and `delete` throw once the fence is lost. Without one, they are refused with an
   * InvalidOptionsError. Reading needs no fence.
   */
  store(fence?: Fence): SessionStore;

  /** Closes the journal. Every other method then rejects with a ClusterError CLUSTER_CLOSED. A second call does nothing. */
  close(): Promise<void>;
}
