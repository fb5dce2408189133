// The records of a journal as plain data: conversations, turns, questions, tool calls and events. Types only. All times are
// milliseconds since the epoch by the journal's own clock, never by a worker's.
import type { Approval } from '@inboard/core/answer/permissions/approvals/approval.js';

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * The right to write to a conversation, from one lease until it is released or the next is granted. Epochs only grow, across
 * all conversations of a journal.
 */
export interface Fence {
  readonly key: string;
  readonly epoch: number;
  /** The worker. */
  readonly owner: string;
}

/** Describes a conversation, from its first message on. */
export interface ConversationFacts {
  /** The name of its agent. */
  agent: string;
  /** What the agent was told about it with the first message. */
  data: Json;
  /** Whom it belongs to. */
  tenant?: string | undefined;
}

/**
 * The state of a conversation: `closed` takes precedence, then the state of its current turn. `idle` has nothing to do,
 * `parked` waits for a person.
 */
export type ConversationState = 'idle' | 'queued' | 'running' | 'parked' | 'closed';

/** The turn that failed last. */
export interface ConversationFailure {
  /** The id of the turn. */
  turn: string;
  /** As its outcome names it. */
  kind: string;
  /** The code of its named error. */
  code?: string | undefined;
}

/** A conversation, as everybody sees it. */
export interface ConversationRecord extends ConversationFacts {
  key: string;
  /** The id of its transcript. */
  sessionId: string;
  state: ConversationState;
  /** The valid lease, if there is one. */
  lease?: { owner: string; epoch: number; expiresAt: number } | undefined;
  /** All turns, and those waiting to begin. */
  turns: number;
  queued: number;
  /** Questions without an answer. */
  questions: number;
  costUsd: number;
  /** Set once a turn has failed, until another is answered or interrupted. A cancelled turn changes nothing. */
  failure?: ConversationFailure | undefined;
  /** The id of the newest event; 0 when there is none. */
  lastEventId: number;
  createdAt: number;
  updatedAt: number;
  closedAt?: number | undefined;
}

/**
 * The state of a turn. A `running` one without a valid lease was cut off and will be resumed; a `parked` one waits for a
 * person.
 */
export type ClusterTurnState = 'queued' | 'running' | 'parked' | 'ended';

/** How a turn ended. */
export interface TurnOutcome {
  ok: boolean;
  /**
   * As an `Outcome` names it, or `cancelled` before it began, `refused` by a budget, `failed` with a named `error` outside the
   * CLI, or `lost` if its answer is unknown.
   */
  kind: string;
  /** The answer, or what went wrong. */
  text: string;
  /** The named error of a turn that failed before or outside the CLI. */
  error?: { code: string; message: string } | undefined;
  /** The known cost of the whole turn, in US dollars. */
  costUsd: number;
  /** The model's rounds. */
  rounds?: number | undefined;
  durationMs?: number | undefined;
  structuredOutput?: Json | undefined;
  /** Calls that were cut off, and what became of them before the turn went on, no matter in which worker. */
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
  /** Set if the answer was found in the transcript, because the worker that had it died before it could report it. */
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
  /** How many leases have worked on it. */
  attempt: number;
  /**
   * The same, without leases that parked it, handed it over properly, or were lost before a CLI was started for it. Workers
   * limit this number, so that a turn that kills its workers ends.
   */
  tries: number;
  /** US dollars counted so far: those of the leases that parked or released the turn. After its end, its whole cost. */
  costUsd: number;
  /** The epoch of the newest lease that worked on it; 0 before the first. */
  epoch: number;
  /** Does not begin before this time; later turns of the conversation wait with it. */
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
  /** It was begun before, and its end is unknown. `begun` says how often, not counting this time. */
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
 * What an event says. `message` has a message of the CLI, of which a large result of a tool is shortened. The journal writes
 * the others itself, in the same transaction as what they report.
 */
export type ClusterEventBody =
  | {
      type: 'message';
      message: Json;
      /**
       * Set if `message` has only the beginning of its long texts and lists: about how many characters of JSON there are.
       * `readWhole()` of the conversation reads them all.
       */
      shortened?: { characters: number } | undefined;
    }
  /** Pieces of the answer while it is being written, joined. */
  | { type: 'text'; text: string }
  /**
   * `content` is the message, and comes with `queued`. `outcome` comes with `ended`. Together with the messages, the events
   * describe a conversation completely.
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
    }
  | { type: 'answer'; question: string; behavior: 'allow' | 'deny'; by?: string | undefined };

/** An event before it has a number. */
export type NewClusterEvent = { turn: string } & (
  { type: 'message'; message: Json } | Extract<ClusterEventBody, { type: 'text' }>
);

/** One thing that happened in a conversation. Ids are whole numbers from 1, without gaps. */
export type ClusterEvent = {
  id: number;
  key: string;
  turn: string;
  at: number;
  /**
   * The lease under which it was written. It is 0 for what needs no lease: a message was sent or cancelled, a question
   * answered, a parked turn interrupted or resumed.
   */
  epoch: number;
} & ClusterEventBody;

/** New turns of a tenant, or of all, are delayed until then, because the API refuses more. */
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
   * Set if it has not reported for 12 seconds: for how many milliseconds, by the journal's clock. It has died or hangs, or
   * cannot reach the journal.
   */
  silentMs?: number | undefined;
}

/** The numbers of a journal. */
export interface JournalStats {
  conversations: Record<ConversationState, number>;
  turns: Record<ClusterTurnState, number>;
  /**
   * How long the oldest turn that could begin has waited, in milliseconds, among conversations without a valid lease; 0 if none
   * waits.
   */
  oldestQueuedMs: number;
  /** Leases that are valid. */
  leases: number;
  /** Leases that were granted after the previous one expired instead of being released, in total. */
  takeovers: number;
  /** Questions without an answer. */
  questions: number;
  /** US dollars, in total. */
  costUsd: number;
}

/** A lease in the history of a conversation. */
export interface LeaseHistory {
  epoch: number;
  owner: string;
  grantedAt: number;
  /** Until when it was valid: renewed, released or expired. */
  until: number;
  /** Whether it was released. */
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
   * Each with the epoch of its newest begin or end, with the number of leases in which it was begun without a known result, and
   * with the number of leases in which a result was written.
   */
  calls: Array<CallRecord & { epoch: number; begun: number; ended: number; result?: Json | undefined }>;
  /** Including answered ones, oldest first. */
  questions: ClusterApproval[];
  /** The main transcript, each entry with the epoch under which it was written. */
  entries: Array<{ epoch: number; entry: Json }>;
}
