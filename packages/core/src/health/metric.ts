// What a metric is. One description serves OpenTelemetry and Prometheus, so that both have the same facts under names that
// correspond. The names and labels for Prometheus follow the rules by which a collector of OpenTelemetry makes them.

/** The values of a metric's attributes. What is undefined is left out. */
export type MetricFacts = Readonly<Record<string, string | undefined>>;

/** Takes one value of a metric. */
export type RecordMetric = (metric: Metric, value: number, facts?: MetricFacts) => void;

/** A metric, with its name and unit in OpenTelemetry. */
export interface Metric {
  readonly name: string;
  /** The values of a counter are added up, those of a histogram are counted by size, and of a gauge the latest is kept. */
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** `s` for seconds. A unit in braces is only a word for what is counted. */
  readonly unit: string;
  readonly description: string;
  /**
   * The attributes, each with the values that it can have, so that a counter can begin with 0 for each of them. Without the 0,
   * a query sees no increase when the first thing happens. The list is empty for an attribute whose values are not known
   * before, or that may be missing.
   */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** Whether the value is read when somebody asks for it, instead of being recorded when something happens. */
  readonly isObserved: boolean;
  /** The upper bounds of a histogram. */
  readonly bounds: readonly number[];
}

/** The name of a metric in Prometheus: words joined by `_`, then the unit, then `total` for a counter. */
export function prometheusName({ name, unit, kind }: Metric): string {
  const words = toLabel(name);
  const named = unit === 's' && !words.endsWith('_seconds') ? `${words}_seconds` : words;
  return kind === 'counter' && !named.endsWith('_total') ? `${named}_total` : named;
}

/** The name of an attribute as a label of Prometheus. */
export function toLabel(attribute: string): string {
  return attribute.replaceAll(/\W/g, '_');
}
