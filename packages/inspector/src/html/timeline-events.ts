// Converts a timeline to events as the page reads them: numbered by position, and with long texts cut.
import type { TimelineRow } from '@inboard/core/record/trace/timeline/timeline-row.js';
import type { Timeline } from '@inboard/core/record/trace/timeline/timeline.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { cutEvent } from '../stream/cut-event.js';
import { numberLine } from '../stream/event-codec.js';
import type { NumberedEvent, InspectorEvent } from '../stream/inspector-event.js';
import { openRecording } from '../stream/recording.js';

/** The index of the first row: two events come before it, the opening of the recording and the header. */
const FIRST_ROW = 2;

/** The events of a timeline, by place from 0; each is made when it is asked for. */
export interface EventReader {
  readonly count: number;
  readonly session: string;
  eventAt(index: number): NumberedEvent;
  /** The event as an encoded line, with long texts cut. */
  lineAt(index: number): string;
  timeAt(index: number): number;
}

/** Reads a timeline as events: its opening, its header, its rows, and a warning for each problem. */
export function createEventReader(
  { header, rows, problems }: Timeline,
  session: string,
  mostText: number,
): EventReader {
  const lastT = rows.at(-1)?.t ?? 0;
  const rowAt = (index: number): TimelineRow | undefined => rows[index - FIRST_ROW];
  const read = (index: number): InspectorEvent => {
    if (index === 0) return openRecording(header);
    if (index === 1) return { ...header, type: 'header' };
    const row = rowAt(index);
    if (row) return eventOf(row);
    return {
      type: 'warning',
      t: lastT,
      code: 'TRACE_PROBLEM',
      message: problems[index - FIRST_ROW - rows.length] ?? '',
    };
  };
  return {
    count: FIRST_ROW + rows.length + problems.length,
    session,
    eventAt: (index) => ({ n: index + 1, s: session, event: read(index) }),
    lineAt: (index) => {
      const { json, isCut } = cutEvent(stringifyDeep(read(index)) as string, { mostText });
      return numberLine(index + 1, session, json, isCut);
    },
    timeAt: (index) => rowAt(index)?.t ?? (index < FIRST_ROW ? 0 : lastT),
  };
}

function eventOf({ t, direction, frame, step, event, summary, isError }: TimelineRow): InspectorEvent {
  if (frame) return { type: 'frame', t, dir: direction === 'host-to-cli' ? 'out' : 'in', frame };
  if (step) return step;
  // Only a timeline that was not read from a trace has rows with neither a frame nor a step.
  return { type: isError ? 'fault' : 'warning', t, code: event, message: summary };
}
