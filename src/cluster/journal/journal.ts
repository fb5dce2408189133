// The contract of a journal: it holds the truth of a cluster, and decides what happened. Every method is one transaction. One
// that takes a fence changes something only until that lease is given back, a newer one is granted or the conversation removed
// (not merely until its time is over); else it throws a LeaseLostError and changes nothing. What is wrong in an argument is refused
// with an InvalidOptionsError (`check-names.ts`), and a turn that there is not, or that is not under way, with TURN_UNKNOWN.
import type { ApprovalAnswer, ApprovalQuestion } from '../../answer/permissions/approvals/approval.js';
import type { SessionStore } from '../../wire/protocol/config/session-store.js';
import type {
  CallRecord,
  ClusterApproval,
  ClusterEvent,
  ConversationFacts,
  ConversationHistory,
  ConversationRecord,
  ConversationState,
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

/** A message to be kept. */
export interface NewTurn {
  key: string;
  /** The same id again is the same turn, also in a closed conversation; its other fields are ignored then. */
  id: string;
  /** Kept as it is, with any control characters in its texts. */
  content: Json;
  /** What the conversation is, for the first message; ignored later. Without it an unknown conversation is refused. */
  start?: ConversationFacts | undefined;
  /** Milliseconds from now before which it does not begin. */
  afterMs?: number | undefined;
  trace?: string | undefined;
}

/** Whether a conversation could be had. */
export type LeaseAnswer =
  | {
      state: 'granted';
      fence: Fence;
      conversation: ConversationRecord;
      /** Milliseconds since the lease before ran out; undefined when it was given back, or there was none. What ran out and was taken over is counted in `stats().takeovers`. */
      takenOverAfterMs?: number | undefined;
    }
  /** Somebody has it, for at least so long. */
  | { state: 'held'; owner: string; forMs: number }
  /** Nothing to do, or the turn under way is parked; `afterMs` until the next turn may begin. */
  | { state: 'idle'; afterMs?: number | undefined }
  /** The next turn must wait. One that was cut off, or was parked and answered, is granted all the same. */
  | { state: 'paused'; forMs: number; reason: string }
  | { state: 'unknown' };

/** A turn under way whose lease is given back. */
export interface LeftTurn {
  turn: string;
  /** US dollars it cost in this lease, which are counted now. */
  costUsd: number;
  /** Whether something went wrong with it. Handed over in order (the default), its `tries` are lowered by one. */
  failed?: boolean | undefined;
  /** Milliseconds from now before which nobody goes on with it: `due` and `lease` treat it like one with `notBefore`. */
  afterMs?: number | undefined;
}

/** What became of a lease that was to be renewed. */
export interface RenewedLease {
  key: string;
  epoch: number;
  /** False: it is lost, for good. */
  held: boolean;
  /** Whether `next` would give a turn that this lease has not worked on yet, were the one it works on finished. */
  hasWork: boolean;
  /** The running turn that somebody wants to end. */
  stop?: string | undefined;
}

/** That something may have changed: always a hint, sometimes one too many, and without `key` about everything. */
export interface JournalChange {
  key?: string | undefined;
  /** `inbox`: a turn to run. `stop`: one to end. `answer`: a question was answered, or removed. `question`: one was asked. `events`: there are new ones. */
  kind: 'inbox' | 'stop' | 'answer' | 'question' | 'events';
}

/** A conversation that a worker should look at. */
export interface DueConversation {
  key: string;
  /** Whether its last lease ran out instead of being given back, or a turn under way was handed over with it in order: it goes first. */
  recovered: boolean;
}

/** Which conversations are listed: those with keys after `after`, in the order of keys. */
export interface ConversationFilter {
  tenant?: string | undefined;
  state?: ConversationState | undefined;
  after?: string | undefined;
  /** Default 100. */
  limit?: number | undefined;
}

/** Which questions are listed, oldest first. */
export interface QuestionFilter {
  id?: string | undefined;
  key?: string | undefined;
  tenant?: string | undefined;
  /** Also those with an answer. Default false. */
  answered?: boolean | undefined;
  /** Default 1000. */
  limit?: number | undefined;
}

/** Holds the truth of a cluster. Every method may reject, also with errors of its own when the database is away. */
export interface Journal {
  /** Makes it ready, once: connects, and brings tables up to date. Every other method waits for it. */
  open(): Promise<void>;

  // Anybody may call these.

  /** Keeps a message, and makes the conversation with the first. Resolved means durable. Refuses an unknown and a closed conversation with a ClusterError. */
  enqueue(turn: NewTurn): Promise<{ turn: TurnRecord; isNew: boolean }>;
  conversation(key: string): Promise<ConversationRecord | undefined>;
  conversations(filter?: ConversationFilter): Promise<ConversationRecord[]>;
  turn(key: string, id: string): Promise<TurnRecord | undefined>;
  /** In order of places; none of an unknown conversation. */
  turns(key: string): Promise<TurnRecord[]>;
  /** Ends a turn that has not begun, as `cancelled`; false when it is too late, or there is no such turn. */
  cancel(key: string, id: string): Promise<boolean>;
  /** Wants the turn under way to end: a parked one ends at once, as `interrupted` with what it has cost, a running one when its owner reads `stop`, and it waits for no `notBefore` any more. False when none is under way. */
  interrupt(key: string): Promise<boolean>;
  /** No more messages from now on: cancels those that wait, and interrupts the one under way. Again: nothing. Refuses an unknown conversation with a ClusterError. */
  closeConversation(key: string): Promise<void>;
  /** Keeps an answer, with the journal's time, and makes a parked turn it belongs to `running` again. The first counts: `taken` is false for others, and where there is no such question. */
  answer(id: string, answer: ApprovalAnswer): Promise<{ taken: boolean; key?: string | undefined }>;
  questions(filter?: QuestionFilter): Promise<ClusterApproval[]>;
  /** Events with ids above `after` (default 0), in order, at most `limit` (default 1000). None of an unknown conversation. */
  events(
    key: string,
    options?: { after?: number | undefined; limit?: number | undefined },
  ): Promise<ClusterEvent[]>;
  /** Calls back whenever something may have changed, in any process, until it is disposed of; never from inside a call of another method. After a connection was lost and found again it calls back without a key. */
  listen(onChange: (change: JournalChange) => void): Promise<AsyncDisposable>;
  /**
   * Conversations that `lease` would grant: recovered ones first, then those whose turn waits longest, by the time it was sent or may
   * begin. Of several workers that ask at the very same time, one may get them all and the others nothing.
   */
  due(limit: number): Promise<DueConversation[]>;
  /** Puts off the begin of new turns, of a tenant or of all. Of two for the same, the later end counts, with its reason. */
  pause(pause: { tenant?: string | undefined; ms: number; reason: string }): Promise<void>;
  /** Those that are not over. */
  pauses(): Promise<Pause[]>;
  /** US dollars spent, by a tenant or by all, in the last so many days (of UTC, by the journal's clock), today included; without `days` ever. What removed conversations cost stays counted. */
  spent(filter?: { tenant?: string | undefined; days?: number | undefined }): Promise<number>;
  reportWorker(worker: Omit<WorkerRecord, 'seenAt' | 'silentMs'>): Promise<void>;
  /** Takes a worker off the list at once: it has ended in order. One that is not listed is no error. */
  removeWorker(name: string): Promise<void>;
  /** Those that reported within the last minute, by name; `silentMs` marks those that should have done so again. */
  workers(): Promise<WorkerRecord[]>;
  stats(): Promise<JournalStats>;
  history(key: string): Promise<ConversationHistory | undefined>;
  /** Removes all that belongs to a conversation, transcripts too. A worker that has it loses it, also when a new one is made under the key. False when there is none. */
  remove(key: string): Promise<boolean>;
  /** Removes events of turns that ended longer ago, and leases before the newest that were over longer ago; gives how many rows. Numbers of events go on. */
  prune(olderThanMs: number): Promise<number>;

  // Only who has the lease may call these.

  /** Gives a lease where there is a turn that could run and nobody has the conversation, not even this owner. It is valid while the journal's time is before its end. */
  lease(key: string, lease: { owner: string; ms: number }): Promise<LeaseAnswer>;
  /** Renews leases by `ms` from now, all in one go, also those that ran out and nobody took; those that are lost are told as such, nothing is thrown for them. In the order given. */
  renew(fences: readonly Fence[], ms: number): Promise<RenewedLease[]>;
  /** Gives a lease back, with the running turn as it is left, if there is one: from now on its fence is lost; false when it is already. A turn that is not running is left alone. */
  release(fence: Fence, left?: LeftTurn): Promise<boolean>;
  /** The turn to work on: the running one, else the next that may begin, which then runs; nothing while one is parked. The first call in a lease raises its `attempt` and its `tries`, sets its `epoch` and writes an event. */
  next(fence: Fence): Promise<TurnRecord | undefined>;
  /**
   * Ends the turn under way, once, with its last events, and removes its questions that have no answer. `outcome.costUsd` is that of
   * the whole turn: what it is beyond the `costUsd` that is counted already is counted now. False when it has ended already: then
   * nothing is kept.
   */
  finish(
    fence: Fence,
    turn: string,
    end: { outcome: TurnOutcome; events?: readonly NewClusterEvent[] | undefined },
  ): Promise<boolean>;
  /**
   * Puts the running turn aside until a question of it is answered, and lowers its `tries` by one; the lease stays until it is given
   * back. False, and nothing happens, when one of these questions is answered already or withdrawn, when there are none, or when
   * somebody wants the turn to end (or it has ended). `costUsd` is what it cost in this lease; it is counted now.
   */
  park(
    fence: Fence,
    turn: string,
    parked: { questions: readonly string[]; costUsd: number },
  ): Promise<boolean>;
  /** Keeps a question of the turn under way, in place of one with the same id, with the journal's time, and gives the answer it has already; without one it writes an event. */
  ask(fence: Fence, turn: string, question: ApprovalQuestion): Promise<ApprovalAnswer | undefined>;
  /** Removes a question that nobody wants to have answered any more, and its answer; of another conversation, or unknown: nothing. */
  withdraw(fence: Fence, id: string): Promise<void>;
  /**
   * Writes down that a call begins, and tells what is known of it from before this lease: asked again in the same lease (a worker that
   * did not get the answer does), it counts once and answers the same. A result that is known, from whichever lease, is the answer,
   * and then nothing is written.
   */
  beginCall(fence: Fence, call: CallRecord): Promise<KnownCall>;
  /** Keeps the result of a call that was begun, in place of one there is. */
  endCall(fence: Fence, callKey: string, result: Json): Promise<void>;
  /** Adds events; gives the id of the last. With the `batch` of the call before, whose answer was lost, it adds nothing and gives the same id; without events it gives that of the newest there is. */
  publish(fence: Fence, events: readonly NewClusterEvent[], batch?: string): Promise<number>;
  /**
   * Transcripts, with all optional methods but `listSessionSummaries`, which it may leave out. With a fence, what is appended belongs to
   * its conversation, and `append` and `delete` throw once it is lost; without one they are refused with an InvalidOptionsError.
   * Reading needs no fence.
   */
  store(fence?: Fence): SessionStore;

  /** Every other method rejects from then on, with a ClusterError CLUSTER_CLOSED. Again: nothing. */
  close(): Promise<void>;
}
