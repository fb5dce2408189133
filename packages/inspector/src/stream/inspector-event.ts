// The events of the inspector: the events of a trace, numbered, and events beside the wire. Types only; `event-codec.ts`
// encodes and decodes them. A trace file is a stream of such events for one session. `recording.ts` numbers them by line. In
// a trace file, the pieces of a streamed answer are not joined.
import type { LiveKind } from '@inboard/core/live/watch/live-kind.js';
import type { TraceEvent } from '@inboard/core/record/trace/trace-event.js';
import type { Question } from './question.js';

/** The first event of a session. */
export interface SessionOpened {
  type: 'opened';
  t: number;
  kind: SessionKind;
  /** ISO 8601. Every `t` of the session counts from this time. */
  startedAt: string;
  /** The name that the program gave it; absent if it has none. */
  title?: string | undefined;
}

/** The kind of live session, or `trace` for a recording. */
export type SessionKind = LiveKind | 'trace';

/** Joined pieces of one streamed block that came within about a tenth of a second. */
export interface JoinedPieces {
  type: 'pieces';
  t: number;
  /** The call that started the subagent which writes; null for the main conversation. */
  parent: string | null;
  /** The index of the block in its message. */
  index: number;
  /** `input` is a part of the JSON of a tool's input. */
  kind: 'text' | 'thinking' | 'input';
  text: string;
  /** How many frames it stands for. */
  count: number;
  /** Whether its message is unknown. Then the next whole message replaces it. */
  isLoose?: true | undefined;
}

/** A question was asked. */
export interface QuestionAsked {
  type: 'asked';
  t: number;
  question: Question;
}

/** A question was settled. */
export interface QuestionSettled {
  type: 'settled';
  t: number;
  id: string;
  outcome: QuestionOutcome;
  /** Who answered: `inspector`, `callback`, or the name that was given to `approvals.answer`. */
  by?: string | undefined;
  /** The reason that was given, or the text of the answer. */
  message?: string | undefined;
  /** Whether the input was changed before the tool got it. */
  isEdited?: boolean | undefined;
}

/** How a question ended. A pending call is `completed` or `failed` by a page, or `over` for a reason that is not known here. */
export type QuestionOutcome =
  | 'allowed'
  | 'allowed-always'
  | 'denied'
  | 'answered'
  | 'declined'
  | 'withdrawn'
  | 'completed'
  | 'failed'
  | 'over';

/** A warning of the SDK or of the inspector, or a report of a cluster about a turn. */
export interface SessionWarning {
  type: 'warning';
  t: number;
  code: string;
  message: string;
  /** The kind of report, if it is not a warning. */
  what?: 'start' | 'restart' | 'task' | 'end' | undefined;
}

/** The CLI was ended because it is not needed at the moment. The session goes on with another one. */
export interface SessionSuspended {
  type: 'suspended';
  t: number;
  /** What the session's turn waits for; empty if the session has no turn. */
  waitsFor: readonly WaitedFor[];
}

/** What a turn without a CLI waits for: a person, the result of a pending call, or a tool that runs without the CLI. */
export type WaitedFor = 'person' | 'pending' | 'detached';

/** The session is over; its CLIs have ended. */
export interface SessionOver {
  type: 'over';
  t: number;
  error?: { code: string; message: string } | undefined;
}

/** Any event of a session. `t` is in milliseconds since the session was opened, also for a second CLI. */
export type InspectorEvent =
  | TraceEvent
  | SessionOpened
  | JoinedPieces
  | QuestionAsked
  | QuestionSettled
  | SessionWarning
  | SessionSuspended
  | SessionOver;

/** An event with its number and session. */
export interface NumberedEvent {
  /** From 1, ascending within a session. In a file, it is the number of the line plus one (`recording.ts`). */
  n: number;
  /** The session it belongs to. */
  s: string;
  event: InspectorEvent;
  /** Whether long texts were cut for the page. The whole event can be read by number. */
  isCut?: boolean | undefined;
  /** The length of the whole event's JSON in bytes, if it was cut and the length is known. */
  bytes?: number | undefined;
}
