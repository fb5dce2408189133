// The door `inboard/trace`: record what passes between a program and the CLI, replay it, look at it.
export { tapTransport } from './tap-transport.js';
export type { WireListener } from './tap-transport.js';
export { traceTransport } from './trace-option.js';
export type { TraceOption, TraceOptions, TraceRequest } from './trace-option.js';
export type { TraceSink } from './recorder.js';
export { createRedactor } from './redact.js';
export type { RedactOptions, Redactor } from './redact.js';
export { readTrace, streamTrace } from './read-trace.js';
export type { ReadTraceOptions } from './read-trace.js';
export { TRACE_FORMAT, TRACE_VERSION } from './trace-event.js';
export type {
  Trace,
  TraceDirection,
  TraceEnd,
  TraceEvent,
  TraceFault,
  TraceFrame,
  TraceGap,
  TraceHeader,
  TraceMark,
  TraceStep,
} from './trace-event.js';
export { openTape } from './tape.js';
export type { Tape, TapeOptions } from './tape.js';
export { formatReport } from './replay-report.js';
export type {
  CompareOptions,
  ReplayDifference,
  ReplayItem,
  ReplayReport,
  ReplaySubject,
} from './replay-report.js';
export { diffJson } from './json-diff.js';
export type { JsonChange } from './json-diff.js';
export type { QuestionKind } from './wire-question.js';
