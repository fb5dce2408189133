// A cluster, as its users see it. Types only.
import type { DeletedSessionData, DeleteSessionDataOptions } from '@inboard/core/lifetime/session-data.js';
import type { PermissionResult } from '@inboard/core/wire/protocol/control/permission-question.js';
import type { MessageInput } from '@inboard/core/live/input/user-message.js';
import type { AsyncReader } from '@inboard/core/util/queues/async-queue.js';
import type { Dispatcher } from './dispatch/dispatcher.js';
import type { ConversationFilter, Journal, QuestionFilter } from './journal/journal.js';
import type {
  ClusterApproval,
  ClusterEvent,
  ClusterTurnState,
  ConversationRecord,
  JournalStats,
  Json,
  Pause,
  TurnOutcome,
  TurnRecord,
  WorkerRecord,
} from './journal/records.js';
import type { Budgets } from './limits/budgets.js';
import type { Agent, Agents } from './work/host/agents.js';
import type { ClusterTelemetry } from './work/host/host-parts.js';
import type { ClusterWorker, StepOptions, StepOutcome, WorkOptions } from './work/host/work-options.js';

/** What a cluster is made of: the same on every machine. */
export interface ClusterInput<A extends Agents = Agents> {
  /** The agents that a conversation can have, by name. Each is a function that returns the options for a conversation. */
  agents: A;
  /** Where everything is stored. Default: in memory, for this process alone. */
  journal?: Journal | undefined;
  /** What wakes workers. Default: notifications from the journal; every worker with a free place then looks at each message. */
  dispatcher?: Dispatcher | undefined;
  /** How much turns may cost. Default: no limit. */
  budgets?: Budgets | undefined;
  /** Spans and metrics, as `clusterTelemetry()` of `inboard/otel` creates them. */
  telemetry?: ClusterTelemetry | undefined;
  /**
   * Called for failures that the cluster recovers from by itself, such as a wake that did not reach the dispatcher. Default: a
   * process warning, once for each kind.
   */
  onTrouble?: ((trouble: ClusterTrouble) => void) | undefined;
}

/** Something that failed and will be retried, or found by a worker's sweep. */
export interface ClusterTrouble {
  where: 'dispatcher' | 'journal';
  /** What was tried. */
  what: string;
  /** The conversation, if it is about one. */
  key?: string | undefined;
  error: unknown;
}

/** The data that an agent's function takes, from the type of its parameter; `Json` if that has none. */
export type AgentData<A extends Agent> =
  Parameters<A> extends readonly [{ readonly data: infer Data }, ...unknown[]]
    ? 0 extends 1 & Data
      ? Json | undefined
      : Data
    : Json | undefined;

/** Describes a conversation; given with its first message. Its `data` must be JSON, of the type that its agent takes. */
export type ConversationStart<A extends Agents = Agents> = {
  [Name in keyof A & string]: {
    agent: Name;
    /**
     * Whom the conversation belongs to, for budgets, lists and deletion. To a handle with a tenant, conversations of other
     * tenants, and of none, are unknown. Default: none, and the handle sees every conversation.
     */
    tenant?: string | undefined;
  } & (undefined extends AgentData<A[Name]> ? { data?: AgentData<A[Name]> } : { data: AgentData<A[Name]> });
}[keyof A & string];

/** How a message is sent. */
export interface ClusterSendOptions {
  /**
   * The id of the turn. Sending the same id again refers to the same turn, however often. Default: the `uuid` of a whole
   * message, otherwise a random one.
   */
  id?: string | undefined;
  /**
   * The turn does not begin before this time, by this process's clock; the turns behind it wait as well. A time in the past
   * means now.
   */
  notBefore?: Date | number | undefined;
}

/** A stored message, and the turn it becomes. */
export interface SentTurn {
  readonly id: string;
  /** The current state. Rejects with a ClusterError if the conversation was removed. */
  state(): Promise<ClusterTurnState>;
  /** Everything that is known about it. */
  record(): Promise<TurnRecord>;
  /**
   * How the turn ended, even if that was long ago. Rejects with a ClusterError if the conversation was removed or the cluster
   * closed, and with an AbortError when the signal fires.
   */
  outcome(options?: { signal?: AbortSignal | undefined }): Promise<TurnOutcome>;
  /** Cancels the turn before it begins; false if it has begun. */
  cancel(): Promise<boolean>;
}

/** Where reading begins, and when it ends. */
export interface ClusterEventsOptions {
  /**
   * The id of the last event you have, as a number or a string (as in a header `Last-Event-ID`); `'end'` for new events only.
   * Default: from the first.
   */
  after?: number | string | undefined;
  signal?: AbortSignal | undefined;
}

/** One conversation, wherever it runs. Creating this object contacts nothing. */
export interface ClusterConversation {
  readonly key: string;
  /**
   * Stores a message; once it resolves, the message is durable. Rejects with a ClusterError if the conversation is closed, if
   * it is unknown and no start was given, or if the key belongs to another tenant.
   */
  send(message: MessageInput, options?: ClusterSendOptions): Promise<SentTurn>;
  /** A turn that was sent before, from any process. */
  turn(id: string): SentTurn;
  /** All turns, in order. */
  turns(): Promise<TurnRecord[]>;
  /**
   * Every event after a given one, once and in order, then each new one, from any process. Ends with the signal, with the
   * cluster, or when the conversation is removed. Waits for a conversation that does not exist yet.
   */
  events(options?: ClusterEventsOptions): AsyncReader<ClusterEvent>;
  /**
   * One event, with nothing shortened: what `events()` gives of a large tool result is its beginning. Undefined if there is no
   * such event, or no longer.
   */
  readWhole(id: number): Promise<ClusterEvent | undefined>;
  /** Interrupts the current turn; false if there is none. */
  interrupt(): Promise<boolean>;
  /** Closes the conversation to new messages, cancels waiting turns and interrupts the current one. */
  close(): Promise<void>;
  /** What it is and its current state; undefined if it does not exist. */
  info(): Promise<ConversationRecord | undefined>;
}

/** Which questions. */
export interface ClusterApprovalFilter {
  conversation?: string | undefined;
  tenant?: string | undefined;
}

/** Questions to people, from all conversations. */
export interface ClusterApprovals {
  /**
   * Unanswered questions, oldest first; with `answered`, the others as well. To read them page by page, pass `limit`, and as
   * `after` the last question of the page before.
   */
  list(
    filter?: ClusterApprovalFilter & {
      id?: string | undefined;
      answered?: boolean | undefined;
      /** Only those behind this one. If it is gone by now, others of the same millisecond may be listed again. */
      after?: QuestionFilter['after'];
      /** Default: all of them. */
      limit?: number | undefined;
    },
  ): Promise<ClusterApproval[]>;
  /**
   * Answers a question with `allow()` or `deny(message)`; false if it is already answered, or unknown. A changed input that the
   * tool would refuse is rejected with an InvalidOptionsError if the worker that holds the turn is in this process; the
   * question then stays open. Otherwise the worker asks again.
   */
  answer(id: string, result: PermissionResult, by?: string | { by?: string | undefined }): Promise<boolean>;
  /**
   * Every unanswered question: first those that exist, then each new one, once for each attempt. Ends with the signal, or with
   * the cluster.
   */
  watch(options?: ClusterApprovalFilter & { signal?: AbortSignal | undefined }): AsyncReader<ClusterApproval>;
}

/** The numbers of a cluster. */
export interface ClusterStats extends JournalStats {
  /** Worker processes that have reported within the last minute; `silentMs` marks those that have fallen silent. */
  workers: WorkerRecord[];
  /** Why new turns are put off, and until when. */
  pauses: Pause[];
}

/** What to forget: one conversation, or all conversations of a tenant. */
export type ForgetChoice = (
  { conversation: string; tenant?: undefined } | { tenant: string; conversation?: undefined }
) & {
  /** Where the CLIs on this machine keep their files, and where else to look, as for `deleteSessionData()`. */
  local?: Pick<DeleteSessionDataOptions, 'env' | 'traces' | 'copies' | 'sharedFiles'> | undefined;
};

/** What was removed, and what could not be removed. */
export interface ForgottenData {
  /** Keys of the conversations that were removed from the journal, with everything that belonged to them. */
  conversations: string[];
  /** The ids of their transcripts, under which other machines may still have files. */
  sessionIds: string[];
  /** What was deleted on this machine's disk, and what was kept. */
  local: DeletedSessionData;
  /**
   * Workers outside this cluster object that had one of the conversations, as far as the journal still knew. What their CLIs
   * left on the disks of other machines was not checked.
   */
  workers: string[];
  /** What is still there, and why: sentences for a report. */
  left: string[];
}

/** Conversations across many processes. Close it when you are done. */
export interface Cluster<A extends Agents = Agents> extends AsyncDisposable {
  /**
   * One conversation. `start` creates it with its first message. Later only its `tenant` counts, which must be that of the
   * conversation. Throws an InvalidOptionsError for a wrong key or start.
   */
  conversation(key: string, start?: ConversationStart<A>): ClusterConversation;
  /** Lists conversations, sorted by key; use `after` and `limit` for paging. */
  conversations(filter?: ConversationFilter): Promise<ConversationRecord[]>;
  readonly approvals: ClusterApprovals;
  /** Makes this process a worker, until `close()` is called on the worker or the cluster. */
  work(options?: WorkOptions): Promise<ClusterWorker>;
  /** Works on one conversation for one lease, and resolves when nothing is left to do there: for your own scheduler. */
  step(key: string, options?: StepOptions): Promise<StepOutcome>;
  stats(): Promise<ClusterStats>;
  /**
   * Removes everything that belongs to a conversation or a tenant, and reports what was removed and what could not be reached.
   * May be called again.
   */
  forget(choice: ForgetChoice): Promise<ForgottenData>;
  /**
   * Ends everything: workers and readers, and also the dispatcher and the journal, unless another cluster in this process uses
   * them.
   */
  close(): Promise<void>;
}
