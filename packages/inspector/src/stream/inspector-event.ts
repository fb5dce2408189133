// The one stream of events that the inspector is made of: those of a trace, numbered, and what happens beside the wire. Types
// only; `event-codec.ts` makes lines of them and reads them again. A trace file is such a stream for one session, numbered by
// its lines as `recording.ts` says, where every piece of a streamed answer stands for itself.
import type { LiveKind } from '@inboard/core/live/watch/live-kind.js';
import type { TraceEvent } from '@inboard/core/record/trace/trace-event.js';
import type { Question } from './question.js';

/** A session begins; the first of its events. */
export interface SessionOpened {
  type: 'opened';
  t: number;
  kind: SessionKind;
  /** ISO 8601; the zero of every `t` of the session. */
  startedAt: string;
  /** What the program calls it; absent where it has no name. */
  title?: string | undefined;
}

/** What was started, or a recording of it. */
export type SessionKind = LiveKind | 'trace';

/** Pieces of one streamed block, joined: what came within about a tenth of a second. */
export interface JoinedPieces {
  type: 'pieces';
  t: number;
  /** The call of the subagent that writes; null for the main conversation. */
  parent: string | null;
  /** The block's place in its message. */
  index: number;
  /** `input` is the JSON of a tool's input, not yet whole. */
  kind: 'text' | 'thinking' | 'input';
  text: string;
  /** How many frames it stands for. */
  count: number;
  /** Whether nobody told which message it belongs to: the next whole one takes its place. */
  isLoose?: true | undefined;
}

/** Somebody is asked. */
export interface QuestionAsked {
  type: 'asked';
  t: number;
  question: Question;
}

/** A question is over. */
export interface QuestionSettled {
  type: 'settled';
  t: number;
  id: string;
  outcome: QuestionOutcome;
  /** Who: `inspector`, `callback`, or the name that was given to `approvals.answer`. */
  by?: string | undefined;
  /** The reason that was given, or the text of the answer. */
  message?: string | undefined;
  /** Whether the input was changed before the tool got it. */
  isEdited?: boolean | undefined;
}

/** How a question ended. */
export type QuestionOutcome = 'allowed' | 'allowed-always' | 'denied' | 'answered' | 'declined' | 'withdrawn';

/** Something the SDK warned of, or a cluster tells of a turn. */
export interface SessionWarning {
  type: 'warning';
  t: number;
  code: string;
  message: string;
  /** What it is, where it warns of nothing. */
  what?: 'start' | 'restart' | 'task' | 'end' | undefined;
}

/** The session is over; its CLIs are gone. */
export interface SessionOver {
  type: 'over';
  t: number;
  error?: { code: string; message: string } | undefined;
}

/** Anything that happens to a session. `t` is milliseconds since it was opened, also where a second CLI took over. */
export type SessionEvent =
  TraceEvent | SessionOpened | JoinedPieces | QuestionAsked | QuestionSettled | SessionWarning | SessionOver;

/** An event with its place. */
export interface NumberedEvent {
  /** From 1, ascending within the stream of a server; of a file, the number of its line plus one (`recording.ts`). */
  n: number;
  /** The session it belongs to. */
  s: string;
  event: SessionEvent;
  /** Whether long texts were cut for the page; the whole is asked for by number. */
  isCut?: boolean | undefined;
  /** The length of the whole, where it was cut, in bytes of its JSON. */
  bytes?: number | undefined;
}
