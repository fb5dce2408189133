// The types of a journal's records, which are plain data: conversations, turns, questions, tool calls and events. All times are
// milliseconds since 1970 by the journal's own clock, never by a worker's.
import type { Approval } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { JournalQuestion } from './journal-question.js';

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * The right to write to a conversation. It lasts from the grant of a lease until its release, or until the next lease is
 * granted. Epochs only grow, across all conversations of a journal.
 */
export interface Fence {
  readonly key: string;
  readonly epoch: number;
  /** The name of the worker. */
  readonly owner: string;
}

/** Describes a conversation, from its first message on. */
export interface ConversationFacts {
  /** The name of its agent. */
  agent: string;
  /** The data for the agent, as given with the first message. */
  data: Json;
  /** Whom it belongs to. */
  tenant?: string | undefined;
}

/**
 * The state of a conversation. `closed` takes precedence, then the state of its current turn. An `idle` conversation has
 * nothing to do. A `parked` one waits for a person, or for the result of a pending call.
 */
export type ConversationState = 'idle' | 'queued' | 'running' | 'parked' | 'closed';

/** The turn that failed last. */
export interface ConversationFailure {
  /** The id of the turn. */
  turn: string;
  /** The `kind` of the turn's outcome. */
  kind: string;
  /** The code of its named error. */
  code?: string | undefined;
}

/**
 * What the turn of a conversation waits for while no worker works on it. `place`: a free place of a worker; the turn could begin,
 * or go on, now. `budget`: money that running turns have reserved. `answer`: a person, or the result of a pending call. `time`: it
 * was sent for later, or its last try has failed. `pause`: the end of a pause. `lease`: the end of the lease of a worker that is
 * silent.
 */
export type TurnWait = 'place' | 'budget' | 'answer' | 'time' | 'pause' | 'lease';

/** A conversation, as everybody sees it. */
export interface ConversationRecord extends ConversationFacts {
  key: string;
  /** The id of its transcript. */
  sessionId: string;
  state: ConversationState;
  /** The valid lease, if there is one. */
  lease?: { owner: string; epoch: number; expiresAt: number } | undefined;
  /** The number of all turns. `queued` is the number of those that wait to begin. */
  turns: number;
  queued: number;
  /** Questions without an answer, and pending calls without a result. */
  questions: number;
  /** US dollars of all its turns, as far as they are counted. */
  totalCostUsd: number;
  /** Set once a turn has failed, until a later turn succeeds or is interrupted. A cancelled turn changes nothing. */
  failure?: ConversationFailure | undefined;
  /** How many tries of the turn under way have failed, or were cut off. Absent if none has. */
  failedTries?: number | undefined;
  /** Absent if a worker has the conversation, or if there is nothing to do. Some journals never say it. */
  waitsFor?: TurnWait | undefined;
  /** The id of the newest event, or 0 if there is none. */
  lastEventId: number;
  createdAt: number;
  updatedAt: number;
  closedAt?: number | undefined;
}

/**
 * The state of a turn. A `running` turn without a valid lease was cut off and will be resumed. A `parked` turn waits for a
 * person, or for the result of a pending call.
 */
export type ClusterTurnState = 'queued' | 'running' | 'parked' | 'ended';

/** How a turn ended. */
export interface TurnOutcome {
  ok: boolean;
  /**
   * The kind of an `Outcome`, or one of these. `cancelled`: the turn was cancelled before it began. `refused`: a budget was
   * used up. `failed`: it failed outside the CLI, with a named `error`. `lost`: its answer is unknown.
   */
  kind: string;
  /** The answer, or what went wrong. */
  text: string;
  /** The named error of a turn that failed before or outside the CLI. */
  error?: { code: string; message: string } | undefined;
  /** The known cost of the whole turn, in US dollars. */
  turnCostUsd: number;
  /** The `turns` of the outcome. */
  rounds?: number | undefined;
  durationMs?: number | undefined;
  structuredOutput?: Json | undefined;
  /** Calls that were cut off, in any worker, and what became of them before the turn went on. */
  completedCalls?:
    | ReadonlyArray<{
        callKey: string;
        toolUseId: string;
        toolName: string;
        how: 'recorded' | 'ran' | 'denied' | 'notRun' | 'unknown';
        /** Whether a person had allowed it. */
        allowed?: boolean | undefined;
        by?: string | undefined;
        /** Whether the model was told before it went on. */
        delivered: boolean;
        reason?: string | undefined;
      }>
    | undefined;
  /** Set if the answer was found in the transcript. The worker that had the answer died before it could report it. */
  recovered?: true | undefined;
}

/** One message and its answer. */
export interface TurnRecord {
  key: string;
  id: string;
  /** Its place among the turns of the conversation, from 1. */
  place: number;
  /** The UUID of the message in the transcript. */
  uuid: string;
  /** The text, or the content blocks of the user's message. */
  content: Json;
  state: ClusterTurnState;
  /** How many leases have worked on it. Those that only found that it waits count, too: `tries` leaves them out. */
  attempt: number;
  /**
   * How many leases count as tries. Leases that parked the turn or handed it over properly do not count. Nor do most leases
   * that were lost before a CLI was started. Workers limit this number, so that a turn that kills its workers ends.
   */
  tries: number;
  /** US dollars counted so far, in the leases that parked or released the turn. After its end, the cost of the whole turn. */
  turnCostUsd: number;
  /** The epoch of the newest lease that worked on it, or 0 before the first. */
  epoch: number;
  /** The turn does not begin before this time. Later turns of the conversation wait with it. */
  notBefore?: number | undefined;
  /** Set if the turn was asked to end. */
  stop?: 'interrupt' | undefined;
  /** The trace it was sent in, in the form of the header `traceparent`. */
  trace?: string | undefined;
  sentAt: number;
  startedAt?: number | undefined;
  endedAt?: number | undefined;
  outcome?: TurnOutcome | undefined;
}

/** A question to a person, with the conversation it comes from. */
export interface ClusterApproval extends Approval {
  conversation: string;
  turn: string;
  tenant?: string | undefined;
}

/** What a journal knows about a tool call that is about to begin. */
export type KnownCall =
  | { state: 'new' }
  /** The call was begun before, and its end is unknown. `begun` says how often, not counting this time. */
  | { state: 'begun'; begun: number }
  /** Its result is known. */
  | { state: 'ended'; begun: number; result: Json };

/** A tool call, as recorded before its handler runs. */
export interface CallRecord {
  callKey: string;
  turn: string;
  toolName: string;
  input: Json;
}

/**
 * What an event says. `message` has a message of the CLI. A large tool result in it is shortened. The journal itself writes
 * `turn`, `question` and `answer`, each in the same transaction as the change that it reports.
 */
export type ClusterEventBody =
  | {
      type: 'message';
      message: Json;
      /**
       * Set if `message` has only the beginning of its long texts and lists. `characters` is about the length of the whole
       * JSON, which `readWhole()` of the conversation reads.
       */
      shortened?: { characters: number } | undefined;
    }
  /** Some pieces of the answer that the model is still writing, joined. */
  | { type: 'text'; text: string }
  /**
   * `content` is the user's message, and comes with `queued`. `outcome` comes with `ended`. So the events alone describe a
   * conversation completely.
   */
  | {
      type: 'turn';
      state: ClusterTurnState;
      attempt: number;
      content?: Json | undefined;
      outcome?: TurnOutcome | undefined;
    }
  | {
      type: 'question';
      /** Its id. */
      question: string;
      toolName?: string | undefined;
      title?: string | undefined;
      attempt: number;
      /** Set for a pending call, which asks no person. `title` is its note, and the answer is its result. */
      pending?: true | undefined;
    }
  | { type: 'answer'; question: string; behavior: 'allow' | 'deny'; by?: string | undefined };

/** An event that a worker publishes, before it has a number. */
export type NewClusterEvent = { turn: string } & (
  { type: 'message'; message: Json } | Extract<ClusterEventBody, { type: 'text' }>
);

/** One thing that happened in a conversation. Events get their ids in order: whole numbers from 1, without gaps. */
export type ClusterEvent = {
  id: number;
  key: string;
  turn: string;
  at: number;
  /**
   * The lease under which it was written. It is 0 for events that need no lease: a message was sent or cancelled, a question
   * was answered, or a parked turn was interrupted or resumed.
   */
  epoch: number;
} & ClusterEventBody;

/** Says until when new turns of a tenant, or of all tenants, are delayed, because the API refuses more. */
export interface Pause {
  tenant?: string | undefined;
  until: number;
  reason: string;
}

/** A worker process, as it last reported itself. */
export interface WorkerRecord {
  name: string;
  /** How many turns it runs at the same time. */
  concurrency: number;
  running: number;
  /** Conversations whose CLI is waiting for another message. */
  warm: number;
  draining: boolean;
  /** When it last reported. A worker reports every five seconds until it has ended. */
  seenAt: number;
  /**
   * Milliseconds since it last reported, by the journal's clock. Set only after 12 seconds. The worker has died or hangs, or
   * cannot reach the journal.
   */
  silentMs?: number | undefined;
}

/** The numbers of a journal. */
export interface JournalStats {
  conversations: Record<ConversationState, number>;
  turns: Record<ClusterTurnState, number>;
  /**
   * How long the turn that has waited longest for a place has waited, in milliseconds: a new one since it was sent or could begin,
   * one that could go on since its answer, the end of its lease or of its back-off. It is 0 if no turn waits for a place.
   */
  oldestQueuedMs: number;
  /** Conversations with a turn that waits, by what it waits for. Some journals do not count them. */
  waiting?: Record<TurnWait, number> | undefined;
  /** Leases that are valid. */
  leases: number;
  /** Leases that were granted after the previous one expired instead of being released, in total. */
  takeovers: number;
  /** Questions without an answer, and pending calls without a result. */
  questions: number;
  /** How long the oldest of them has waited, in milliseconds. 0 if there is none. Some journals do not say it. */
  oldestQuestionMs?: number | undefined;
  /** US dollars, in total. */
  totalCostUsd: number;
}

/** A lease in the history of a conversation. */
export interface LeaseHistory {
  epoch: number;
  owner: string;
  grantedAt: number;
  /** The time until which it was valid, after its last renewal or its release. */
  until: number;
  released: boolean;
}

/** Everything that a journal stores about a conversation. `checkHistory` reads this. */
export interface ConversationHistory {
  conversation: ConversationRecord;
  leases: LeaseHistory[];
  turns: TurnRecord[];
  /** As `events()` gives them. */
  events: ClusterEvent[];
  /**
   * `epoch` is that of the newest begin or end of the call. `begun` counts the leases in which it was begun without a known
   * result. `ended` counts the leases in which a result was written.
   */
  calls: Array<CallRecord & { epoch: number; begun: number; ended: number; result?: Json | undefined }>;
  /** Including answered ones, oldest first. */
  questions: JournalQuestion[];
  /** The main transcript, each entry with the epoch under which it was written. */
  entries: Array<{ epoch: number; entry: Json }>;
}
