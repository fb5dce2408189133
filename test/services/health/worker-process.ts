// Starts `health-worker.mjs`, and asks it over HTTP as a probe does.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../../support/wait-until.js';

const PROGRAM = fileURLToPath(import.meta.resolve('./health-worker.mjs'));

/** The answer to a probe. `status` 0: there was none within a second, which is how long the kubelet waits. */
export interface Probed {
  status: number;
  body: { checks?: Record<string, string> };
}

/** A running worker. The test that starts it ends it. */
export class HealthWorker implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly said: Record<string, unknown>[] = [];
  #url = '';

  /** `options` are those of `work()`, and `budgets` of the cluster. */
  constructor(database: string, options: object = {}) {
    this.child = spawn(process.execPath, [PROGRAM, database, JSON.stringify(options)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: this.child.stdout as NodeJS.ReadableStream });
    lines.on('line', (line) => this.said.push(JSON.parse(line) as Record<string, unknown>));
  }

  async start(): Promise<this> {
    const find = (): unknown => this.said.find(({ url }) => url !== undefined)?.['url'];
    await waitUntil(() => find() !== undefined);
    this.#url = String(find());
    return this;
  }

  async probe(page: 'healthz' | 'readyz'): Promise<Probed> {
    try {
      const answer = await fetch(`${this.#url}/${page}`, { signal: AbortSignal.timeout(1000) });
      return { status: answer.status, body: (await answer.json()) as Probed['body'] };
    } catch {
      return { status: 0, body: {} };
    }
  }

  /** Waits until the worker is ready, or until one of its checks fails with this code. */
  async until(state: 'ready' | { check: string; code: string }): Promise<void> {
    await waitUntil(async () => {
      const { status, body } = await this.probe('readyz');
      return state === 'ready' ? status === 200 : status === 503 && body.checks?.[state.check] === state.code;
    });
  }

  async metrics(): Promise<string> {
    return await (await fetch(`${this.#url}/metrics`)).text();
  }

  /** The sum of all series of a metric whose labels contain a text. */
  async value(metric: string, labels = ''): Promise<number> {
    const lines = (await this.metrics()).split('\n');
    const found = lines.filter((line) => line.split(/[{ ]/)[0] === metric && line.includes(labels));
    return found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  /** Lets the CLIs give their answers. */
  answer(): void {
    this.child.stdin?.write('answer\n');
  }

  /** Holds up the event loop. */
  block(ms: number): void {
    this.child.stdin?.write(`block ${ms}\n`);
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGCONT');
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }
}
