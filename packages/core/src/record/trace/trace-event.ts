// The trace as data: one JSON object per line of a file. `schema/trace.schema.json` says the same to others.
import type { WireObject } from '../../wire/protocol/codec.js';

/** The first field of every trace; a file without it is not a trace. */
export const TRACE_FORMAT = 'inboard-trace';
/** Raised when a reader of the previous version could no longer read it. */
export const TRACE_VERSION = 1;
/** The version of this package, as headers name it. */
export const INBOARD_VERSION = '0.1.0';
/** What the events follow in a page that was made of a trace. Such pages are recognised by it, also those of earlier versions. */
export const PAGE_DATA_ELEMENT = '<script type="application/json" id="data">';
/** What replaces a hidden text. */
export const REDACTED = '[redacted]';

/** What replaces the rest of a line that was too long to be looked at. */
export function hiddenCharacters(count: number): string {
  return `[redacted: ${count} characters]`;
}

/** Either of the two. */
export const HIDDEN = /\[redacted(?:: \d{1,12} characters)?\]/;

/** `out` goes to the CLI, `in` comes from it. */
export type TraceDirection = 'in' | 'out';

/** The first line: where and when. */
export interface TraceHeader {
  type: 'header';
  format: typeof TRACE_FORMAT;
  version: number;
  /** ISO 8601. */
  startedAt: string;
  /** The version of this package. */
  inboard: string;
  /** The CLI's version; null if it is unknown. */
  claudeCodeVersion: string | null;
  /** The CLI's process; null without one. */
  pid: number | null;
  hostPid: number;
  cwd: string | null;
  runtime: string;
  platform: string;
}

/** One frame of the wire. `t` is milliseconds since the start, on a clock that never goes back. */
export interface TraceFrame {
  type: 'frame';
  t: number;
  dir: TraceDirection;
  /** The frame; absent when the line was not a JSON object, or too large. */
  frame?: WireObject;
  /** A line that is not a JSON object, as it was. */
  text?: string;
  /** Of a line over `maxFrameBytes`: its length, and how it began. Of one that could not be encoded: its length, and why. */
  truncated?: { bytes: number; head: string; reason?: string };
}

/** A call that was cut off with an earlier CLI got its result before this one was started. The host wrote it: the CLI neither sent nor was sent this. */
export interface TraceCompleted {
  type: 'completed';
  t: number;
  /** The message that stands for the result, as turns have it: a `user` message with the field `completed`. */
  frame?: WireObject;
  /** Of one over `maxFrameBytes`: its length, and how it began. */
  truncated?: { bytes: number; head: string; reason?: string };
}

/** Something was lost or broke on the wire, and the session continued. */
export interface TraceFault {
  type: 'fault';
  t: number;
  code: string;
  message: string;
}

/** The host ended the CLI's input, or began to end the CLI itself. */
export interface TraceMark {
  type: 'input-end' | 'terminate';
  t: number;
}

/** From here on frames are missing: the limit of the file was reached, or the disk was too slow. Only in the inspector: earlier ones are missing, because nobody was watching yet (`late`) or they could not be kept (`lost`). */
export interface TraceGap {
  type: 'gap';
  t: number;
  reason: 'max-bytes' | 'slow-disk' | 'late' | 'lost';
}

/** The last line: how it ended. Absent when the host itself was killed. */
export interface TraceEnd {
  type: 'end';
  t: number;
  exitCode: number | null;
  signal: string | null;
  stderrTail: string;
  error?: { code: string; message: string };
  /** How many frames passed, recorded or not. */
  frames: number;
}

/** One line of a trace. */
export type TraceEvent =
  TraceHeader | TraceFrame | TraceCompleted | TraceFault | TraceMark | TraceGap | TraceEnd;

/** Everything between the first line and the last. */
export type TraceStep = TraceFrame | TraceCompleted | TraceFault | TraceMark | TraceGap;

/** A trace in memory: its header, everything that was recorded, and its end. */
export interface Trace {
  header: TraceHeader;
  steps: TraceStep[];
  /** Undefined when the recording was cut off. */
  end: TraceEnd | undefined;
  /** What could not be read, a sentence each: a torn last line, lines that are not events. */
  problems: string[];
}
