// The workers that one cluster object has started. This file closes the workers that still work. It keeps the names of those
// that have ended, because their files are on this process's disk as well.
import type { ClusterWorker } from './work/host/work-options.js';

/** The most names that are kept. Beyond this, the oldest are forgotten. */
const MAX_NAMES = 1000;

/** The workers of a cluster object in this process. */
export class OwnWorkers {
  readonly #working = new Set<ClusterWorker>();
  readonly #names = new Set<string>();

  /** How many of them are working. */
  get size(): number {
    return this.#working.size;
  }

  /** The names of all workers, including those that have ended. */
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

  /** Removes a worker that has ended. Its name is kept. */
  remove(worker: ClusterWorker): void {
    this.#working.delete(worker);
  }

  /** Closes the workers that are still working. Returns how each close ended. */
  close(): Promise<PromiseSettledResult<void>[]> {
    return Promise.allSettled([...this.#working].map((worker) => worker.close()));
  }
}
