// A real tracer whose spans stay in memory, and how tests look at them.
import {
  context,
  createNoopMeter,
  metrics,
  propagation,
  trace,
  type Attributes,
  type BatchObservableCallback,
  type Meter,
  type Observable,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** Finished spans, and a tracer that makes them. */
export interface SpanLog {
  readonly tracer: Tracer;
  /** A meter whose values are kept in `measured`. */
  readonly meter: Meter;
  readonly measured: Measured[];
  /** Asks the observables of the meter, as a reader does now and then. */
  collect(): Promise<void>;
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

/** A meter that keeps what its histograms record, its counters add, and its observables tell when `collect` asks them. */
function createKeepingMeter(measured: Measured[]): { meter: Meter; collect: () => Promise<void> } {
  // There is only one of these, and the tracer counts its own spans with it.
  const meter = Object.create(createNoopMeter()) as Meter;
  const keep =
    (name: string, options: { unit?: string } | undefined) => (value: number, attributes?: Attributes) =>
      void measured.push({ name, unit: options?.unit, value, attributes: attributes ?? {} });
  meter.createHistogram = (name, options) => ({ record: keep(name, options) });
  meter.createCounter = (name, options) => ({ add: keep(name, options) });
  const observables = new Map<Observable, ReturnType<typeof keep>>();
  const createObservable = (name: string, options?: { unit?: string }): Observable => {
    const observable: Observable = { addCallback: () => {}, removeCallback: () => {} };
    observables.set(observable, keep(name, options));
    return observable;
  };
  meter.createObservableGauge = createObservable;
  meter.createObservableCounter = createObservable;
  const callbacks = new Set<BatchObservableCallback>();
  meter.addBatchObservableCallback = (callback) => void callbacks.add(callback);
  meter.removeBatchObservableCallback = (callback) => void callbacks.delete(callback);
  const collect = async (): Promise<void> => {
    const observe = (of: Observable, value: number, attributes?: Attributes): void =>
      observables.get(of)?.(value, attributes);
    for (const callback of callbacks) await callback({ observe });
  };
  return { meter, collect };
}

/** Sets OpenTelemetry up for the tests of a file, as a program would; the log is that of the test that runs. */
export function useSpans(): SpanLog {
  const { log, provider, exporter } = createLog();
  const { meter, measured } = log;
  const contexts = new AsyncLocalStorageContextManager();
  beforeAll(() => {
    context.setGlobalContextManager(contexts.enable());
    trace.setGlobalTracerProvider(provider);
    metrics.setGlobalMeterProvider({
      getMeter: (name) => (name === 'inboard' ? meter : createNoopMeter()),
    });
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

/** Notes the spans as they begin: their times are whole milliseconds, and two may share one. */
function startOrder(begun: string[]): SpanProcessor {
  return {
    onStart: (span) => void begun.push(span.spanContext().spanId),
    onEnd: () => {},
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

function createLog(): { log: SpanLog; provider: BasicTracerProvider; exporter: InMemorySpanExporter } {
  const exporter = new InMemorySpanExporter();
  const begun: string[] = [];
  const provider = new BasicTracerProvider({
    spanProcessors: [startOrder(begun), new SimpleSpanProcessor(exporter)],
  });
  const measured: Measured[] = [];
  const { meter, collect } = createKeepingMeter(measured);
  const place = (span: ReadableSpan): number => begun.indexOf(span.spanContext().spanId);
  const sorted = (): ReadableSpan[] =>
    exporter.getFinishedSpans().toSorted((one, other) => place(one) - place(other));
  const log: SpanLog = {
    meter,
    measured,
    collect,
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
