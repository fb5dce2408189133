// The workers that one cluster object has started: those that work, to be closed with it, and the names of those that have ended,
// whose disk was that of this process, too.
import type { ClusterWorker } from './work/host/work-options.js';

/** Names are short, and a process that starts more workers than these has forgotten the first for long. */
const MAX_NAMES = 1000;

/** The workers of a cluster object in this process. */
export class OwnWorkers {
  readonly #working = new Set<ClusterWorker>();
  readonly #names = new Set<string>();

  /** How many of them work. */
  get size(): number {
    return this.#working.size;
  }

  /** Of those that work, and of those that did. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  add(worker: ClusterWorker): void {
    this.#working.add(worker);
    this.#names.delete(worker.name);
    this.#names.add(worker.name);
    const [oldest] = this.#names;
    if (this.#names.size > MAX_NAMES && oldest !== undefined) this.#names.delete(oldest);
  }

  /** It has ended, and is let go. */
  remove(worker: ClusterWorker): void {
    this.#working.delete(worker);
  }

  /** Closes those that work; gives what became of each. */
  close(): Promise<PromiseSettledResult<void>[]> {
    return Promise.allSettled([...this.#working].map((worker) => worker.close()));
  }
}
