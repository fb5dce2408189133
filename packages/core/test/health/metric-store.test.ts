// The text that a Prometheus reads, by its format 0.0.4.
import { describe, expect, it } from 'vitest';
import { MetricStore } from '../../src/health/metric-store.js';
import { prometheusName, type Metric } from '../../src/health/metric.js';

const metric = (given: Partial<Metric>): Metric => ({
  name: 'shop.orders',
  kind: 'counter',
  unit: '{order}',
  description: 'Orders',
  attributes: {},
  isObserved: false,
  bounds: [],
  ...given,
});

describe('prometheusName', () => {
  it.each([
    [{}, 'shop_orders_total'],
    [{ name: 'shop.cost.total' }, 'shop_cost_total'],
    [{ kind: 'gauge' as const }, 'shop_orders'],
    [{ kind: 'histogram' as const, unit: 's', name: 'shop.queue.wait' }, 'shop_queue_wait_seconds'],
    [{ kind: 'gauge' as const, unit: 's', name: 'shop.open_seconds' }, 'shop_open_seconds'],
  ])('of %j is %s', (given, name) => {
    expect(prometheusName(metric(given))).toBe(name);
  });
});

describe('a store of metrics', () => {
  it('begins counters with 0 for all that is known, so that the first increase is seen', () => {
    const orders = metric({ attributes: { 'shop.state': ['paid', 'open'], 'shop.tool': [] } });
    const store = new MetricStore([orders, metric({ name: 'shop.depth', kind: 'gauge' })]);
    store.record(orders, 2, { 'shop.state': 'open' });
    store.record(orders, 1, { 'shop.tool': 'refund', 'shop.state': 'open', other: 'not told' });
    expect(store.write()).toBe(
      [
        '# HELP shop_orders_total Orders',
        '# TYPE shop_orders_total counter',
        'shop_orders_total{shop_state="paid"} 0',
        'shop_orders_total{shop_state="open"} 2',
        'shop_orders_total{shop_state="open",shop_tool="refund"} 1',
        '',
      ].join('\n'),
    );
  });

  it('escapes what a label or a description may contain', () => {
    const odd = metric({ kind: 'gauge', description: 'a\\b\nc "d"', attributes: { 'shop.name': [] } });
    const store = new MetricStore([odd]);
    store.record(odd, 1.5, { 'shop.name': 'a\\b\n"c"' });
    expect(store.write().split('\n')).toEqual([
      String.raw`# HELP shop_orders a\\b\nc "d"`,
      '# TYPE shop_orders gauge',
      String.raw`shop_orders{shop_name="a\\b\n\"c\""} 1.5`,
      '',
    ]);
  });

  it('counts a histogram up to each bound, and above', () => {
    const wait = metric({ kind: 'histogram', unit: 's', name: 'shop.wait', bounds: [0.5, 1] });
    const store = new MetricStore([wait]);
    for (const value of [0.5, 0.7, 3]) store.record(wait, value);
    expect(store.write().split('\n').slice(2)).toEqual([
      'shop_wait_seconds_bucket{le="0.5"} 1',
      'shop_wait_seconds_bucket{le="1"} 2',
      'shop_wait_seconds_bucket{le="+Inf"} 3',
      'shop_wait_seconds_sum 4.2',
      'shop_wait_seconds_count 3',
      '',
    ]);
  });

  it('ignores what is no number, what lowers a counter, and metrics of others', () => {
    const orders = metric({});
    const store = new MetricStore([orders]);
    for (const value of [Number.NaN, Infinity, -1]) store.record(orders, value);
    store.record(metric({ name: 'foreign' }), 1);
    expect(store.write()).toContain('shop_orders_total 0\n');
    expect(store.write()).not.toContain('foreign');
  });

  it('puts what exceeds 200 series into one, and cuts long values', () => {
    const orders = metric({ attributes: { 'shop.tool': [] } });
    const store = new MetricStore([orders]);
    for (let index = 0; index < 1000; index += 1)
      store.record(orders, 1, { 'shop.tool': `${index} ${'x'.repeat(1000)}` });
    const lines = store.write().trim().split('\n').slice(2);
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe('shop_orders_total{otel_metric_overflow="true"} 801');
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(180);
  });
});
