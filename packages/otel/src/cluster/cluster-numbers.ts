// Records the metrics of a cluster with a meter of OpenTelemetry. What is measured, and under which names, is described once, in
// the cluster's own `numbers`.
import type { Meter, MetricOptions, Observable } from '@opentelemetry/api';
import type { HealthReport } from '@inboard/core/health/health-report.js';
import type { Metric, MetricFacts, RecordMetric } from '@inboard/core/health/metric.js';
import { CLUSTER_METRICS } from '@inboard/cluster/numbers/cluster-metrics.js';
import { measureHealth, measureStats, type ClusterNumbers } from '@inboard/cluster/numbers/measure.js';
import { StatsReader } from '@inboard/cluster/numbers/stats-reader.js';

/** Milliseconds that a collection waits for the numbers of the cluster. Exporters give up after 30 seconds by default. */
const STATS_TIMEOUT_MS = 5000;

const METRICS: readonly Metric[] = Object.values(CLUSTER_METRICS);

/** Makes the instruments for what happens in this process, and returns the function that records a value. */
export function createNumbers(meter: Meter): RecordMetric {
  const instruments = new Map<Metric, (value: number, facts?: MetricFacts) => void>();
  for (const metric of METRICS) {
    if (metric.isObserved) continue;
    const options = describe(metric);
    if (metric.kind === 'histogram') {
      const histogram = meter.createHistogram(metric.name, options);
      instruments.set(metric, (value, facts) => histogram.record(value, facts));
    } else {
      const counter = meter.createCounter(metric.name, options);
      instruments.set(metric, (value, facts) => counter.add(value, facts));
    }
  }
  return (metric, value, facts) => instruments.get(metric)?.(value, facts);
}

/** What is read when metrics are collected. */
export interface ObservedSources {
  stats?: (() => Promise<ClusterNumbers>) | undefined;
  health?: (() => Promise<HealthReport>) | undefined;
}

/** Reads the sources when metrics are collected. The returned function stops that. */
export function observeNumbers(
  meter: Meter,
  { stats, health }: ObservedSources,
  onFault: (cause: unknown) => void,
): () => void {
  const observables = new Map<Metric, Observable>();
  for (const metric of METRICS) {
    if (!metric.isObserved) continue;
    const options = describe(metric);
    const observable =
      metric.kind === 'counter'
        ? meter.createObservableCounter(metric.name, options)
        : meter.createObservableGauge(metric.name, options);
    observables.set(metric, observable);
  }
  const all = [...observables.values()];
  const reader = stats && new StatsReader(() => call(stats));
  const observe = async (
    result: Parameters<Parameters<Meter['addBatchObservableCallback']>[0]>[0],
  ): Promise<void> => {
    const record: RecordMetric = (metric, value, facts) => {
      const observable = observables.get(metric);
      if (observable) result.observe(observable, value, facts);
    };
    // A failure must not reach the collector.
    await Promise.all([
      reader?.read(STATS_TIMEOUT_MS).then((read) => {
        if (read.state === 'failed') onFault(read.error);
        measureStats(record, read.state === 'failed' ? undefined : read.known);
      }),
      health &&
        call(health)
          .then((report) => measureHealth(record, report))
          .catch(onFault),
    ]);
  };
  meter.addBatchObservableCallback(observe, all);
  return () => meter.removeBatchObservableCallback(observe, all);
}

/** The functions belong to the program, and may throw. */
async function call<T>(ask: () => Promise<T>): Promise<T> {
  return await ask();
}

function describe({ unit, description, bounds }: Metric): MetricOptions {
  const advice = bounds.length === 0 ? {} : { advice: { explicitBucketBoundaries: [...bounds] } };
  return { unit, description, ...advice };
}
