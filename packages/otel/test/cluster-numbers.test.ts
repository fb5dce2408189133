// OpenTelemetry and Prometheus get the same facts: the same names, units and attributes, and the same values.
import { afterEach, expect, it, vi } from 'vitest';
import type { HealthReport } from '@inboard/core/health/health-report.js';
import { MetricStore } from '@inboard/core/health/metric-store.js';
import { prometheusName, toLabel, type Metric } from '@inboard/core/health/metric.js';
import { CLUSTER_METRICS } from '@inboard/cluster/numbers/cluster-metrics.js';
import {
  measureEvent,
  measureHealth,
  measureProcess,
  measureSend,
  measureStats,
  type ClusterNumbers,
} from '@inboard/cluster/numbers/measure.js';
import type { WorkerEvent } from '@inboard/cluster/work/host/worker-event.js';
import { clusterTelemetry } from '@inboard/inboard/otel.js';
import { createSpanLog } from './support.js';

afterEach(() => void vi.useRealTimers());

const METRICS: readonly Metric[] = Object.values(CLUSTER_METRICS);

const outcome = { ok: true, kind: 'ok', text: '', turnCostUsd: 0.25 };
const EVENTS = [
  { type: 'leased', epoch: 1 },
  { type: 'leased', epoch: 2, takenOverAfterMs: 400 },
  { type: 'lost', epoch: 2, why: 'unreachable' },
  { type: 'turn-started', turn: 't', attempt: 2, how: 'continued', queuedMs: 1500 },
  { type: 'turn-ended', turn: 't', outcome },
  { type: 'turn-parked', turn: 't', questions: 2 },
  { type: 'turn-handed-over', turn: 't' },
  { type: 'call-repeated', turn: 't', toolName: 'refund', callKey: 'c', answer: 'recorded' },
  { type: 'call-completed', turn: 't', toolName: 'refund', callKey: 'c', how: 'ran', delivered: true },
  { type: 'paused', ms: 1000, reason: '429', tenant: 'acme' },
  { type: 'trouble', where: 'journal', error: new Error('away') },
].map((event) => ({ at: 0, worker: 'w1', key: 'ann/1', ...event }) as WorkerEvent);

const NUMBERS: ClusterNumbers = {
  conversations: { idle: 5, queued: 1, running: 2, parked: 3, closed: 4 },
  turns: { queued: 1, running: 2, parked: 3, ended: 90 },
  oldestQueuedMs: 2500,
  leases: 2,
  takeovers: 7,
  questions: 3,
  totalCostUsd: 12.5,
  oldestQuestionMs: 60_000,
  workers: [
    { name: 'w1', concurrency: 4, running: 3, warm: 0, draining: false, seenAt: 0 },
    { name: 'w2', concurrency: 4, running: 1, warm: 0, draining: true, seenAt: 0 },
    { name: 'w3', concurrency: 4, running: 4, warm: 0, draining: false, seenAt: 0, silentMs: 20_000 },
  ],
  pauses: [
    { until: 1, reason: '429' },
    { until: 1, reason: '429', tenant: 'acme' },
  ],
};
const HEALTH: HealthReport = {
  ready: false,
  checks: [
    { name: 'journal', ok: true },
    { name: 'disk', ok: false, code: 'DISK_FULL' },
  ],
  loopDelayMs: 40,
};

it('the two have the same metrics, with the same values', async () => {
  // So that the numbers of the cluster have no age.
  vi.useFakeTimers({ toFake: ['performance'] });
  const log = createSpanLog();
  const telemetry = clusterTelemetry({
    tracer: log.tracer,
    meter: log.meter,
    stats: async () => NUMBERS,
    health: async () => HEALTH,
  });
  const store = new MetricStore(METRICS);
  const record = store.record.bind(store);
  for (const event of EVENTS) {
    telemetry.event(event);
    measureEvent(record, event);
  }
  await telemetry.send({ key: 'k', id: 't' }, async () => {});
  await telemetry.turn({} as never, { key: 'k' } as never, async () => {});
  measureSend(record, 0);
  measureProcess(record, 0);
  await log.collect();
  measureStats(record, { numbers: NUMBERS, ageMs: 0 });
  measureHealth(record, HEALTH);
  telemetry.close();

  const lines = new Set(store.write().split('\n'));
  const seen = new Set<Metric>();
  for (const { name, unit, value, attributes } of log.measured) {
    const metric = METRICS.find((each) => each.name === name);
    expect(metric, name).toMatchObject({ unit });
    if (!metric) continue;
    seen.add(metric);
    const labels = Object.keys(metric.attributes)
      .filter((attribute) => attributes[attribute] !== undefined)
      .map((attribute) => `${toLabel(attribute)}="${String(attributes[attribute])}"`);
    expect(Object.keys(attributes).filter((attribute) => !(attribute in metric.attributes))).toEqual([]);
    const written = labels.length === 0 ? '' : `{${labels.join(',')}}`;
    // A duration is another one each time, so only that there is one is compared.
    if (metric.kind === 'histogram') expect(lines).toContain(`${prometheusName(metric)}_count${written} 1`);
    else expect(lines).toContain(`${prometheusName(metric)}${written} ${value}`);
  }
  expect(METRICS.filter((metric) => !seen.has(metric))).toEqual([]);
});

it('no two metrics have one name in Prometheus', () => {
  const names = METRICS.map(prometheusName);
  expect([...new Set(names)]).toEqual(names);
});

it('numbers of workers say what is free, and count no silent worker as capacity', () => {
  const store = new MetricStore(METRICS);
  measureStats(store.record.bind(store), { numbers: NUMBERS, ageMs: 0 });
  const lines = store.write().split('\n');
  expect(lines).toContain('inboard_cluster_workers{inboard_state="silent"} 1');
  expect(lines).toContain('inboard_cluster_slots{inboard_state="used"} 4');
  expect(lines).toContain('inboard_cluster_slots{inboard_state="free"} 1');
});
