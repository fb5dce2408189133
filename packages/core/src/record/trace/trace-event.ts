// The types of a trace, which is a file with one JSON object per line. `schema/trace.schema.json` describes the same
// format for other programs.
import type { WireObject } from '../../wire/protocol/codec.js';

/** The value of `format` in the header of every trace. A file without it is not a trace. */
export const TRACE_FORMAT = 'inboard-trace';
/** The version of the format. Add 1 when a reader of the earlier version can no longer read a trace. */
export const TRACE_VERSION = 1;
/** The version of this package, for headers. */
export const INBOARD_VERSION = '0.1.0';
/**
 * The element before the events in a page that was made of a trace. It identifies such a page, also when an earlier
 * version made the page.
 */
export const PAGE_DATA_ELEMENT = '<script type="application/json" id="data">';
/** The replacement for a hidden text. */
export const REDACTED = '[redacted]';

/** The replacement for the rest of a line that was too long to be searched for secrets. */
export function hiddenCharacters(count: number): string {
  return `[redacted: ${count} characters]`;
}

/** Matches both kinds of replacements: for a hidden text, and for the rest of a long line. */
export const HIDDEN = /\[redacted(?:: \d{1,12} characters)?\]/;

/** The direction of a frame. `out` goes to the CLI, and `in` comes from it. */
export type TraceDirection = 'in' | 'out';

/** The first line of a trace. It says when, where and with which versions the session ran. */
export interface TraceHeader {
  type: 'header';
  format: typeof TRACE_FORMAT;
  version: number;
  /** The start of the recording, in ISO 8601. */
  startedAt: string;
  /** The version of this package. */
  inboard: string;
  /** The CLI's version; null if it is unknown. */
  claudeCodeVersion: string | null;
  /** The CLI's process id; null if it is unknown. */
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
  /** The frame; absent if the line was not a JSON object, was too large, or could not be encoded. */
  frame?: WireObject;
  /** The line itself, if it is not a JSON object. */
  text?: string;
  /**
   * For a line longer than `maxFrameBytes`, its length and its beginning. For a line that could not be encoded, its length
   * and the reason.
   */
  truncated?: { bytes: number; head: string; reason?: string };
}

/**
 * A call that was cut off with an earlier CLI and got its result before this CLI was started. The host made this event.
 * It was neither sent to the CLI nor received from it.
 */
export interface TraceCompleted {
  type: 'completed';
  t: number;
  /** The message with the result, as it is in a turn: a `user` message with the field `completed`. */
  frame?: WireObject;
  /** The length of a message that was too long or could not be encoded, with its beginning or the reason. */
  truncated?: { bytes: number; head: string; reason?: string };
}

/** A fault of the wire, such as a lost line, after which the session continued. */
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
 * Frames are missing from here on, because the file had reached its limit or the disk was too slow. Two other reasons
 * occur only in the inspector, where earlier frames are missing: the inspector was opened later (`late`), or the frames
 * could not be kept (`lost`).
 */
export interface TraceGap {
  type: 'gap';
  t: number;
  reason: 'max-bytes' | 'slow-disk' | 'late' | 'lost';
}

/** The last line, which says how the session ended. It is missing if the host itself was killed. */
export interface TraceEnd {
  type: 'end';
  t: number;
  exitCode: number | null;
  signal: string | null;
  stderrTail: string;
  error?: { code: string; message: string };
  /** How many frames passed, including those that were not recorded. */
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
  /** One sentence for each thing that could not be read, such as a torn last line or a line that is not an event. */
  problems: string[];
}
