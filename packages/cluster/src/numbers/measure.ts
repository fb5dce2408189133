// Turns what happens in a cluster into values of its metrics. OpenTelemetry and Prometheus both record what these functions say.
import type { HealthReport } from '@inboard/core/health/health-report.js';
import type { RecordMetric } from '@inboard/core/health/metric.js';
import type { JournalStats, Pause, WorkerRecord } from '../journal/records.js';
import type { WorkerEvent } from '../work/host/worker-event.js';
import { CLUSTER_ATTRIBUTE as ATTRIBUTE, DESTINATION, MESSAGING } from './cluster-attributes.js';
import { CLUSTER_METRICS as METRICS } from './cluster-metrics.js';

/** The numbers of a whole cluster. Those beyond `JournalStats` are left out if only the journal was asked. */
export interface ClusterNumbers extends JournalStats {
  workers?: readonly WorkerRecord[] | undefined;
  pauses?: readonly Pause[] | undefined;
  oldestQuestionMs?: number | undefined;
}

/** The numbers of the whole cluster, as they were some time ago. */
export interface KnownNumbers {
  numbers: ClusterNumbers;
  /** Milliseconds since the read of these numbers began. */
  ageMs: number;
}

/** The attributes of everything that is measured when a message is sent or worked on. */
export function messagingFacts(operation: 'send' | 'process', errorType?: string): Record<string, string> {
  return {
    [MESSAGING.system]: 'inboard',
    [MESSAGING.operation]: operation,
    [MESSAGING.operationType]: operation,
    [MESSAGING.destination]: DESTINATION,
    ...(errorType !== undefined && { [ATTRIBUTE.errorType]: errorType }),
  };
}

/** Measures an attempt to store a message, whether or not it succeeded. */
export function measureSend(record: RecordMetric, seconds: number, errorType?: string): void {
  const facts = messagingFacts('send', errorType);
  record(METRICS.sendDuration, seconds, facts);
  if (errorType === undefined) record(METRICS.sent, 1, facts);
}

/** Measures the work of a worker on a turn that has ended or was left. */
export function measureProcess(record: RecordMetric, seconds: number, errorType?: string): void {
  const facts = messagingFacts('process', errorType);
  record(METRICS.processDuration, seconds, facts);
  record(METRICS.consumed, 1, facts);
}

/** Measures an event of a worker. */
export function measureEvent(record: RecordMetric, event: WorkerEvent): void {
  const { leases, takeoverDelay, leasesLost, queueWait, turns, cost, turnsLeft } = METRICS;
  switch (event.type) {
    case 'leased':
      record(leases, 1, { [ATTRIBUTE.how]: event.takenOverAfterMs === undefined ? 'free' : 'taken-over' });
      if (event.takenOverAfterMs !== undefined) record(takeoverDelay, event.takenOverAfterMs / 1000);
      break;
    case 'lost':
      record(leasesLost, 1, { [ATTRIBUTE.why]: event.why });
      break;
    case 'turn-started':
      record(queueWait, event.queuedMs / 1000, { [ATTRIBUTE.how]: event.how });
      break;
    case 'turn-ended':
      record(turns, 1, { [ATTRIBUTE.kind]: event.outcome.kind });
      // A counter takes no negative numbers, and a turn may have no cost.
      if (event.outcome.turnCostUsd > 0) record(cost, event.outcome.turnCostUsd);
      break;
    case 'turn-parked':
      record(turnsLeft, 1, { [ATTRIBUTE.left]: 'parked' });
      break;
    case 'turn-handed-over':
      record(turnsLeft, 1, { [ATTRIBUTE.left]: 'handed-over' });
      break;
    case 'turn-waiting':
      record(turnsLeft, 1, { [ATTRIBUTE.left]: 'waiting' });
      break;
    case 'call-repeated':
      record(METRICS.repeats, 1, { [ATTRIBUTE.answer]: event.answer, [ATTRIBUTE.toolName]: event.toolName });
      break;
    case 'call-completed':
      record(METRICS.completions, 1, { [ATTRIBUTE.answer]: event.how, [ATTRIBUTE.toolName]: event.toolName });
      break;
    case 'paused':
      record(METRICS.pauses, 1, { [ATTRIBUTE.scope]: event.tenant === undefined ? 'all' : 'tenant' });
      break;
    case 'trouble':
      record(METRICS.troubles, 1, { [ATTRIBUTE.where]: event.where });
      break;
    default:
  }
}

/** Measures the whole cluster, as its journal has it. */
function measureCluster(record: RecordMetric, now: ClusterNumbers): void {
  for (const [state, value] of Object.entries(now.conversations))
    record(METRICS.conversations, value, { [ATTRIBUTE.state]: state });
  for (const [state, value] of Object.entries(now.turns))
    record(METRICS.turnsNow, value, { [ATTRIBUTE.state]: state });
  record(METRICS.oldest, now.oldestQueuedMs / 1000);
  record(METRICS.leasesNow, now.leases);
  record(METRICS.takeovers, now.takeovers);
  record(METRICS.questions, now.questions);
  record(METRICS.spent, now.totalCostUsd);
  if (now.oldestQuestionMs !== undefined) record(METRICS.oldestQuestion, now.oldestQuestionMs / 1000);
  if (now.workers) measureWorkers(record, now.workers);
  if (now.pauses)
    for (const [scope, count] of Object.entries(countPauses(now.pauses)))
      record(METRICS.pausesNow, count, { [ATTRIBUTE.scope]: scope });
}

/** Measures the whole cluster as far as it is known, and whether it is. */
export function measureStats(record: RecordMetric, known: KnownNumbers | undefined): void {
  record(METRICS.statsOk, known ? 1 : 0);
  if (!known) return;
  record(METRICS.statsAge, known.ageMs / 1000);
  measureCluster(record, known.numbers);
}

/** Measures the health of this process. */
export function measureHealth(record: RecordMetric, { checks, loopDelayMs }: HealthReport): void {
  for (const { name, ok } of checks) record(METRICS.check, ok ? 1 : 0, { [ATTRIBUTE.check]: name });
  record(METRICS.loopDelay, loopDelayMs / 1000);
}

function measureWorkers(record: RecordMetric, workers: readonly WorkerRecord[]): void {
  const states = { working: 0, draining: 0, silent: 0 };
  const slots = { used: 0, free: 0 };
  for (const worker of workers) {
    const state = worker.silentMs !== undefined ? 'silent' : worker.draining ? 'draining' : 'working';
    states[state] += 1;
    if (state === 'silent') continue;
    slots.used += worker.running;
    if (state === 'working') slots.free += Math.max(0, worker.concurrency - worker.running);
  }
  const observe = (metric: (typeof METRICS)['workers'], counts: MetricCounts): void => {
    for (const [state, value] of Object.entries(counts)) record(metric, value, { [ATTRIBUTE.state]: state });
  };
  observe(METRICS.workers, states);
  observe(METRICS.slots, slots);
}

type MetricCounts = Readonly<Record<string, number>>;

function countPauses(pauses: readonly Pause[]): { all: number; tenant: number } {
  const all = pauses.filter(({ tenant }) => tenant === undefined).length;
  return { all, tenant: pauses.length - all };
}
