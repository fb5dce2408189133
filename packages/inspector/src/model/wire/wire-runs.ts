// Groups the pieces of streamed answers into runs. A run has pieces of one conversation that follow each other, and the token
// counts that the CLI sends between them.
import { shortenToSummary } from '@inboard/core/record/trace/timeline/frame-description.js';
import type { TimeReader } from '@inboard/core/record/trace/timeline/readable-step.js';
import type { TraceFrame } from '@inboard/core/record/trace/trace-event.js';
import { asString, isRecord } from '@inboard/core/util/guards.js';
import { countOf } from '@inboard/core/util/message-of.js';
import type { InspectorEvent } from '../../stream/inspector-event.js';
import type { EventDescription } from './describe-event.js';
import type { WireRow, WireRun } from './wire-row.js';

/** A piece of a streamed answer. */
export interface WirePiece {
  t: unknown;
  /** The kind of event, such as `stream_event/content_block_delta`. */
  event: string;
  parent: string | null;
  /** Undefined for an event without content, such as the beginning or the end of a block. */
  content: 'text' | 'thinking' | 'input' | undefined;
  text: string;
  count: number;
}

const TEXT_CHARACTERS = 160;
const NONE: readonly string[] = [];

/** Reads an event as a piece of a streamed answer; undefined for any other event. */
export function readPiece(event: InspectorEvent): WirePiece | undefined {
  if (event.type === 'pieces') {
    const { t, parent, kind, text, count } = event;
    return { t, event: `stream_event/${kind}`, parent, content: kind, text, count };
  }
  const frame = event.type === 'frame' ? event.frame : undefined;
  // Messages of the program are never pieces.
  if (!isRecord(frame) || (event as TraceFrame).dir === 'out') return undefined;
  const { t } = event as TraceFrame;
  const parent = asString(frame['parent_tool_use_id']) ?? null;
  // The CLI sends a token count with every piece of a thought.
  if (frame['type'] === 'system' && frame['subtype'] === 'thinking_tokens')
    return { t, event: 'system/thinking_tokens', parent, content: undefined, text: '', count: 1 };
  if (frame['type'] !== 'stream_event') return undefined;
  const streamed = isRecord(frame['event']) ? frame['event'] : {};
  const delta = isRecord(streamed['delta']) ? streamed['delta'] : {};
  const { text, thinking, partial_json: input } = delta;
  const content =
    typeof text === 'string'
      ? 'text'
      : typeof thinking === 'string'
        ? 'thinking'
        : typeof input === 'string'
          ? 'input'
          : undefined;
  const name = asString(streamed['type']) ?? '';
  const told = asString(text ?? thinking ?? input) ?? '';
  return { t, event: `stream_event/${name}`, parent, content, text: told, count: 1 };
}

/** Describes a piece for its row. */
export function describePiece({ t, event, text }: WirePiece, times: TimeReader): EventDescription {
  return {
    t: times.read(t),
    layer: 'message',
    direction: 'in',
    event,
    summary: shortenToSummary(text),
    ids: NONE,
    isError: false,
    answers: undefined,
  };
}

/** Follows the rows of one session. */
export class RunKeeper {
  #open: WireRun | undefined;

  push(row: WireRow, piece: WirePiece | undefined): void {
    if (!piece) {
      this.#open = undefined;
      return;
    }
    if (this.#open?.parent !== piece.parent) this.#open = startRun(row, piece.parent);
    const run = this.#open;
    run.endT = row.t;
    run.count += piece.count;
    run.bytes += row.bytes ?? 0;
    run.rows.push(row);
    row.run = run;
    if (piece.content !== undefined && !run.contents.includes(piece.content))
      run.contents.push(piece.content);
    if (run.text.length < TEXT_CHARACTERS) run.text = (run.text + piece.text).slice(0, TEXT_CHARACTERS);
  }
}

function startRun({ n, t, since }: WireRow, parent: string | null): WireRun {
  return { kind: 'run', n, t, since, endT: t, parent, count: 0, contents: [], text: '', bytes: 0, rows: [] };
}

/** Describes a run: the number of pieces, their kinds, and how the text begins. Without content, its events are listed. */
export function describeRun({ count, contents, text, rows }: WireRun): string {
  if (contents.length === 0)
    return [...new Set(rows.map(({ event }) => event.replace('stream_event/', '')))].join(', ');
  return [[countOf(count, 'piece'), ...contents].join(', '), shortenToSummary(text)]
    .filter(Boolean)
    .join(' · ');
}
