// A trace as a table: one row for each thing that happened, and spans for what took time. Tool calls, permission
// questions, hooks and results belong together by their tool-use id.
import type { WireObject } from '../../../wire/protocol/codec.js';
import { SpanCollector, type TimelineSpan } from './timeline-spans.js';
import { describeFrame, type FrameDescription, type TimelineLayer } from './describe-frame.js';
import type { Trace, TraceEnd, TraceHeader, TraceStep } from '../trace-event.js';

/** One line of a timeline: a frame, or something that happened to the process. */
export interface TimelineRow {
  /** From 0; rows refer to each other by it. */
  index: number;
  /** Milliseconds since the start. */
  t: number;
  layer: TimelineLayer;
  /** `none` for what happened on this side alone. */
  direction: 'cli-to-host' | 'host-to-cli' | 'none';
  /** As in `tools/call`, `can_use_tool`, `assistant`. */
  event: string;
  /** What it was about, in a few words on one line. */
  summary: string;
  /** The tool-use id, or the id of the request; rows with the same one belong together. */
  id: string | undefined;
  /** Whether something went wrong. */
  isError: boolean;
  /** The row of the question that this one answers. */
  answers: number | undefined;
  /** The frame, as it was recorded. */
  frame: WireObject | undefined;
}

/** Where the time went, in milliseconds; what overlaps is counted for each. */
export interface TimelineTotals {
  duration: number;
  model: number;
  tools: number;
  permissions: number;
  hooks: number;
  rows: number;
  errors: number;
}

/** A trace, read for people. */
export interface Timeline {
  header: TraceHeader;
  rows: TimelineRow[];
  /** By their start. */
  spans: TimelineSpan[];
  totals: TimelineTotals;
  end: TraceEnd | undefined;
  /** What could not be read. */
  problems: readonly string[];
}

/** Makes the timeline of a trace. */
export function buildTimeline(trace: Trace): Timeline {
  const rows: TimelineRow[] = [];
  const spans = new SpanCollector();
  const questions = new Map<string, { index: number; description: FrameDescription }>();
  for (const step of trace.steps) {
    const row = rowOf(step, rows.length, questions);
    rows.push(row);
    if (step.type === 'frame' && step.frame) spans.observe(row, step.frame);
  }
  const { end } = trace;
  if (end) rows.push(endRow(end, rows.length));
  const duration = rows.at(-1)?.t ?? 0;
  const all = spans.finish(duration);
  const sum = (kind: TimelineSpan['kind']): number =>
    round(all.reduce((total, span) => (span.kind === kind ? total + (span.end - span.start) : total), 0));
  return {
    header: trace.header,
    rows,
    spans: all,
    totals: {
      duration,
      model: sum('model'),
      tools: sum('tool'),
      permissions: sum('permission'),
      hooks: sum('hook'),
      rows: rows.length,
      errors: rows.filter(({ isError }) => isError).length,
    },
    end,
    problems: trace.problems,
  };
}

type Questions = Map<string, { index: number; description: FrameDescription }>;

function rowOf(step: TraceStep, index: number, questions: Questions): TimelineRow {
  if (step.type !== 'frame') {
    return {
      ...plainRow(index, step.t),
      event: step.type,
      summary:
        step.type === 'fault' ? `${step.code}: ${step.message}` : step.type === 'gap' ? step.reason : '',
      direction: step.type === 'input-end' ? 'host-to-cli' : 'none',
      isError: step.type === 'fault' || step.type === 'gap',
    };
  }
  const direction = step.dir === 'in' ? 'cli-to-host' : 'host-to-cli';
  if (!step.frame) {
    const summary = step.truncated
      ? `${step.truncated.bytes} bytes, too large to be recorded`
      : (step.text ?? '').slice(0, 200);
    return {
      ...plainRow(index, step.t),
      layer: 'message',
      direction,
      event: step.truncated ? 'large frame' : 'not a frame',
      summary,
      isError: !step.truncated,
    };
  }
  // Each side numbers its own questions, and answers those of the other.
  const asked = (id: string): string => `${step.dir === 'in' ? 'out' : 'in'} ${id}`;
  const description = describeFrame(step.frame, (id) => questions.get(asked(id))?.description);
  const { requestId } = description;
  if (description.role === 'question' && requestId !== undefined) {
    questions.set(`${step.dir} ${requestId}`, { index, description });
  }
  return {
    index,
    t: step.t,
    direction,
    layer: description.layer,
    event: description.event,
    summary: description.summary,
    id: description.toolUseId ?? requestId,
    isError: description.isError,
    answers:
      description.role === 'answer' && requestId !== undefined
        ? questions.get(asked(requestId))?.index
        : undefined,
    frame: step.frame,
  };
}

function endRow(end: TraceEnd, index: number): TimelineRow {
  const how = end.signal === null ? `exit code ${end.exitCode}` : `ended by ${end.signal}`;
  return {
    ...plainRow(index, end.t),
    event: 'end',
    summary: end.error ? `${how}, ${end.error.code}: ${end.error.message}` : how,
    isError: end.error !== undefined || end.signal !== null || (end.exitCode ?? 0) !== 0,
  };
}

function plainRow(index: number, t: number): TimelineRow {
  return {
    index,
    t,
    layer: 'process',
    direction: 'none',
    event: '',
    summary: '',
    id: undefined,
    isError: false,
    answers: undefined,
    frame: undefined,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
