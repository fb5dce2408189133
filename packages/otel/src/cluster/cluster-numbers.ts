// The metrics of a cluster. Some count a worker's own events, and others are read from the journal for the whole cluster. No
// conversation, tenant or worker is an attribute here, because each value would become a series of its own.
import type { Attributes, Counter, Histogram, Meter, ObservableGauge } from '@opentelemetry/api';
import type { JournalStats } from '@inboard/cluster/journal/records.js';
import type { WorkerEvent } from '@inboard/cluster/work/host/worker-event.js';
import { CLUSTER_ATTRIBUTE as ATTRIBUTE, CLUSTER_METRIC as METRIC } from './cluster-attributes.js';

const SECONDS = {
  unit: 's',
  advice: {
    explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  },
};

/** The instruments of one meter. */
export class ClusterNumbers {
  readonly #sent: Counter;
  readonly #sendDuration: Histogram;
  readonly #consumed: Counter;
  readonly #processDuration: Histogram;
  readonly #queueWait: Histogram;
  readonly #leases: Counter;
  readonly #lost: Counter;
  readonly #takeoverDelay: Histogram;
  readonly #turns: Counter;
  readonly #left: Counter;
  readonly #repeats: Counter;
  readonly #completions: Counter;
  readonly #cost: Counter;
  readonly #pauses: Counter;
  readonly #troubles: Counter;

  constructor(meter: Meter) {
    const count = (name: string, unit: string, description: string): Counter =>
      meter.createCounter(name, { unit, description });
    const time = (name: string, description: string): Histogram =>
      meter.createHistogram(name, { ...SECONDS, description });
    this.#sent = count(METRIC.sent, '{message}', 'Messages stored');
    this.#sendDuration = time(METRIC.sendDuration, 'Time it took to store a message');
    this.#consumed = count(
      METRIC.consumed,
      '{message}',
      'Turns picked up by a worker, counting each attempt',
    );
    this.#processDuration = time(METRIC.processDuration, 'Time a worker spent on a turn');
    this.#queueWait = time(METRIC.queueWait, 'Time a turn waited before a worker picked it up');
    this.#leases = count(METRIC.leases, '{lease}', 'Leases granted');
    this.#lost = count(METRIC.leasesLost, '{lease}', 'Leases lost by a worker');
    this.#takeoverDelay = time(METRIC.takeoverDelay, 'Time between the expiry of a lease and the next one');
    this.#turns = count(METRIC.turns, '{turn}', 'Turns ended, by outcome');
    this.#left = count(METRIC.turnsLeft, '{turn}', 'Turns parked or handed over');
    this.#repeats = count(METRIC.repeats, '{call}', 'Tool calls that had been started before');
    this.#completions = count(
      METRIC.completions,
      '{call}',
      'Tool calls that were cut off, by what became of them',
    );
    this.#cost = count(METRIC.cost, '{USD}', 'Cost of the turns that ended here');
    this.#pauses = count(METRIC.pauses, '{pause}', 'Pauses requested by this worker');
    this.#troubles = count(METRIC.troubles, '{trouble}', 'Operations that failed and are retried');
  }

  /** Measures an attempt to store a message, whether or not it succeeded. */
  send(seconds: number, facts: Attributes): void {
    this.#sendDuration.record(seconds, facts);
    if (facts[ATTRIBUTE.errorType] === undefined) this.#sent.add(1, facts);
  }

  /** Measures the work of a worker on a turn that has ended or was left. */
  process(seconds: number, facts: Attributes): void {
    this.#processDuration.record(seconds, facts);
    this.#consumed.add(1, facts);
  }

  event(event: WorkerEvent): void {
    switch (event.type) {
      case 'leased':
        this.#leases.add(1, {
          [ATTRIBUTE.how]: event.takenOverAfterMs === undefined ? 'free' : 'taken-over',
        });
        if (event.takenOverAfterMs !== undefined) this.#takeoverDelay.record(event.takenOverAfterMs / 1000);
        break;
      case 'lost':
        this.#lost.add(1, { [ATTRIBUTE.why]: event.why });
        break;
      case 'turn-started':
        this.#queueWait.record(event.queuedMs / 1000, { [ATTRIBUTE.how]: event.how });
        break;
      case 'turn-ended':
        this.#turns.add(1, { [ATTRIBUTE.kind]: event.outcome.kind });
        // A counter takes no negative numbers, and a turn may have no cost.
        if (event.outcome.costUsd > 0) this.#cost.add(event.outcome.costUsd);
        break;
      case 'turn-parked':
        this.#left.add(1, { [ATTRIBUTE.left]: 'parked' });
        break;
      case 'turn-handed-over':
        this.#left.add(1, { [ATTRIBUTE.left]: 'handed-over' });
        break;
      case 'call-repeated':
        this.#repeats.add(1, { [ATTRIBUTE.answer]: event.answer, [ATTRIBUTE.toolName]: event.toolName });
        break;
      case 'call-completed':
        this.#completions.add(1, { [ATTRIBUTE.answer]: event.how, [ATTRIBUTE.toolName]: event.toolName });
        break;
      case 'paused':
        this.#pauses.add(1, { [ATTRIBUTE.scope]: event.tenant === undefined ? 'all' : 'tenant' });
        break;
      case 'trouble':
        this.#troubles.add(1, { [ATTRIBUTE.where]: event.where });
        break;
      default:
    }
  }
}

/** Reads the numbers of the whole cluster whenever metrics are collected. The returned function stops that. */
export function observeStats(
  meter: Meter,
  stats: () => Promise<JournalStats>,
  onFault: (cause: unknown) => void,
): () => void {
  const gauge = (name: string, unit: string, description: string): ObservableGauge =>
    meter.createObservableGauge(name, { unit, description });
  const conversations = gauge(METRIC.conversations, '{conversation}', 'Conversations, by state');
  const turns = gauge(METRIC.turnsNow, '{turn}', 'Turns, by state');
  const oldest = gauge(METRIC.oldest, 's', 'Time the oldest turn that could run has been waiting');
  const leases = gauge(METRIC.leasesNow, '{lease}', 'Valid leases');
  const takeovers = meter.createObservableCounter(METRIC.takeovers, {
    unit: '{lease}',
    description: 'Leases that expired instead of being released',
  });
  const questions = gauge(METRIC.questions, '{question}', 'Unanswered questions');
  const cost = meter.createObservableCounter(METRIC.costTotal, {
    unit: '{USD}',
    description: 'Cost of all turns',
  });
  const all = [conversations, turns, oldest, leases, takeovers, questions, cost];
  const observe = async (
    result: Parameters<Parameters<Meter['addBatchObservableCallback']>[0]>[0],
  ): Promise<void> => {
    try {
      const now = await stats();
      for (const [state, value] of Object.entries(now.conversations))
        result.observe(conversations, value, { [ATTRIBUTE.state]: state });
      for (const [state, value] of Object.entries(now.turns))
        result.observe(turns, value, { [ATTRIBUTE.state]: state });
      result.observe(oldest, now.oldestQueuedMs / 1000);
      result.observe(leases, now.leases);
      result.observe(takeovers, now.takeovers);
      result.observe(questions, now.questions);
      result.observe(cost, now.costUsd);
    } catch (cause) {
      // The journal cannot be read. No number is better than an old one, and the failure must not reach the collector.
      onFault(cause);
    }
  };
  meter.addBatchObservableCallback(observe, all);
  return () => meter.removeBatchObservableCallback(observe, all);
}
