// The entry point `inboard/trace`: records what passes between a program and the CLI, replays it and shows it.
export { tapTransport, type WireListener } from '@inboard/core/record/trace/recorder/tap-transport.js';
export { traceTransport } from '@inboard/core/record/trace/recorder/trace-option.js';
export type {
  TraceOption,
  TraceOptions,
  TraceRequest,
} from '@inboard/core/record/trace/recorder/trace-option.js';
export type { TraceSink } from '@inboard/core/record/trace/recorder/trace-sink.js';
export {
  createRedactor,
  type RedactOptions,
  type Redactor,
} from '@inboard/core/record/trace/recorder/redact.js';
export {
  readTrace,
  streamTrace,
  traceOf,
  type ReadTraceOptions,
} from '@inboard/core/record/trace/read-trace.js';
export { TRACE_FORMAT, TRACE_VERSION } from '@inboard/core/record/trace/trace-event.js';
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
} from '@inboard/core/record/trace/trace-event.js';
export { openTape, type Tape, type TapeOptions } from '@inboard/core/record/trace/replay/tape.js';
export { formatReport, type FormatReportOptions } from '@inboard/core/record/trace/replay/format-report.js';
export type {
  CompareOptions,
  ReplayDifference,
  ReplayItem,
  ReplayReport,
  ReplaySubject,
} from '@inboard/core/record/trace/replay/replay-report.js';
export { diffJson, type JsonChange } from '@inboard/core/record/trace/replay/json-diff.js';
export type { QuestionKind } from '@inboard/core/record/trace/timeline/wire-question.js';
export { buildTimeline } from '@inboard/core/record/trace/timeline/timeline.js';
export type { TimeShares } from '@inboard/core/record/trace/timeline/time-shares.js';
export type { Timeline, TimelineTotals } from '@inboard/core/record/trace/timeline/timeline.js';
export type { TimelineRow } from '@inboard/core/record/trace/timeline/timeline-row.js';
export type { TimelineSpan } from '@inboard/core/record/trace/timeline/timeline-spans.js';
export type { TimelineLayer } from '@inboard/core/record/trace/timeline/frame-description.js';
export { renderTimelineText, type RenderTextOptions } from '@inboard/core/record/trace/render/render-text.js';
export {
  renderTimelineMermaid,
  type RenderMermaidOptions,
} from '@inboard/core/record/trace/render/render-mermaid.js';
export { renderTimelineHtml, type RenderHtmlOptions } from '@inboard/inspector/html/render-html.js';
