// The dispatcher of one process: a queue of wakes from which all its workers take. The wakes are lost with the process, but the
// journal has the work that is due.
import { ClusterError } from '@inboard/core/errors.js';
import { ownMethods } from '@inboard/core/util/own-methods.js';
import { checkWake, checkWork } from './check-wake.js';
import { DelayedWakes } from './delayed-wakes.js';
import type { Dispatcher, DispatcherWork, WakeHandler, WakeOptions, WorkSettings } from './dispatcher.js';
import { endWork } from './end-work.js';
import { WakeRunner } from './wake-runner.js';

/** A dispatcher in memory. Its wakes reach only the workers of this process. */
export function memoryDispatcher(): Dispatcher {
  return ownMethods<Dispatcher>(new MemoryDispatcher());
}

class MemoryDispatcher implements Dispatcher {
  // Sets keep the order in which keys were added.
  readonly #urgent = new Set<string>();
  readonly #plain = new Set<string>();
  readonly #delayed = new DelayedWakes((key, isUrgent) => this.#add(key, isUrgent));
  readonly #workers = new Set<MemoryWork>();
  #isGiving = false;
  #closing: Promise<void> | undefined;

  async wake(key: string, options: WakeOptions = {}): Promise<void> {
    const afterMs = checkWake(key, options);
    this.#checkOpen();
    this.#wake(key, afterMs, options.urgent === true);
  }

  async work(handler: WakeHandler, settings: WorkSettings): Promise<DispatcherWork> {
    checkWork(handler, settings);
    this.#checkOpen();
    const runner = new WakeRunner({
      ...settings,
      handler,
      wakeAgain: (key, { afterMs = 0 }) => this.#wake(key, afterMs, false),
      onRoom: () => this.#giveSoon(),
    });
    const work = new MemoryWork(runner, () => this.#leave(work));
    this.#workers.add(work);
    this.#delayed.keepProcess(true);
    this.#giveSoon();
    return work;
  }

  close(): Promise<void> {
    this.#delayed.clear();
    this.#urgent.clear();
    this.#plain.clear();
    this.#closing ??= endWork(this.#workers);
    return this.#closing;
  }

  #checkOpen(): void {
    if (this.#closing !== undefined)
      throw new ClusterError('CLUSTER_CLOSED', 'The dispatcher is closed and no longer wakes workers.');
  }

  #wake(key: string, afterMs: number, isUrgent: boolean): void {
    if (this.#closing !== undefined) return;
    if (afterMs === 0) this.#add(key, isUrgent);
    // A wake for this key that is already waiting comes earlier, so the delayed one is not needed.
    else if (!this.#urgent.has(key) && (isUrgent || !this.#plain.has(key))) {
      this.#delayed.add(key, afterMs, isUrgent);
    }
  }

  #add(key: string, isUrgent: boolean): void {
    const wasUrgent = this.#delayed.remove(key);
    if (isUrgent || wasUrgent) {
      this.#plain.delete(key);
      this.#urgent.add(key);
    } else if (!this.#urgent.has(key)) this.#plain.add(key);
    this.#giveSoon();
  }

  /**
   * Gives keys to workers in a microtask, so that no handler holds up the caller of `wake`, and keys that are woken together
   * are given out together.
   */
  #giveSoon(): void {
    if (this.#isGiving) return;
    this.#isGiving = true;
    queueMicrotask(() => {
      this.#isGiving = false;
      this.#give();
    });
  }

  /** Gives waiting keys to workers, one each in turn, so that no worker gets all of them while others get none. */
  #give(): void {
    let hasGiven = true;
    while (hasGiven) {
      hasGiven = false;
      for (const work of this.#workers) {
        const key = work.isTaking ? this.#takeFor(work.runner) : undefined;
        if (key === undefined) continue;
        work.runner.run(key);
        hasGiven = true;
      }
    }
  }

  /**
   * Takes a key that this worker is not looking at. If another worker has the conversation, this one learns that from the
   * journal.
   */
  #takeFor(runner: WakeRunner): string | undefined {
    for (const waiting of [this.#urgent, this.#plain]) {
      for (const key of waiting) {
        if (runner.isRunning(key)) continue;
        waiting.delete(key);
        return key;
      }
    }
    return undefined;
  }

  #leave(work: MemoryWork): void {
    this.#workers.delete(work);
    if (this.#workers.size === 0) this.#delayed.keepProcess(false);
  }
}

class MemoryWork implements DispatcherWork {
  readonly runner: WakeRunner;
  readonly #onPause: () => void;
  #isPaused = false;

  constructor(runner: WakeRunner, onPause: () => void) {
    this.runner = runner;
    this.#onPause = onPause;
  }

  get isTaking(): boolean {
    return !this.#isPaused && this.runner.room > 0;
  }

  async pause(): Promise<void> {
    this.#isPaused = true;
    this.#onPause();
  }

  async close(): Promise<void> {
    await this.pause();
    this.runner.abort();
    await this.runner.whenIdle();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
