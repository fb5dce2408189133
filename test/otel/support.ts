// A real tracer whose spans stay in memory, and how tests look at them.
import {
  context,
  createNoopMeter,
  metrics,
  propagation,
  trace,
  type Attributes,
  type Meter,
  type Tracer,
} from '@opentelemetry/api';
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
  /** A meter whose histograms are kept in `measured`. */
  readonly meter: Meter;
  readonly measured: Measured[];
  readonly spans: ReadableSpan[];
  /** `name < name of its parent`, in the order in which they began. */
  tree(): string[];
  find(name: string): ReadableSpan;
}

/** A value that was recorded. */
export interface Measured {
  name: string;
  unit: string | undefined;
  value: number;
  attributes: Attributes;
}

/** A meter that keeps what its histograms record, and refuses other instruments silently as the API does. */
function createKeepingMeter(measured: Measured[]): Meter {
  const meter = createNoopMeter();
  meter.createHistogram = (name, options) => ({
    record: (value, attributes?: Attributes) =>
      void measured.push({ name, unit: options?.unit, value, attributes: attributes ?? {} }),
  });
  return meter;
}

/** Sets OpenTelemetry up for the tests of a file, as a program would; the log is that of the test that runs. */
export function useSpans(): SpanLog {
  const { log, provider, exporter } = createLog();
  const { meter, measured } = log;
  const contexts = new AsyncLocalStorageContextManager();
  beforeAll(() => {
    context.setGlobalContextManager(contexts.enable());
    trace.setGlobalTracerProvider(provider);
    metrics.setGlobalMeterProvider({ getMeter: () => meter });
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
    metrics.disable();
    propagation.disable();
  });
  beforeEach(() => {
    exporter.reset();
    measured.length = 0;
  });
  return log;
}

/** A log of its own, for a case beside which others run: give its tracer and meter to whatever is to write there. */
export function createSpanLog(): SpanLog {
  return createLog().log;
}

function createLog(): { log: SpanLog; provider: BasicTracerProvider; exporter: InMemorySpanExporter } {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const measured: Measured[] = [];
  const meter = createKeepingMeter(measured);
  const sorted = (): ReadableSpan[] =>
    exporter
      .getFinishedSpans()
      .toSorted(
        (one, other) => one.startTime[0] - other.startTime[0] || one.startTime[1] - other.startTime[1],
      );
  const log: SpanLog = {
    meter,
    measured,
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
  return { log, provider, exporter };
}
