// A pod: a process of its own that is a worker of an engine. It tells what happens in lines of JSON on its output, and its plan says
// where it kills or stops itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { waitUntil } from '../support/wait-until.js';

/** How long anything may take on a busy machine. */
const PATIENCE_MS = 60_000;

/** Starts a pod. `program` is its file, `node` the Node that runs it. */
export function startPod({ program, node = process.execPath, name, plan, env = {} }) {
  return new PodProcess(name, node, [program, JSON.stringify({ ...plan, name })], { ...process.env, ...env });
}

export class PodProcess {
  lines = [];
  errors = '';

  constructor(name, node, args, env) {
    this.name = name;
    this.child = spawn(node, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
    createInterface(this.child.stdout).on('line', (line) => this.lines.push(readLine(line)));
    this.child.stderr.setEncoding('utf8').on('data', (said) => (this.errors += said));
    this.closed = once(this.child, 'close');
  }

  /** The first line that has this, with the time at which it came. */
  find(what) {
    return this.lines.find((line) => what in line);
  }

  async says(what) {
    const describe = () => `the pod ${this.name} to say "${what}". ${this.describe()}`;
    await waitUntil(() => this.find(what) !== undefined || this.hasEnded, PATIENCE_MS, describe);
    if (!this.find(what))
      throw new Error(`The pod ${this.name} ended before it said "${what}". ${this.describe()}`);
    return this.find(what);
  }

  async reaches(point) {
    const isThere = () => this.lines.some(({ reached }) => reached === point);
    const describe = () => `the pod ${this.name} to reach "${point}". ${this.describe()}`;
    await waitUntil(() => isThere() || this.hasEnded, PATIENCE_MS, describe);
    if (!isThere())
      throw new Error(`The pod ${this.name} ended before it reached "${point}". ${this.describe()}`);
  }

  /** Resolves when the pod has killed itself at a point. */
  async dies(point) {
    await this.reaches(point);
    await this.closed;
    this.diedAt = performance.now();
  }

  async kill() {
    this.child.kill('SIGKILL');
    await this.closed;
    this.diedAt ??= performance.now();
  }

  get hasEnded() {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  describe() {
    return `It said: ${JSON.stringify(this.lines).slice(-2000)} ${this.errors.slice(-3000)}`;
  }
}

function readLine(line) {
  const at = performance.now();
  try {
    return { ...JSON.parse(line), at };
  } catch {
    // An engine may write to the output as well.
    return { said: line, at };
  }
}
