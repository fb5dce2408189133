// What the wire view shows, as data: rows for events, and runs of streamed pieces that are folded into one. Types only.
import type { TimelineLayer } from '@inboard/core/record/trace/timeline/frame-description.js';

/** What a row has to do with, by the colour it has in every view; `plain` is the program's own word. */
export type WireTone = 'model' | 'permission' | 'code' | 'cli' | 'overhead' | 'plain';

/** One event. The frame is not kept: its line is read by number. */
export interface WireRow {
  kind: 'row';
  n: number;
  /** Milliseconds since the session was opened. */
  t: number;
  /** Milliseconds since the row before. */
  since: number;
  layer: TimelineLayer;
  /** `in` comes from the CLI, `none` happened on this side alone. */
  direction: 'in' | 'out' | 'none';
  tone: WireTone;
  /** As in `tools/call`, `can_use_tool`, `assistant`. */
  event: string;
  summary: string;
  /** Tool-use ids and the id of the request: rows that share one belong to the same call. */
  ids: readonly string[];
  isError: boolean;
  /** Whether something in it was redacted. */
  isHidden: boolean;
  /** Of the frame, in UTF-8; undefined where it was cut and nobody said how long it was. */
  bytes: number | undefined;
  /** The number of the question that it answers. */
  answers: number | undefined;
  /** The number of the answer it got. */
  answeredBy: number | undefined;
  /** The run it is a piece of. */
  run: WireRun | undefined;
}

/** Pieces of a streamed answer that came one after another. */
export interface WireRun {
  kind: 'run';
  /** That of its first piece. */
  n: number;
  t: number;
  since: number;
  /** When the last piece came. */
  endT: number;
  /** The call of the subagent that writes; null for the main conversation. */
  parent: string | null;
  /** How many frames it stands for. */
  count: number;
  /** What was streamed, in the order it began: `text`, `thinking`, `input`. */
  contents: string[];
  /** The beginning of it. */
  text: string;
  bytes: number;
  rows: WireRow[];
}

/** One line of the list. */
export type WireEntry = WireRow | WireRun;
