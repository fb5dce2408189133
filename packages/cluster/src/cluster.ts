// The types of a cluster as its users see it.
import type { HealthOptions, HealthReport } from '@inboard/core/health/health-report.js';
import type { DeletedSessionData, DeleteSessionDataOptions } from '@inboard/core/lifetime/session-data.js';
import type { PermissionResult } from '@inboard/core/wire/protocol/control/permission-question.js';
import type {
  Calls,
  CompleteOptions,
  PendingChange,
  WatchCallsOptions,
} from '@inboard/core/calls/pending/calls.js';
import type { MessageInput } from '@inboard/core/live/input/user-message.js';
import type { AsyncReader } from '@inboard/core/util/queues/async-queue.js';
import type { Dispatcher } from './dispatch/dispatcher.js';
import type { AuditEntry, AuditFilter } from './journal/audit-entry.js';
import type { RetentionPolicy, RetentionReport, RetentionRun } from './journal/retention.js';
import type { Caller } from './journal/filters.js';
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
import type { ClusterPendingCall, StepOutcome } from './step-outcome.js';
import type { ClusterWorker, StepOptions, WorkOptions } from './work/host/work-options.js';

/** The parts and limits of a cluster. Create it with the same input on every machine. */
export interface ClusterInput<A extends Agents = Agents> {
  /** The agents that a conversation can have, by name. Each is a function that returns the options for a conversation. */
  agents: A;
  /** Where everything is stored. Default: in memory, for this process alone. */
  journal?: Journal | undefined;
  /** What wakes workers. Default: hints of the journal. Every worker with a free place then looks at each message. */
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

/** A failure that the cluster recovers from: it tries again, or a worker's sweep finds the work. */
export interface ClusterTrouble {
  where: 'dispatcher' | 'journal';
  /** The attempt that failed, such as `wake a worker`. */
  what: string;
  /** The key of the conversation, if the trouble is about one. */
  key?: string | undefined;
  error: unknown;
}

/** The type of `data` in the parameter of an agent's function. It is `Json` if the parameter does not say. */
export type AgentData<A extends Agent> =
  Parameters<A> extends readonly [{ readonly data: infer Data }, ...unknown[]]
    ? 0 extends 1 & Data
      ? Json | undefined
      : Data
    : Json | undefined;

/** Describes a conversation. It is given with the first message. Its `data` must be JSON, of the type that its agent takes. */
export type ConversationStart<A extends Agents = Agents> = {
  [Name in keyof A & string]: {
    agent: Name;
    /**
     * Whom the conversation belongs to, for budgets, lists and deletion. A handle with a tenant does not see the conversation
     * if it belongs to another tenant, or to none. Default: no tenant, and the handle sees the conversation of any tenant.
     */
    tenant?: string | undefined;
  } & (undefined extends AgentData<A[Name]> ? { data?: AgentData<A[Name]> } : { data: AgentData<A[Name]> });
}[keyof A & string];

/** How a message is sent, and by whom. */
export interface ClusterSendOptions extends Caller {
  /**
   * The id of the turn. A second message with the same id creates no second turn. Default: the `uuid` of a whole message,
   * otherwise a random one.
   */
  id?: string | undefined;
  /**
   * The turn does not begin before this time, by this process's clock. Later turns of the conversation wait as well. A time in
   * the past means now.
   */
  notBefore?: Date | number | undefined;
}

/** A stored message, and the turn it becomes. */
export interface SentTurn {
  readonly id: string;
  /** The current state. Rejects with a ClusterError if the conversation was removed. */
  state(): Promise<ClusterTurnState>;
  /** The turn as the journal has it. */
  record(): Promise<TurnRecord>;
  /**
   * How the turn ended, even if that was long ago. Rejects with a ClusterError if the conversation was removed or the cluster
   * closed, and with an AbortError when the signal fires.
   */
  outcome(options?: { signal?: AbortSignal | undefined }): Promise<TurnOutcome>;
  /** Cancels the turn. Returns false if it has already begun or ended. */
  cancel(caller?: Caller): Promise<boolean>;
}

/** Where reading begins, and when it ends. */
export interface ClusterEventsOptions {
  /**
   * The id of the last event you have, as a number or a string (as in a header `Last-Event-ID`). Pass `'end'` for new events
   * only. Default: reading begins with the first event.
   */
  after?: number | string | undefined;
  signal?: AbortSignal | undefined;
}

/** One conversation, wherever it runs. Creating this object contacts nothing. */
export interface ClusterConversation {
  readonly key: string;
  /**
   * Stores a message. Once the promise resolves, the message is durable. Rejects with a ClusterError if the conversation is
   * closed, if it is unknown and no start was given, or if the key belongs to another tenant.
   */
  send(message: MessageInput, options?: ClusterSendOptions): Promise<SentTurn>;
  /** A turn that was sent before, from any process. */
  turn(id: string): SentTurn;
  /** All turns, in order. */
  turns(): Promise<TurnRecord[]>;
  /**
   * Reads every event after a given one, each once and in order, then waits for new ones. Works in any process. Ends with the
   * signal, with the cluster, or when the conversation is removed. If the conversation does not exist yet, waits for it.
   */
  events(options?: ClusterEventsOptions): AsyncReader<ClusterEvent>;
  /**
   * Reads one event with nothing shortened. Of a large tool result, `events()` gives only the beginning. Undefined if there is
   * no such event, or no longer.
   */
  readWhole(id: number): Promise<ClusterEvent | undefined>;
  /** Interrupts the current turn. Returns false if there is none. */
  interrupt(caller?: Caller): Promise<boolean>;
  /** Closes the conversation to new messages, cancels waiting turns and interrupts the current one. */
  close(caller?: Caller): Promise<void>;
  /** The record of the conversation, with its current state. Undefined if it does not exist. */
  info(): Promise<ConversationRecord | undefined>;
}

/** Selects the questions of one conversation, or of one tenant. */
export interface ClusterApprovalFilter {
  conversation?: string | undefined;
  tenant?: string | undefined;
}

/** Questions to people, from all conversations. */
export interface ClusterApprovals {
  /**
   * Lists unanswered questions, oldest first. With `answered`, lists answered ones as well. To read page by page, pass `limit`,
   * and the last question of the page before as `after`.
   */
  list(
    filter?: ClusterApprovalFilter & {
      id?: string | undefined;
      answered?: boolean | undefined;
      /** Lists only questions behind this one. If it is gone by now, others of the same millisecond may be listed again. */
      after?: QuestionFilter['after'];
      /** Default: all of them. */
      limit?: number | undefined;
    },
  ): Promise<ClusterApproval[]>;
  /**
   * Answers a question with `allow()` or `deny(message)`. Returns false if the question is already answered, or unknown.
   * Rejects with an InvalidOptionsError if the tool would refuse the changed input of the answer. Only the process that holds
   * the turn can check that. An answer from another process is stored, and the worker asks again.
   */
  answer(id: string, result: PermissionResult, by?: string | { by?: string | undefined }): Promise<boolean>;
  /**
   * Reads every unanswered question: first those that exist, then each new one, once for each attempt. Ends with the signal, or
   * with the cluster.
   */
  watch(options?: ClusterApprovalFilter & { signal?: AbortSignal | undefined }): AsyncReader<ClusterApproval>;
}

/** Pending calls of all conversations: those whose handlers returned `pending()`. */
export interface ClusterCalls extends Calls {
  /** With `tenant`, a call of another tenant, or of none, is unknown. */
  complete(callKey: string, value: unknown, options?: ClusterCompleteOptions): Promise<void>;
  /** Gives a pending call an error as its result. With `tenant`, a call of another tenant is unknown. */
  fail(callKey: string, error: Error | string, options?: ClusterCompleteOptions): Promise<void>;
  /** The pending calls, those that wait longest first. */
  list(filter?: ClusterApprovalFilter): Promise<ClusterPendingCall[]>;
  /** The pending calls, and then every change. Ends with the signal, or with the cluster. */
  watch(
    options?: ClusterApprovalFilter & WatchCallsOptions,
  ): AsyncIterableIterator<PendingChange & { call: ClusterPendingCall }>;
}

/** How a call of a cluster is completed. */
export interface ClusterCompleteOptions extends CompleteOptions {
  /** Completes the call only if it belongs to this tenant. Default: whatever tenant it belongs to. */
  tenant?: string | undefined;
}

/** The numbers of a cluster. */
export interface ClusterStats extends JournalStats {
  /** Worker processes that have reported within the last minute. `silentMs` marks those that have fallen silent. */
  workers: WorkerRecord[];
  /** Why new turns are put off, and until when. */
  pauses: Pause[];
  /** How long the oldest unanswered question or pending call has waited. 0 if there is none. */
  oldestQuestionMs: number;
}

/** What to forget, one conversation or all conversations of a tenant, and who asked for it. */
export type ForgetChoice = (
  { conversation: string; tenant?: undefined } | { tenant: string; conversation?: undefined }
) &
  Caller & {
    /**
     * Where the CLIs on this machine keep their files, and where else to look. The options are those of `deleteSessionData()`.
     */
    local?: Pick<DeleteSessionDataOptions, 'env' | 'traces' | 'copies' | 'sharedFiles'> | undefined;
  };

/** What was removed, and what could not be removed. */
export interface ForgottenData {
  /** Keys of the conversations that were removed from the journal, with everything that belonged to them. */
  conversations: string[];
  /** The ids of their transcripts, under which other machines may still have files. */
  sessionIds: string[];
  /** The report about this machine's disk: what was deleted, and what was kept. */
  local: DeletedSessionData;
  /**
   * Workers outside this cluster object that had one of the conversations, as far as the journal still knew. This process did
   * not look at the disks of other machines, where their CLIs may have left files.
   */
  workers: string[];
  /** Sentences for a report that say what is still there, and why. */
  left: string[];
}

/** Which entries of the audit to read. */
export interface ClusterAuditFilter extends Pick<AuditFilter, 'tenant' | 'by' | 'what' | 'after'> {
  /** Only entries of the conversation that has this key now. */
  conversation?: string | undefined;
  /** Only entries of this time or later. A number is milliseconds since 1970. */
  since?: Date | number | undefined;
  /** Only entries before this time. */
  until?: Date | number | undefined;
}

/** What to remove because of its age. */
export interface PruneOptions extends Pick<RetentionRun, 'apply' | 'by' | 'signal'> {}

/** Conversations across many processes. Close it when you are done. */
export interface Cluster<A extends Agents = Agents> extends AsyncDisposable {
  /**
   * One conversation. `start` creates it with its first message. Once the conversation exists, only the `tenant` of `start`
   * counts. If it is given, it must be the tenant of the conversation. Throws an InvalidOptionsError for a wrong key or start.
   */
  conversation(key: string, start?: ConversationStart<A>): ClusterConversation;
  /** Lists conversations, sorted by key. Use `after` and `limit` to read page by page. */
  conversations(filter?: ConversationFilter): Promise<ConversationRecord[]>;
  readonly approvals: ClusterApprovals;
  /** The calls whose handlers returned `pending()`. Any process that has the journal can complete them. */
  readonly calls: ClusterCalls;
  /** Makes this process a worker, until `close()` is called on the worker or the cluster. */
  work(options?: WorkOptions): Promise<ClusterWorker>;
  /**
   * Works on one conversation until there is nothing left to do in it now, or until one turn has ended. Call it from your own scheduler.
   * Rejects with an AbortError once the signal aborts, and with the error of a journal that cannot be reached.
   */
  step(key: string, options?: StepOptions): Promise<StepOutcome>;
  stats(): Promise<ClusterStats>;
  /**
   * Whether this process can do its part of the work now: its journal answers and takes writes, its tables fit, and its worker,
   * if it has one, is not about to end. Rejects only for wrong options.
   */
  health(options?: HealthOptions): Promise<HealthReport>;
  /**
   * What this process has done, and the numbers of the whole cluster, in the text format of Prometheus. The numbers of the cluster
   * are left out if the journal does not answer in time.
   */
  metrics(options?: HealthOptions): Promise<string>;
  /**
   * Removes everything that belongs to a conversation or a tenant, and reports what was removed and what could not be reached.
   * May be called again.
   */
  forget(choice: ForgetChoice): Promise<ForgottenData>;
  /**
   * Who sent, answered, completed, cancelled, interrupted, closed and forgot what, in order, up to now. Reads page by page. With
   * a tenant, only what belongs to it. To continue an export, pass the `seq` of its last entry as `after`.
   */
  audit(filter?: ClusterAuditFilter): AsyncIterableIterator<AuditEntry>;
  /**
   * Counts what is older than a policy says, by kind, and with `apply: true` removes it. Nothing of a conversation that has open
   * work is removed. May be called again after a run that was cut off.
   */
  prune(policy: RetentionPolicy, options?: PruneOptions): Promise<RetentionReport>;
  /**
   * Ends everything: workers and readers, and also the dispatcher and the journal, unless another cluster in this process uses
   * them.
   */
  close(): Promise<void>;
}
