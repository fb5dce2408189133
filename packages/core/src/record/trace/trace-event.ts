// The trace as data: one JSON object per line of a file. `schema/trace.schema.json` describes the same for other programs.
import type { WireObject } from '../../wire/protocol/codec.js';

/** The first field of every trace; a file without it is not a trace. */
export const TRACE_FORMAT = 'inboard-trace';
/** Raised when a reader of the previous version could no longer read the format. */
export const TRACE_VERSION = 1;
/** The version of this package, for headers. */
export const INBOARD_VERSION = '0.1.0';
/**
 * The element before the events in a page that was made of a trace. It identifies such pages, also those of earlier
 * versions.
 */
export const PAGE_DATA_ELEMENT = '<script type="application/json" id="data">';
/** The replacement for a hidden text. */
export const REDACTED = '[redacted]';

/** The replacement for the rest of a line that was too long to be searched for secrets. */
export function hiddenCharacters(count: number): string {
  return `[redacted: ${count} characters]`;
}

/** Matches either of the two replacements. */
export const HIDDEN = /\[redacted(?:: \d{1,12} characters)?\]/;

/** `out` goes to the CLI, `in` comes from it. */
export type TraceDirection = 'in' | 'out';

/** The first line: the place and the time of the session. */
export interface TraceHeader {
  type: 'header';
  format: typeof TRACE_FORMAT;
  version: number;
  /** The start in ISO 8601. */
  startedAt: string;
  /** The version of this package. */
  inboard: string;
  /** The CLI's version; null if it is unknown. */
  claudeCodeVersion: string | null;
  /** The CLI's process id; null without one. */
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
  /** The line itself, where it is no JSON object. */
  text?: string;
  /**
   * For a line over `maxFrameBytes`: its length and its beginning. For a line that could not be encoded: its length and
   * the reason.
   */
  truncated?: { bytes: number; head: string; reason?: string };
}

/**
 * A call that was cut off with an earlier CLI got its result before this one was started. The host wrote this event: it
 * was neither sent to the CLI nor received from it.
 */
export interface TraceCompleted {
  type: 'completed';
  t: number;
  /** The message that stands for the result, as turns have it: a `user` message with the field `completed`. */
  frame?: WireObject;
  /** For a message over `maxFrameBytes`: its length and its beginning. */
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

/**
 * Frames are missing from here on: the file had reached its limit, or the disk was too slow. Two reasons occur only in
 * the inspector, for missing earlier frames: it was opened later (`late`), or they could not be kept (`lost`).
 */
export interface TraceGap {
  type: 'gap';
  t: number;
  reason: 'max-bytes' | 'slow-disk' | 'late' | 'lost';
}

/** The last line: how the session ended. Absent when the host itself was killed. */
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

/** Every event between the first line and the last. */
export type TraceStep = TraceFrame | TraceCompleted | TraceFault | TraceMark | TraceGap;

/** A trace in memory: its header, everything that was recorded, and its end. */
export interface Trace {
  header: TraceHeader;
  steps: TraceStep[];
  /** Undefined when the recording was cut off. */
  end: TraceEnd | undefined;
  /** What could not be read, one sentence each: a torn last line, lines that are no events. */
  problems: string[];
}
