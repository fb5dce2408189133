// Spans of a run, one JSON object per line in a file. In your program an OTLP exporter would stand in place of the file.
import { appendFileSync } from 'node:fs';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base';

/** A tracer that writes to the file as spans end. */
export function startTracer(file: string) {
  const write = (span: ReadableSpan): void => {
    const { name, startTime, duration, status, attributes, parentSpanContext: parent } = span;
    const ids = { ...span.spanContext(), parentSpanId: parent?.spanId };
    appendFileSync(file, `${JSON.stringify({ name, ...ids, startTime, duration, status, attributes })}\n`);
  };
  const processor = { onStart() {}, onEnd: write, async forceFlush() {}, async shutdown() {} };
  // Without one, a span could not find its parent across an await.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return new BasicTracerProvider({ spanProcessors: [processor] }).getTracer('nightly-report');
}
