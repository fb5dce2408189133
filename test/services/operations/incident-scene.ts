// A cluster in trouble, as its operator sees it: the log of its workers, what `inboard cluster` prints, and the metrics of
// OpenTelemetry. It has a schema of its own, so that an incident hurts nothing else.
import { inject } from 'vitest';
import { CLUSTER_COMMAND } from '../../../packages/cli/src/cluster/command.js';
import { createFakeTerminal } from '../../../packages/cli/test/fake-terminal.js';
import { createCluster, formatWorkerEvent } from '../../../packages/inboard/src/cluster.js';
import type {
  Cluster,
  ClusterInput,
  ClusterWorker,
  WorkOptions,
} from '../../../packages/inboard/src/cluster.js';
import { clusterTelemetry } from '../../../packages/inboard/src/otel.js';
import { createSpanLog } from '../../../packages/otel/test/support.js';
import { createFakeCli } from '../../../packages/testing/src/fake-cli/fake-cli.js';
import type { FakeScriptItem } from '../../../packages/testing/src/fake-cli/script/fake-step.js';
import { waitUntil } from '../../support/wait-until.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

export class IncidentScene implements AsyncDisposable {
  readonly schema = nameSchema('incident');
  /** Everything that an operator could have read, line by line. */
  readonly seen: string[] = [];
  /** How many CLIs were started. */
  started = 0;
  readonly #url: string;
  readonly #log = createSpanLog();
  readonly #clusters: Cluster[] = [];
  readonly #clis: { close(options?: { verify?: boolean }): Promise<void> }[] = [];

  constructor(url: string = inject('postgresUrl')) {
    this.#url = url;
  }

  /** An agent whose CLIs play these scripts, one after the other, and then the last one. */
  plays(scripts: readonly (readonly FakeScriptItem[])[]): () => object {
    let started = 0;
    return () => ({
      claudeCodeVersion: '2.1.325',
      transport: (request: never) => {
        const fake = createFakeCli([...(scripts[Math.min(started, scripts.length - 1)] ?? [])]);
        started += 1;
        this.started += 1;
        this.#clis.push(fake);
        return fake.transport(request);
      },
    });
  }

  /** A cluster whose way to the database may lead over a link. */
  open(agents: Record<string, () => object>, more: Partial<ClusterInput> = {}, address = this.#url): Cluster {
    const journal = openJournal({ schema: this.schema, connectionString: address, statementTimeoutMs: 2000 });
    const cluster = createCluster({
      agents: agents as never,
      journal,
      // In one process of a real cluster: the first one here.
      telemetry: clusterTelemetry({
        ...this.#log,
        tracer: this.#log.tracer,
        ...(this.#clusters.length === 0 && { stats: () => journal.stats() }),
      }),
      onTrouble: ({ where, what, error }) =>
        this.seen.push(`trouble where=${where} what=${what} ${(error as Error).message}`),
      ...more,
    });
    this.#clusters.push(cluster);
    return cluster;
  }

  /** A worker that writes its log where the operator reads it. */
  async work(cluster: Cluster, options: WorkOptions = {}): Promise<ClusterWorker> {
    return await cluster.work({
      keepWarmMs: 0,
      sweepMs: 50,
      ...options,
      onEvent: (event) => this.seen.push(formatWorkerEvent(event)),
    });
  }

  /** What `inboard cluster …` prints. */
  async command(args: string[], values: Record<string, string | boolean> = {}): Promise<string> {
    const terminal = createFakeTerminal({ isTTY: false, env: { INBOARD_JOURNAL: this.#url } });
    const run = await CLUSTER_COMMAND.load();
    let failure = '';
    try {
      await run({ args, values: { schema: this.schema, ...values }, terminal, inOwnWords: String });
    } catch (error) {
      failure = (error as Error).message;
    }
    const { stdout, stderr } = terminal.written();
    const text = [stdout, stderr, failure].filter((part) => part !== '').join('\n');
    this.seen.push(...text.split('\n'));
    return text;
  }

  /** Adds the metrics to what was seen, one line for each value: the name, attributes, the value. */
  async measure(): Promise<void> {
    await this.#log.collect();
    for (const { name, attributes, value } of this.#log.measured) {
      const words = Object.entries(attributes).map(([key, word]) => `${key}=${String(word)}`);
      this.seen.push([name, ...words, value].join(' '));
    }
    this.#log.measured.length = 0;
  }

  /** Rows of a query, as a client prints them without a head. `url` names another role than that of the workers. */
  async query(text: string, url: string = this.#url): Promise<void> {
    const rows = await runSql(text, [], url);
    for (const row of rows) {
      const cells = Object.values(row).map((cell) =>
        cell instanceof Date ? cell.toISOString() : String(cell),
      );
      this.seen.push(cells.join(' | '));
    }
  }

  /** Waits until the log has a line like this. */
  async logs(pattern: RegExp): Promise<void> {
    await waitUntil(() => this.seen.some((line) => pattern.test(line)));
  }

  /** Waits until so many CLIs were started. */
  async starts(count: number): Promise<void> {
    await waitUntil(() => this.started >= count);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cluster of this.#clusters) await cluster.close();
    for (const cli of this.#clis) await cli.close({ verify: false });
  }
}
