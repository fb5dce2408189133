// Whether the workers of this process take on work, as their events tell.
import type { WorkerEvent } from '../work/host/worker-event.js';

/** The workers of a cluster object. */
export class WorkerStates {
  readonly #working = new Set<string>();
  readonly #draining = new Set<string>();
  #starting = 0;
  #hasEnded = false;

  /** Notes an event of a worker. A drain counts at once, before any turn has ended. */
  note({ type, worker }: WorkerEvent): void {
    if (type === 'started') this.#working.add(worker);
    if (type === 'draining' && this.#working.delete(worker)) this.#draining.add(worker);
    if (type !== 'ended') return;
    this.#working.delete(worker);
    this.#draining.delete(worker);
    this.#hasEnded = true;
  }

  /** Counts a worker as starting until the promise settles. */
  async starting<T>(worker: Promise<T>): Promise<T> {
    this.#starting += 1;
    try {
      return await worker;
    } finally {
      this.#starting -= 1;
    }
  }

  /** Why no worker takes on work. Undefined if one does, or if this process was never a worker. */
  get fault(): string | undefined {
    if (this.#working.size > 0) return undefined;
    if (this.#starting > 0) return 'STARTING';
    if (this.#draining.size > 0) return 'DRAINING';
    return this.#hasEnded ? 'ENDED' : undefined;
  }
}
