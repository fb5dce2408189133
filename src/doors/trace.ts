// The door `inboard/trace`: record what passes between a program and the CLI, replay it, look at it.
export { tapTransport, type WireListener } from '../record/trace/recorder/tap-transport.js';
export { traceTransport } from '../record/trace/recorder/trace-option.js';
export type { TraceOption, TraceOptions, TraceRequest } from '../record/trace/recorder/trace-option.js';
export type { TraceSink } from '../record/trace/recorder/trace-sink.js';
export { createRedactor, type RedactOptions, type Redactor } from '../record/trace/recorder/redact.js';
export { readTrace, streamTrace, traceOf, type ReadTraceOptions } from '../record/trace/read-trace.js';
export { TRACE_FORMAT, TRACE_VERSION } from '../record/trace/trace-event.js';
export type {
  Trace,
  TraceCompleted,
  TraceDirection,
  TraceEnd,
  TraceEvent,
  TraceFault,
  TraceFrame,
  TraceGap,
  TraceHeader,
  TraceMark,
  TraceStep,
} from '../record/trace/trace-event.js';
export { openTape, type Tape, type TapeOptions } from '../record/trace/replay/tape.js';
export { formatReport, type FormatReportOptions } from '../record/trace/replay/format-report.js';
export type {
  CompareOptions,
  ReplayDifference,
  ReplayItem,
  ReplayReport,
  ReplaySubject,
} from '../record/trace/replay/replay-report.js';
export { diffJson, type JsonChange } from '../record/trace/replay/json-diff.js';
export type { QuestionKind } from '../record/trace/timeline/wire-question.js';
export { buildTimeline } from '../record/trace/timeline/timeline.js';
export type { TimeShares } from '../record/trace/timeline/time-shares.js';
export type { Timeline, TimelineTotals } from '../record/trace/timeline/timeline.js';
export type { TimelineRow } from '../record/trace/timeline/timeline-row.js';
export type { TimelineSpan } from '../record/trace/timeline/timeline-spans.js';
export type { TimelineLayer } from '../record/trace/timeline/frame-description.js';
export { renderTimelineText, type RenderTextOptions } from '../record/trace/render/render-text.js';
export { renderTimelineMermaid, type RenderMermaidOptions } from '../record/trace/render/render-mermaid.js';
export { renderTimelineHtml, type RenderHtmlOptions } from '../inspector/html/render-html.js';
