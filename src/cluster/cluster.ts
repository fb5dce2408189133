// A cluster, as its users see it. Types only.
import type { DeletedSessionData, DeleteSessionDataOptions } from '../lifetime/session-data.js';
import type { PermissionResult } from '../wire/protocol/control/permission-question.js';
import type { MessageInput } from '../live/input/user-message.js';
import type { AsyncReader } from '../util/queues/async-queue.js';
import type { Dispatcher } from './dispatch/dispatcher.js';
import type { ConversationFilter, Journal } from './journal/journal.js';
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
import type { Agent, Agents } from './work/agents.js';
import type { ClusterTelemetry } from './work/host-parts.js';
import type { ClusterWorker, StepOptions, StepOutcome, WorkOptions } from './work/work-options.js';

/** What a cluster is made of: the same on every machine. */
export interface ClusterInput<A extends Agents = Agents> {
  /** What a conversation can be with, by name: each a function from a conversation to its options. */
  agents: A;
  /** Where the truth is. Default: in memory, for this process alone. */
  journal?: Journal | undefined;
  /** Who wakes workers. Default: what the journal tells its listeners; every worker with a free place then looks at each message. */
  dispatcher?: Dispatcher | undefined;
  /** How much turns may cost. Default: without limit. */
  budgets?: Budgets | undefined;
  /** Spans and numbers: `clusterTelemetry()` of `inboard/otel` makes it. */
  telemetry?: ClusterTelemetry | undefined;
  /** What failed and is made good by itself, such as a wake that did not reach the dispatcher. Default: a warning of the process, once for each kind. */
  onTrouble?: ((trouble: ClusterTrouble) => void) | undefined;
}

/** Something that failed and is tried again, or found by a worker's sweep. */
export interface ClusterTrouble {
  where: 'dispatcher' | 'journal';
  /** What was tried. */
  what: string;
  /** The conversation, where it is about one. */
  key?: string | undefined;
  error: unknown;
}

/** The data that an agent's function takes, as its parameter says; `Json` where it says nothing. */
export type AgentData<A extends Agent> =
  Parameters<A> extends readonly [{ readonly data: infer Data }, ...unknown[]]
    ? 0 extends 1 & Data
      ? Json | undefined
      : Data
    : Json | undefined;

/** What a conversation is, given with its first message. Its `data` must be JSON, and of the type that its agent takes. */
export type ConversationStart<A extends Agents = Agents> = {
  [Name in keyof A & string]: {
    agent: Name;
    /** On whose behalf: for budgets, lists and deletion. */
    tenant?: string | undefined;
  } & (undefined extends AgentData<A[Name]> ? { data?: AgentData<A[Name]> } : { data: AgentData<A[Name]> });
}[keyof A & string];

/** How a message is sent. */
export interface ClusterSendOptions {
  /** Names the turn: the same id again is the same turn, however often it is sent. Default: the `uuid` of a whole message, else a random one. */
  id?: string | undefined;
  /** Not begun before, by this process's clock; the turns behind it wait, too. What is past is now. */
  notBefore?: Date | number | undefined;
}

/** A message that is kept, and the turn it becomes. */
export interface SentTurn {
  readonly id: string;
  /** Where it is. Rejects with a ClusterError when the conversation was removed. */
  state(): Promise<ClusterTurnState>;
  /** All that is known of it. */
  record(): Promise<TurnRecord>;
  /** How it ended, also when that is long ago. Rejects with a ClusterError when the conversation was removed or the cluster closed, with an AbortError when the signal fires. */
  outcome(options?: { signal?: AbortSignal | undefined }): Promise<TurnOutcome>;
  /** Ends it before it begins; false when it has begun. */
  cancel(): Promise<boolean>;
}

/** Where reading begins, and when it ends. */
export interface ClusterEventsOptions {
  /** The id of the last event one has, also as text, as in a header `Last-Event-ID`; `'end'` for what comes from now on. Default: from the first. */
  after?: number | string | undefined;
  signal?: AbortSignal | undefined;
}

/** One conversation, wherever it runs. Making one asks nobody anything. */
export interface ClusterConversation {
  readonly key: string;
  /** Keeps a message; resolved means durable. Rejects with a ClusterError for a conversation that is closed, or unknown while its start was not given. */
  send(message: MessageInput, options?: ClusterSendOptions): Promise<SentTurn>;
  /** A turn that was sent before, from any process. */
  turn(id: string): SentTurn;
  /** All turns, in order. */
  turns(): Promise<TurnRecord[]>;
  /** Every event after a place, once and in order, then each as it comes, from any process. Ends with the signal, with the cluster, or when the conversation is removed; one that does not exist yet is waited for. */
  events(options?: ClusterEventsOptions): AsyncReader<ClusterEvent>;
  /** Ends the turn under way; false when none is. */
  interrupt(): Promise<boolean>;
  /** Takes no more messages: what waits is cancelled, the turn under way interrupted. */
  close(): Promise<void>;
  /** What it is and where it stands; undefined where there is none. */
  info(): Promise<ConversationRecord | undefined>;
}

/** Which questions. */
export interface ClusterApprovalFilter {
  conversation?: string | undefined;
  tenant?: string | undefined;
}

/** Questions to people, of all conversations. */
export interface ClusterApprovals {
  /** Those without an answer, oldest first; with `answered` also the others. */
  list(
    filter?: ClusterApprovalFilter & {
      id?: string | undefined;
      answered?: boolean | undefined;
      /** Default 1000. */
      limit?: number | undefined;
    },
  ): Promise<ClusterApproval[]>;
  /** Answers a question, with `allow()` or `deny(message)`; false when it has an answer already, or is not known. */
  answer(id: string, result: PermissionResult, by?: string | { by?: string | undefined }): Promise<boolean>;
  /** Every question without an answer: those there are, then each as it is asked, once for each attempt. Ends with the signal, or with the cluster. */
  watch(options?: ClusterApprovalFilter & { signal?: AbortSignal | undefined }): AsyncReader<ClusterApproval>;
}

/** The numbers of a cluster. */
export interface ClusterStats extends JournalStats {
  /** Processes that work, as they reported themselves within the last minute; `silentMs` marks those that have fallen silent. */
  workers: WorkerRecord[];
  /** Why new turns are put off, and until when. */
  pauses: Pause[];
}

/** What is to be forgotten: one conversation, or all of a tenant. */
export type ForgetChoice = (
  { conversation: string; tenant?: undefined } | { tenant: string; conversation?: undefined }
) & {
  /** Where the CLIs of this machine keep their files, and what else is looked at, as for `deleteSessionData()`. */
  local?: Pick<DeleteSessionDataOptions, 'env' | 'traces' | 'copies' | 'sharedFiles'> | undefined;
};

/** What was removed, and what could not be. */
export interface ForgottenData {
  /** Keys of the conversations that were removed from the journal, with all that belonged to them. */
  conversations: string[];
  /** Their transcripts' ids: what other machines may have is under these. */
  sessionIds: string[];
  /** What was deleted and kept on the disk of this machine. */
  local: DeletedSessionData;
  /** Workers other than this cluster object's own that had one of the conversations, as far as the journal still knew: what their CLIs left on other machines' disks was not looked at. */
  workers: string[];
  /** What is still there, and why: in words, for a report. */
  left: string[];
}

/** Conversations over many processes. Whoever makes one closes it. */
export interface Cluster<A extends Agents = Agents> extends AsyncDisposable {
  /** One conversation. `start` makes it with its first message, and is ignored later. Throws an InvalidOptionsError for a key or a start that is wrong. */
  conversation(key: string, start?: ConversationStart<A>): ClusterConversation;
  /** Those there are, in the order of keys; `after` and `limit` turn pages. */
  conversations(filter?: ConversationFilter): Promise<ConversationRecord[]>;
  readonly approvals: ClusterApprovals;
  /** Makes this process a worker; it ends with `close()` of it or of the cluster. */
  work(options?: WorkOptions): Promise<ClusterWorker>;
  /** Works on one conversation for one lease, and resolves when there is nothing left to do there: for schedulers of one's own. */
  step(key: string, options?: StepOptions): Promise<StepOutcome>;
  stats(): Promise<ClusterStats>;
  /** Removes all that belongs to a conversation or a tenant, and reports what was removed and what could not be reached. May be called again. */
  forget(choice: ForgetChoice): Promise<ForgottenData>;
  /** Ends everything: workers, readers, dispatcher and journal, unless another cluster of this process uses those two. */
  close(): Promise<void>;
}
