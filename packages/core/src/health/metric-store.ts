// Keeps the values of metrics in this process, and writes them in the text format of Prometheus (version 0.0.4).
import { prometheusName, toLabel, type Metric, type MetricFacts } from './metric.js';

/**
 * The most series of one metric. Beyond that, all values go into one series, as in OpenTelemetry. So names that a model or a
 * stranger makes up cannot fill the memory.
 */
const MOST_SERIES = 200;
const OVERFLOW: Labels = [['otel_metric_overflow', 'true']];
/** The most characters of a label's value. */
const LONGEST_VALUE = 128;

type Labels = ReadonlyArray<readonly [label: string, value: string]>;

/** One metric with one set of labels. `counts` has a number for each bound of a histogram, and one for what is above all. */
interface Series {
  labels: Labels;
  value: number;
  counts: number[];
}

/** The values of some metrics. Nothing in it waits, and no value that it is given makes it throw. */
export class MetricStore {
  readonly #metrics = new Map<Metric, Map<string, Series>>();

  constructor(metrics: readonly Metric[]) {
    for (const metric of metrics) {
      this.#metrics.set(metric, new Map());
      if (metric.kind !== 'gauge') for (const facts of listKnownFacts(metric)) this.#find(metric, facts);
    }
  }

  /** Adds a value to a counter or a histogram, or sets a gauge. Ignores what is not a number, and what would lower a counter. */
  record(metric: Metric, value: number, facts: MetricFacts = {}): void {
    if (!Number.isFinite(value) || (metric.kind !== 'gauge' && value < 0)) return;
    const series = this.#find(metric, facts);
    if (series === undefined) return;
    if (metric.kind === 'gauge') series.value = value;
    else series.value += value;
    if (metric.kind === 'histogram') {
      const bound = metric.bounds.findIndex((each) => value <= each);
      const at = bound < 0 ? metric.bounds.length : bound;
      series.counts[at] = (series.counts[at] ?? 0) + 1;
    }
  }

  /** Writes all values. A metric without any is left out. */
  write(): string {
    return [...this.#metrics].map(([metric, series]) => writeMetric(metric, [...series.values()])).join('');
  }

  #find(metric: Metric, facts: MetricFacts): Series | undefined {
    const all = this.#metrics.get(metric);
    if (all === undefined) return undefined;
    const labels = readLabels(metric, facts);
    const key = JSON.stringify(labels);
    const known = all.get(key);
    if (known) return known;
    const isFull = all.size >= MOST_SERIES;
    const overflow = JSON.stringify(OVERFLOW);
    const found = isFull ? all.get(overflow) : undefined;
    if (found) return found;
    const series: Series = {
      labels: isFull ? OVERFLOW : labels,
      value: 0,
      counts: metric.kind === 'histogram' ? Array<number>(metric.bounds.length + 1).fill(0) : [],
    };
    all.set(isFull ? overflow : key, series);
    return series;
  }
}

/** All combinations of the attributes whose values are known. The other attributes are left out. */
function listKnownFacts({ attributes }: Metric): MetricFacts[] {
  let all: MetricFacts[] = [{}];
  for (const [name, values] of Object.entries(attributes))
    if (values.length > 0) all = all.flatMap((facts) => values.map((value) => ({ ...facts, [name]: value })));
  return all;
}

function readLabels({ attributes }: Metric, facts: MetricFacts): Labels {
  return Object.keys(attributes).flatMap((name) => {
    const value = facts[name];
    return value === undefined ? [] : [[toLabel(name), value.slice(0, LONGEST_VALUE)] as const];
  });
}

function writeMetric(metric: Metric, all: readonly Series[]): string {
  if (all.length === 0) return '';
  const name = prometheusName(metric);
  const help = metric.description.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  const lines = all.flatMap((series) =>
    metric.kind === 'histogram'
      ? writeHistogram(name, metric, series)
      : [`${name}${writeLabels(series.labels)} ${series.value}`],
  );
  return `${[`# HELP ${name} ${help}`, `# TYPE ${name} ${metric.kind}`, ...lines].join('\n')}\n`;
}

// Each bucket counts everything up to its bound, so the buckets below are included.
function writeHistogram(name: string, { bounds }: Metric, { labels, value, counts }: Series): string[] {
  let sum = 0;
  const buckets = counts.map((count, at) => {
    sum += count;
    return `${name}_bucket${writeLabels([...labels, ['le', String(bounds[at] ?? '+Inf')]])} ${sum}`;
  });
  const written = writeLabels(labels);
  return [...buckets, `${name}_sum${written} ${value}`, `${name}_count${written} ${sum}`];
}

function writeLabels(labels: Labels): string {
  if (labels.length === 0) return '';
  return `{${labels.map(([label, value]) => `${label}="${escapeValue(value)}"`).join(',')}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
