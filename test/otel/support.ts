// A real tracer whose spans stay in memory, and how tests look at them.
import { context, propagation, trace, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** Finished spans, and a tracer that makes them. */
export interface SpanLog {
  readonly tracer: Tracer;
  readonly spans: ReadableSpan[];
  /** `name < name of its parent`, in the order in which they began. */
  tree(): string[];
  find(name: string): ReadableSpan;
}

/** Sets OpenTelemetry up for the tests of a file, as a program would. */
export function useSpans(): SpanLog {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const contexts = new AsyncLocalStorageContextManager();
  beforeAll(() => {
    context.setGlobalContextManager(contexts.enable());
    trace.setGlobalTracerProvider(provider);
    propagation.setGlobalPropagator({
      inject: (within, carrier: Record<string, string>) => {
        const span = trace.getSpanContext(within);
        if (span) carrier['traceparent'] = `00-${span.traceId}-${span.spanId}-01`;
      },
      extract: (within) => within,
      fields: () => ['traceparent'],
    });
  });
  afterAll(() => {
    context.disable();
    trace.disable();
    propagation.disable();
  });
  beforeEach(() => exporter.reset());
  const sorted = (): ReadableSpan[] =>
    exporter
      .getFinishedSpans()
      .toSorted(
        (one, other) => one.startTime[0] - other.startTime[0] || one.startTime[1] - other.startTime[1],
      );
  return {
    get tracer() {
      return provider.getTracer('test');
    },
    get spans() {
      return exporter.getFinishedSpans();
    },
    tree: () =>
      sorted().map((span) => {
        const parent = exporter
          .getFinishedSpans()
          .find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId);
        return `${span.name} < ${parent?.name ?? '-'}`;
      }),
    find: (name) => {
      const span = exporter.getFinishedSpans().find((each) => each.name === name);
      if (!span)
        throw new Error(
          `No span "${name}" among ${exporter
            .getFinishedSpans()
            .map((each) => each.name)
            .join(', ')}`,
        );
      return span;
    },
  };
}
