// Makes a table from a trace: one row for each event, and spans for everything that took time. Tool calls, permission
// questions, hooks and results with the same tool-use id belong together.
import { readEnd, readStep, TimeReader } from './readable-step.js';
import { SpanCollector, type TimelineSpan } from './timeline-spans.js';
import { CallFates } from './call-fates.js';
import { ErrorCount } from './error-count.js';
import { ShareClock, type TimeShares } from './time-shares.js';
import { rowOf, rowOfEnd, type AskedQuestions, type TimelineRow } from './timeline-row.js';
import type { Trace, TraceEnd, TraceHeader, TraceStep } from '../trace-event.js';

/** The times in milliseconds. Every moment is counted once, so the six times from `model` to `idle` add up to `duration`. */
export interface TimelineTotals {
  duration: number;
  /** Waiting for the model. */
  model: number;
  /** Running tools, of the program and of the CLI, without the wait for a permission. */
  tools: number;
  /** Waiting for a person, or for the callback in their place. */
  permissions: number;
  /** Running hooks of the program, while no tool ran. */
  hooks: number;
  /** The CLI started, ended, or did other work. */
  overhead: number;
  /** Nothing was under way. */
  idle: number;
  /** The same time, divided by what the program waited for. */
  shares: TimeShares;
  rows: number;
  /**
   * The number of failed calls, failed turns and faults, each counted once, and of a failed end. A refused call is not an
   * error.
   */
  errors: number;
}

/** A trace in a form that people can read. */
export interface Timeline {
  header: TraceHeader;
  rows: TimelineRow[];
  /** The spans, sorted by their start. */
  spans: TimelineSpan[];
  totals: TimelineTotals;
  end: TraceEnd | undefined;
  /** Descriptions of everything that could not be read. */
  problems: readonly string[];
}

/** Makes the timeline of a trace. */
export function buildTimeline(trace: Trace): Timeline {
  const rows: TimelineRow[] = [];
  const spans = new SpanCollector();
  const questions: AskedQuestions = new Map();
  const times = new TimeReader();
  const calls = new CallFates();
  const clock = new ShareClock({}, calls);
  const errors = new ErrorCount(calls);
  const count = (event: TraceStep | TraceEnd): void => {
    calls.push(event);
    clock.push(event);
    errors.push(event);
  };
  for (const recorded of trace.steps) {
    const step = readStep(recorded, times);
    const row = rowOf(step, rows.length, questions);
    rows.push(row);
    count(step);
    if (step.type === 'frame' && step.frame) spans.observe(row, step.frame);
    spans.countFor(clock.current, row, clock.durationMs);
  }
  const end = trace.end && readEnd(trace.end, times);
  if (end) rows.push(rowOfEnd(end, rows.length));
  if (end) count(end);
  // The last row need not have the latest time, because a file may have been put together from others.
  const duration = rows.reduce((latest, { t }) => Math.max(latest, t), 0);
  return {
    header: trace.header,
    rows,
    spans: spans.finish(duration),
    totals: { duration, ...readTotals(clock), rows: rows.length, errors: errors.count },
    end,
    problems: [...trace.problems, ...times.listProblems()],
  };
}

function readTotals(clock: ShareClock): Omit<TimelineTotals, 'duration' | 'rows' | 'errors'> {
  const shares = clock.read();
  const hooks = clock.readHooks();
  const { model, permission: permissions, overhead, idle } = shares;
  const tools = Math.round((shares.code - hooks + shares.cliTools) * 1000) / 1000;
  return { model, tools, permissions, hooks, overhead, idle, shares };
}
