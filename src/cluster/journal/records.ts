// What a journal keeps, as plain data: conversations, their turns, questions, tool calls and events. Types only. All times
// are milliseconds since the epoch by the journal's own clock, never by a worker's.
import type { Approval } from '../../answer/permissions/approvals/approval.js';

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The right to write for a conversation, from one lease until it is given back, or the next is granted. Epochs only grow, over all conversations of a journal. */
export interface Fence {
  readonly key: string;
  readonly epoch: number;
  /** The worker. */
  readonly owner: string;
}

/** What a conversation is, from its first message on. */
export interface ConversationFacts {
  /** The name of its agent. */
  agent: string;
  /** What the agent was told about it with the first message. */
  data: Json;
  /** On whose behalf. */
  tenant?: string | undefined;
}

/** Where a conversation stands: `closed` is told before all others, then what its turn under way is; `idle` has nothing to do, `parked` waits for a person. */
export type ConversationState = 'idle' | 'queued' | 'running' | 'parked' | 'closed';

/** A conversation, as everybody sees it. */
export interface ConversationRecord extends ConversationFacts {
  key: string;
  /** Of its transcript. */
  sessionId: string;
  state: ConversationState;
  /** Who has it, while a lease has not run out. */
  lease?: { owner: string; epoch: number; expiresAt: number } | undefined;
  /** Turns in all, and those that wait to begin. */
  turns: number;
  queued: number;
  /** Questions without an answer. */
  questions: number;
  costUsd: number;
  /** The id of the newest event; 0 when there is none. */
  lastEventId: number;
  createdAt: number;
  updatedAt: number;
  closedAt?: number | undefined;
}

/** Where a turn is. A `running` one without a valid lease was cut off, and is taken up again; a `parked` one waits for a person. */
export type ClusterTurnState = 'queued' | 'running' | 'parked' | 'ended';

/** How a turn ended. */
export interface TurnOutcome {
  ok: boolean;
  /** As an `Outcome` names it, or `cancelled` before it began, `refused` by a budget, `failed` with a named `error` beside the CLI, `lost` when nobody knows its answer. */
  kind: string;
  /** The answer, or what went wrong. */
  text: string;
  /** The named error of a turn that failed before or beside the CLI. */
  error?: { code: string; message: string } | undefined;
  /** Of the whole turn, in US dollars: all that is known of. */
  costUsd: number;
  /** The model's rounds. */
  rounds?: number | undefined;
  durationMs?: number | undefined;
  structuredOutput?: Json | undefined;
  /** Set when the answer was found in the transcript: the worker that had it died before it could say so. */
  recovered?: true | undefined;
}

/** One message and its answer. */
export interface TurnRecord {
  key: string;
  id: string;
  /** Its place among the turns of the conversation, from 1. */
  place: number;
  /** Of the message in the transcript: a UUID. */
  uuid: string;
  /** The text, or the content blocks of the user's message. */
  content: Json;
  state: ClusterTurnState;
  /** How many leases have worked on it. */
  attempt: number;
  /** The same without those that parked it or handed it over in order: what a worker limits, so that a turn that kills its workers ends. */
  tries: number;
  /** US dollars that are counted already: of leases that parked it or gave it back, and once it has ended of all. */
  costUsd: number;
  /** The epoch of the newest of them; 0 before the first. */
  epoch: number;
  /** Not begun before; later turns of the conversation wait with it. */
  notBefore?: number | undefined;
  /** Set when somebody wants it to end. */
  stop?: 'interrupt' | undefined;
  /** The trace it was sent in, as the header `traceparent` has it. */
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

/** What a journal knows of a tool call that is about to begin. */
export type KnownCall =
  | { state: 'new' }
  /** Begun before, and nobody knows how it ended; `begun` is how often, before this time. */
  | { state: 'begun'; begun: number }
  /** Its result is known. */
  | { state: 'ended'; begun: number; result: Json };

/** A tool call as it is written down before its handler runs. */
export interface CallRecord {
  callKey: string;
  turn: string;
  toolName: string;
  input: Json;
}

/** What an event says. `message` has a message of the CLI; the others are written by the journal itself, in the transaction of what they tell. */
export type ClusterEventBody =
  | { type: 'message'; message: Json }
  /** Pieces of the answer while it is written, joined. */
  | { type: 'text'; text: string }
  /** `content` is the message, with `queued`; `outcome` comes with `ended`. Together with the messages the events tell a conversation whole. */
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
export type NewClusterEvent = { turn: string } & Extract<ClusterEventBody, { type: 'message' | 'text' }>;

/** One thing that happened in a conversation. Ids are whole numbers from 1, without gaps. */
export type ClusterEvent = {
  id: number;
  key: string;
  turn: string;
  at: number;
  /** The lease under which it was written; 0 for what anybody may do: a message was sent or cancelled, a question answered, a parked turn interrupted or let go on. */
  epoch: number;
} & ClusterEventBody;

/** Starts of turns are put off until then, for a tenant or for all: the API refuses more. */
export interface Pause {
  tenant?: string | undefined;
  until: number;
  reason: string;
}

/** A process that works, as it last reported itself. */
export interface WorkerRecord {
  name: string;
  /** Turns at a time. */
  concurrency: number;
  running: number;
  /** Conversations whose CLI waits for another message. */
  warm: number;
  draining: boolean;
  /** When it reported; it does so every five seconds until it has ended. */
  seenAt: number;
  /** Set when it has not reported for 12 seconds: for how many milliseconds, by the journal's clock. It has died, hangs, or cannot reach the journal. */
  silentMs?: number | undefined;
}

/** The numbers of a journal. */
export interface JournalStats {
  conversations: Record<ConversationState, number>;
  turns: Record<ClusterTurnState, number>;
  /** How long the oldest turn that could begin has waited, in milliseconds, of conversations without a valid lease; 0 when none waits. */
  oldestQueuedMs: number;
  /** Leases that are valid. */
  leases: number;
  /** Leases that were granted after one that ran out instead of being given back, ever. */
  takeovers: number;
  /** Questions without an answer. */
  questions: number;
  /** US dollars, ever. */
  costUsd: number;
}

/** A lease as history has it. */
export interface LeaseHistory {
  epoch: number;
  owner: string;
  grantedAt: number;
  /** Until when it was valid: renewed, given back, or run out. */
  until: number;
  /** Whether it was given back. */
  released: boolean;
}

/** All that a journal keeps of a conversation: what the checks of promises read. */
export interface ConversationHistory {
  conversation: ConversationRecord;
  leases: LeaseHistory[];
  turns: TurnRecord[];
  events: ClusterEvent[];
  /** Each with the epoch of its newest begin or end, in how many leases it was begun without a known result, and in how many leases a result was written. */
  calls: Array<CallRecord & { epoch: number; begun: number; ended: number; result?: Json | undefined }>;
  /** Also those with an answer, oldest first. */
  questions: ClusterApproval[];
  /** The main transcript, each entry with the epoch under which it was written. */
  entries: Array<{ epoch: number; entry: Json }>;
}
