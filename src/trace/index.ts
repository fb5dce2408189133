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
export { buildTimeline } from './timeline.js';
export type { Timeline, TimelineRow, TimelineTotals } from './timeline.js';
export type { TimelineSpan } from './timeline-spans.js';
export type { TimelineLayer } from './describe-frame.js';
export { renderTimelineText } from './render-text.js';
export type { RenderTextOptions } from './render-text.js';
export { renderTimelineMermaid } from './render-mermaid.js';
export type { RenderMermaidOptions } from './render-mermaid.js';
export { renderTimelineHtml } from './render-html.js';
export type { RenderHtmlOptions } from './render-html.js';
