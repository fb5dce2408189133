// Runs the handlers of one worker: a limited number at a time, and never two for the same key. The dispatcher supplies the
// wakes, and asks for room before it takes one.
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { WakeHandler, WakeOptions, WorkSettings } from './dispatcher.js';
import { FailureCounts } from './failure-counts.js';

/** What a runner needs from its dispatcher. */
export interface WakeRunnerParts extends WorkSettings {
  handler: WakeHandler;
  /** Puts a key back into the dispatcher. Must not throw. */
  wakeAgain: (key: string, options: WakeOptions) => void;
  /** Called when there is room for one more handler. */
  onRoom: () => void;
}

/** The handlers of one worker. */
export class WakeRunner {
  readonly #parts: WakeRunnerParts;
  readonly #ending = new AbortController();
  /** Keys whose handler runs, and whether they were woken since it began. */
  readonly #running = new Map<string, { isWoken: boolean }>();
  readonly #failures = new FailureCounts();
  #isIdle: Deferred<void> | undefined;

  constructor(parts: WakeRunnerParts) {
    this.#parts = parts;
  }

  /** How many more handlers may run. */
  get room(): number {
    return this.#parts.concurrency - this.#running.size;
  }

  /** Whether the handler of a key runs. */
  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  /** Runs the handler for a key. If it is already running, it runs once more afterwards. */
  run(key: string): void {
    const running = this.#running.get(key);
    if (running !== undefined) running.isWoken = true;
    else void this.#runUntilRested(key);
  }

  /** Aborts the signal of all handlers. Keys that were woken in the meantime go back to the dispatcher. */
  abort(): void {
    this.#ending.abort();
  }

  /** Resolves when no handler runs. */
  whenIdle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    this.#isIdle ??= createDeferred();
    return this.#isIdle.promise;
  }

  async #runUntilRested(key: string): Promise<void> {
    const running = { isWoken: false };
    this.#running.set(key, running);
    const { signal } = this.#ending;
    let isFailed: boolean;
    do {
      running.isWoken = false;
      isFailed = !(await this.#runOnce(key));
    } while (running.isWoken && !isFailed && !signal.aborted);
    this.#running.delete(key);
    if (isFailed) this.#parts.wakeAgain(key, { afterMs: signal.aborted ? 0 : this.#failures.add(key) });
    else {
      this.#failures.clear(key);
      if (running.isWoken) this.#parts.wakeAgain(key, {});
    }
    if (this.#running.size === 0) {
      this.#isIdle?.resolve();
      this.#isIdle = undefined;
    }
    this.#parts.onRoom();
  }

  async #runOnce(key: string): Promise<boolean> {
    try {
      await this.#parts.handler(key, this.#ending.signal);
      return true;
    } catch (error) {
      this.report(error);
      return false;
    }
  }

  /** Reports a failure that is retried: to `onError`, or as a process warning. */
  report(error: unknown): void {
    const { onError } = this.#parts;
    if (onError === undefined) warnOfCallback('handler', error);
    else
      callListener(
        () => onError(error),
        (cause) => warnOfCallback('onError', cause),
      );
  }
}
