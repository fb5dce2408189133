// The health and the metrics of a cluster in this process. It counts what happens, asks the journal when somebody wants to know,
// and never waits longer than it is told to.
import {
  reportHealth,
  HEALTH_TIMEOUT_MS,
  type HealthOptions,
  type HealthReport,
} from '@inboard/core/health/health-report.js';
import { isLocalDiskFull } from '@inboard/core/health/local-disk.js';
import { LoopDelay } from '@inboard/core/health/loop-delay.js';
import type { Metric } from '@inboard/core/health/metric.js';
import { MetricStore } from '@inboard/core/health/metric-store.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { settleInTime, type SettledInTime } from '@inboard/core/util/settle-in-time.js';
import type { Journal } from '../journal/journal.js';
import { CLUSTER_CHECKS, CLUSTER_METRICS } from '../numbers/cluster-metrics.js';
import {
  measureEvent,
  measureHealth,
  measureProcess,
  measureSend,
  measureStats,
  type ClusterNumbers,
} from '../numbers/measure.js';
import { StatsReader } from '../numbers/stats-reader.js';
import type { ClusterTelemetry } from '../work/host/host-parts.js';
import { countedTelemetry } from './counted-telemetry.js';
import { classify, JournalProbe } from './journal-probe.js';
import { WorkerStates } from './worker-states.js';

/** What the health of a cluster is read from. */
export interface ClusterHealthInput {
  /** The journal, ready for use. Rejects if it cannot be opened, and once the cluster is closed. */
  journal: () => Promise<Journal>;
  isClosed: () => boolean;
  /** The numbers of the whole cluster. */
  numbers: () => Promise<ClusterNumbers>;
  telemetry: ClusterTelemetry | undefined;
}

const ALL: readonly Metric[] = Object.values(CLUSTER_METRICS);
const COUNTED = ALL.filter(({ isObserved }) => !isObserved);
const OBSERVED = ALL.filter(({ isObserved }) => isObserved);

/** Milliseconds between two looks for room: it takes the database some 20 ms of work. */
const ROOM_MS = 10_000;

/** The health of one cluster object. The caller that makes it closes it. */
export class ClusterHealth {
  readonly #input: ClusterHealthInput;
  readonly #counted = new MetricStore(COUNTED);
  readonly #watch = new JournalProbe();
  readonly workers = new WorkerStates();
  /** Counts what it hears, and passes it on to the telemetry of the program. */
  readonly telemetry: ClusterTelemetry;
  /** Requests under way. A journal that does not answer is asked once, not once for each probe. */
  #probing: Promise<unknown> | undefined;
  #lookingForRoom: Promise<void> | undefined;
  #lookedForRoomAt = -Infinity;
  readonly #stats: StatsReader;
  /** Measured from the first question on. */
  #loopDelay: LoopDelay | undefined;

  constructor(input: ClusterHealthInput) {
    this.#input = input;
    this.#stats = new StatsReader(input.numbers);
    const record = this.#counted.record.bind(this.#counted);
    this.telemetry = countedTelemetry(input.telemetry, {
      sent: (seconds, errorType, error) => {
        measureSend(record, seconds, errorType);
        if (errorType === undefined) this.#watch.wrote();
        else this.#watch.failed(error, false);
      },
      processed: (seconds, errorType) => measureProcess(record, seconds, errorType),
      event: (event) => {
        measureEvent(record, event);
        this.workers.note(event);
        if (event.type === 'turn-ended') this.#watch.wrote();
        if (event.type === 'trouble' && event.where === 'journal')
          this.#watch.failed(event.error, event.key === undefined);
      },
    });
  }

  /** Notes that the journal took the report of a worker, which a worker writes every five seconds. */
  reported(): void {
    this.#watch.wrote();
  }

  async report({ timeoutMs = HEALTH_TIMEOUT_MS }: HealthOptions = {}): Promise<HealthReport> {
    this.#loopDelay ??= new LoopDelay();
    const isClosed = this.#input.isClosed();
    const [journal, , disk] = await Promise.all([
      isClosed ? undefined : settleInTime(this.#probe(), timeoutMs),
      isClosed ? undefined : settleInTime(this.#lookForRoom(), timeoutMs),
      settleInTime(isLocalDiskFull(), timeoutMs),
    ]);
    const failed: Record<string, string | undefined> = {
      ...this.#watch.faults(),
      ...(journal && describeProbe(journal)),
      worker: isClosed ? 'CLOSED' : this.workers.fault,
      ...(disk.state === 'done' && disk.value && { disk: 'DISK_FULL' }),
    };
    return reportHealth(CLUSTER_CHECKS, failed, this.#loopDelay.longestMs);
  }

  async metrics({ timeoutMs = HEALTH_TIMEOUT_MS }: HealthOptions = {}): Promise<string> {
    const now = new MetricStore(OBSERVED);
    const record = now.record.bind(now);
    const [stats, report] = await Promise.all([
      this.#input.isClosed() ? undefined : this.#stats.read(timeoutMs),
      this.report({ timeoutMs }),
    ]);
    if (stats) {
      // While the journal is away, no number is better than an old one.
      const isAway = report.checks.some(({ name, ok }) => name === 'journal' && !ok);
      const isOutdated = stats.state !== 'done' && isAway;
      measureStats(record, stats.state === 'failed' || isOutdated ? undefined : stats.known);
    }
    measureHealth(record, report);
    return this.#counted.write() + now.write();
  }

  close(): void {
    this.#loopDelay?.close();
  }

  #probe(): Promise<unknown> {
    this.#probing ??= this.#ask().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  /** The smallest question that a journal has. */
  async #ask(): Promise<void> {
    await (await this.#input.journal()).pauses();
  }

  /** Asks the journal now and then whether it has room left. A failure is remembered. */
  #lookForRoom(): Promise<void> {
    if (this.#lookingForRoom) return this.#lookingForRoom;
    if (clock.performance.now() - this.#lookedForRoomAt < ROOM_MS) return Promise.resolve();
    const looking = this.#askForRoom().finally(() => {
      this.#lookingForRoom = undefined;
      this.#lookedForRoomAt = clock.performance.now();
    });
    this.#lookingForRoom = looking;
    return looking;
  }

  async #askForRoom(): Promise<void> {
    try {
      await (await this.#input.journal()).checkRoom?.();
    } catch (error) {
      this.#watch.failed(error, false);
    }
  }
}

function describeProbe(probe: SettledInTime<unknown>): Record<string, string> {
  if (probe.state === 'done') return {};
  if (probe.state === 'late') return { journal: 'NO_ANSWER' };
  const { check, code } = classify(probe.error, true) ?? { check: 'journal', code: 'JOURNAL_UNAVAILABLE' };
  return { [check]: code };
}
