// The types of the wire view: rows for events, and runs of streamed pieces that are folded into one line.
import type { TimelineLayer } from '@inboard/core/record/trace/timeline/frame-description.js';

/** What a row is about, which decides its colour; `plain` is for prompts and results. */
export type WireTone = 'model' | 'permission' | 'code' | 'cli' | 'overhead' | 'plain';

/** One event. The frame is not kept; its line can be read by number. */
export interface WireRow {
  kind: 'row';
  n: number;
  /** Milliseconds since the session was opened. */
  t: number;
  /** Milliseconds since the row before. */
  since: number;
  layer: TimelineLayer;
  /** `in` comes from the CLI; `none` did not pass the wire. */
  direction: 'in' | 'out' | 'none';
  tone: WireTone;
  /** The kind of event, such as `tools/call`, `can_use_tool`, `assistant`. */
  event: string;
  summary: string;
  /** The tool-use ids and the request id. Rows that share an id belong together. */
  ids: readonly string[];
  isError: boolean;
  /** Whether a part of it was redacted. */
  isHidden: boolean;
  /** The length of the frame in UTF-8; undefined without a frame, and if it was cut and its length is not known. */
  bytes: number | undefined;
  /** The event number of the question that it answers. */
  answers: number | undefined;
  /** The event number of its answer. */
  answeredBy: number | undefined;
  /** The run that the row is a piece of; undefined for other rows. */
  run: WireRun | undefined;
}

/** Pieces of a streamed answer that came one after another. */
export interface WireRun {
  kind: 'run';
  /** The number of its first piece. */
  n: number;
  t: number;
  since: number;
  /** When the last piece came. */
  endT: number;
  /** The call that started the subagent which writes; null for the main conversation. */
  parent: string | null;
  /** How many frames it stands for. */
  count: number;
  /** The kinds of content that were streamed, in order: `text`, `thinking`, `input`. */
  contents: string[];
  /** The beginning of the streamed text. */
  text: string;
  bytes: number;
  rows: WireRow[];
}

/** One line of the list. */
export type WireEntry = WireRow | WireRun;
