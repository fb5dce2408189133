// A trace as a table: one row for each thing that happened, and spans for what took time. Tool calls, permission
// questions, hooks and results belong together by their tool-use id.
import { readEnd, readStep, TimeReader } from './readable-step.js';
import { SpanCollector, type TimelineSpan } from './timeline-spans.js';
import { rowOf, rowOfEnd, type AskedQuestions, type TimelineRow } from './timeline-row.js';
import type { Trace, TraceEnd, TraceHeader } from '../trace-event.js';

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
  const questions: AskedQuestions = new Map();
  const times = new TimeReader();
  for (const recorded of trace.steps) {
    const step = readStep(recorded, times);
    const row = rowOf(step, rows.length, questions);
    rows.push(row);
    if (step.type === 'frame' && step.frame) spans.observe(row, step.frame);
  }
  const end = trace.end && readEnd(trace.end, times);
  if (end) rows.push(rowOfEnd(end, rows.length));
  // The last row is not always the latest: a file may have been put together.
  const duration = rows.reduce((latest, { t }) => Math.max(latest, t), 0);
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
    problems: [...trace.problems, ...times.listProblems()],
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
