// The health and the metrics of a host that runs CLIs for others. No address of a client is in them.
import {
  HEALTH_TIMEOUT_MS,
  reportHealth,
  type HealthOptions,
  type HealthReport,
} from '@inboard/core/health/health-report.js';
import { isLocalDiskFull } from '@inboard/core/health/local-disk.js';
import { LoopDelay } from '@inboard/core/health/loop-delay.js';
import type { Metric } from '@inboard/core/health/metric.js';
import { MetricStore } from '@inboard/core/health/metric-store.js';
import { settleInTime } from '@inboard/core/util/settle-in-time.js';
import type { RemoteServerEvent } from './server-event.js';

const HOW = 'inboard.how';
const STATE = 'inboard.state';
const CHECK = 'inboard.check';

const CHECKS = ['server', 'sessions', 'cli', 'disk'] as const;

/** All metrics of `serveCli()`. */
export const REMOTE_METRICS = {
  started: describe('inboard.remote.started', 'counter', '{cli}', 'CLIs started for clients'),
  failed: describe('inboard.remote.failed', 'counter', '{cli}', 'CLIs that could not be started'),
  refused: describe('inboard.remote.refused', 'counter', '{client}', 'Clients that were not let in'),
  ended: describe('inboard.remote.ended', 'counter', '{cli}', 'CLIs that ended, by how', {
    [HOW]: ['exited', 'failed', 'lost'],
  }),
  sessions: describe('inboard.remote.sessions', 'gauge', '{cli}', 'CLIs that can run at a time, by use', {
    [STATE]: ['used', 'free'],
  }),
  check: describe(
    'inboard.remote.check',
    'gauge',
    '{check}',
    'Checks of this process: 1 if one passes, 0 if it fails',
    { [CHECK]: CHECKS },
  ),
  loopDelay: describe(
    'inboard.remote.loop.delay',
    'gauge',
    's',
    'Longest time within the last minute for which the event loop of this process was held up',
  ),
} satisfies Record<string, Metric>;

/** What the health of a host is read from. */
export interface ServerHealthInput {
  isClosing: () => boolean;
  sessions: () => number;
  maxSessions: number;
  /** Whether the CLI is found. */
  hasCli: () => boolean;
}

/** The health of one host. The caller that makes it closes it. */
export class ServerHealth {
  readonly #input: ServerHealthInput;
  readonly #counted = new MetricStore(Object.values(REMOTE_METRICS).filter(({ kind }) => kind === 'counter'));
  #loopDelay: LoopDelay | undefined;

  constructor(input: ServerHealthInput) {
    this.#input = input;
  }

  /** Counts an event of a link or of a CLI. */
  note(event: RemoteServerEvent): void {
    if (event.type !== 'ended') {
      this.#counted.record(REMOTE_METRICS[event.type], 1);
      return;
    }
    const how = event.lost !== undefined ? 'lost' : event.exitCode === 0 ? 'exited' : 'failed';
    this.#counted.record(REMOTE_METRICS.ended, 1, { [HOW]: how });
  }

  async report({ timeoutMs = HEALTH_TIMEOUT_MS }: HealthOptions = {}): Promise<HealthReport> {
    this.#loopDelay ??= new LoopDelay();
    const { isClosing, sessions, maxSessions, hasCli } = this.#input;
    const disk = await settleInTime(isLocalDiskFull(), timeoutMs);
    const failed = {
      server: isClosing() ? 'DRAINING' : undefined,
      sessions: sessions() >= maxSessions ? 'FULL' : undefined,
      cli: hasCli() ? undefined : 'NOT_FOUND',
      disk: disk.state === 'done' && disk.value ? 'DISK_FULL' : undefined,
    };
    return reportHealth(CHECKS, failed, this.#loopDelay.longestMs);
  }

  async metrics(options?: HealthOptions): Promise<string> {
    const now = new MetricStore(Object.values(REMOTE_METRICS).filter(({ kind }) => kind === 'gauge'));
    const { checks, loopDelayMs } = await this.report(options);
    const { sessions, maxSessions } = this.#input;
    now.record(REMOTE_METRICS.sessions, sessions(), { [STATE]: 'used' });
    now.record(REMOTE_METRICS.sessions, Math.max(0, maxSessions - sessions()), { [STATE]: 'free' });
    for (const { name, ok } of checks) now.record(REMOTE_METRICS.check, ok ? 1 : 0, { [CHECK]: name });
    now.record(REMOTE_METRICS.loopDelay, loopDelayMs / 1000);
    return this.#counted.write() + now.write();
  }

  close(): void {
    this.#loopDelay?.close();
  }
}

function describe(
  name: string,
  kind: Metric['kind'],
  unit: string,
  description: string,
  attributes: Metric['attributes'] = {},
): Metric {
  return { name, kind, unit, description, attributes, isObserved: kind === 'gauge', bounds: [] };
}
