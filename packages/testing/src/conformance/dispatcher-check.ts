// Shared by the conformance cases for dispatchers: workers that record for which keys they are woken, and handlers that
// wait.
import assert from 'node:assert/strict';
import type { Dispatcher, DispatcherWork, WakeHandler } from '@inboard/cluster/dispatch/dispatcher.js';

/** What a case is given. */
export interface DispatcherGround {
  dispatcher: Dispatcher;
  /** Creates another dispatcher with the same wakes, as another process would have it. It is closed after the case. */
  another: () => Promise<Dispatcher>;
  /** Starts a worker that is closed after the case. */
  startWorker: (options?: WitnessOptions) => Promise<Witness>;
}

/** A case. It is given the dispatcher to run on. */
export interface DispatcherCheck {
  readonly name: string;
  /** Whether the case needs two dispatchers that share their wakes. */
  readonly isShared?: boolean;
  run(ground: DispatcherGround): Promise<void>;
}

/** How a worker of a case behaves. */
export interface WitnessOptions {
  /** The dispatcher that wakes the worker. Default: the one of the case. */
  on?: Dispatcher | undefined;
  /** How many handlers may run at the same time. Default 1. */
  concurrency?: number | undefined;
  /** What the handler does after the call was recorded. Default: nothing. */
  handler?: WakeHandler | undefined;
}

/** How long a case waits before it fails. */
const PATIENCE_MS = 10_000;

/** A worker that records the calls of its handler. */
export class Witness {
  /** Keys in the order in which their handlers began. */
  readonly begun: string[] = [];
  readonly ended: string[] = [];
  readonly errors: unknown[] = [];
  /** The greatest number of handlers that ran at the same time. */
  most = 0;
  mostOfOneKey = 0;
  work!: DispatcherWork;
  readonly #running: string[] = [];
  readonly #handler: WakeHandler;
  #changes: (() => void)[] = [];

  constructor(handler: WakeHandler = async () => {}) {
    this.#handler = handler;
  }

  /** The handler to give to `work()`. */
  readonly handle: WakeHandler = (key, signal) => {
    this.begun.push(key);
    this.#running.push(key);
    this.most = Math.max(this.most, this.#running.length);
    this.mostOfOneKey = Math.max(this.mostOfOneKey, this.#running.filter((each) => each === key).length);
    this.#tell();
    // The handler is not called inside a promise, so that a synchronous throw stays synchronous.
    const end = (): void => {
      this.#running.splice(this.#running.indexOf(key), 1);
      this.ended.push(key);
      this.#tell();
    };
    try {
      return this.#handler(key, signal).finally(end);
    } catch (error) {
      end();
      throw error;
    }
  };

  /** The callback for errors to give to `work()`. */
  readonly onError = (error: unknown): void => {
    this.errors.push(error);
    this.#tell();
  };

  /** Resolves when the condition holds. Fails if that takes too long. */
  async until(what: string, holds: () => boolean): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!holds()) {
      const restMs = deadline - performance.now();
      assert.ok(restMs > 0, `waited in vain: ${what}; handlers began for ${JSON.stringify(this.begun)}`);
      await this.#nextChange(restMs);
    }
  }

  async #nextChange(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#changes.push(resolve);
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  #tell(): void {
    const changes = this.#changes;
    this.#changes = [];
    for (const resolve of changes) resolve();
  }
}

/** A handler that waits until it is let go, or until its signal aborts. */
export function createHold(): { handler: WakeHandler; letGo: () => void } {
  let letGo!: () => void;
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const handler: WakeHandler = async (_key, signal) => {
    const isAborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([isLetGo, isAborted]);
  };
  return { handler, letGo };
}

/** Wakes a separate key and waits until its handler has ended. By then the handlers of earlier wakes have begun. */
export async function settle(dispatcher: Dispatcher, witness: Witness, key: string): Promise<void> {
  await dispatcher.wake(key);
  await witness.until(`the handler for ${key} ended`, () => witness.ended.includes(key));
}
