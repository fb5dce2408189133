// Those in this process who wait for answers, by question. Answers may be given in another process, so the store is watched
// while anybody waits.
import { callListener, warnOfCallback } from '../../../util/call-listener.js';
import { createQuietDeferred, type Deferred } from '../../../util/deferred.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import type { ApprovalStore } from './approval.js';

/** One who waits for the answer to a question. */
export type AnswerWaiter = Deferred<PermissionResult>;

/** After the first look that failed; each one more doubles it. */
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5000;

/** Who waits for what. Holds the watch of the store exactly as long as somebody waits. */
export class AnswerWaiters {
  readonly #store: ApprovalStore;
  readonly #waiting = new Map<string, Set<AnswerWaiter>>();
  #stopWatching: (() => void) | undefined;
  #isLooking = false;
  #mustLookAgain = false;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;

  constructor(store: ApprovalStore) {
    this.#store = store;
  }

  add(id: string): AnswerWaiter {
    const waiter = createQuietDeferred<PermissionResult>();
    const waiters = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiters.add(waiter));
    this.#stopWatching ??= watchStore(this.#store, () => this.look());
    return waiter;
  }

  remove(id: string, waiter: AnswerWaiter): void {
    const waiters = this.#waiting.get(id);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#retry);
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  count(id: string): number {
    return this.#waiting.get(id)?.size ?? 0;
  }

  settle(id: string, result: PermissionResult): void {
    for (const waiter of this.#waiting.get(id) ?? []) waiter.resolve(result);
  }

  fail(id: string, error: Error): void {
    for (const waiter of this.#waiting.get(id) ?? []) waiter.reject(error);
  }

  failAll(createError: () => Error): void {
    for (const id of this.#waiting.keys()) this.fail(id, createError());
  }

  /** Looks for answers in the store; once more where something changed meanwhile. */
  look(): void {
    this.#mustLookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    clearTimeout(this.#retry);
    void this.#lookUntilDone();
  }

  async #lookUntilDone(): Promise<void> {
    while (this.#mustLookAgain) {
      this.#mustLookAgain = false;
      let hasFailed = false;
      for (const id of this.#waiting.keys()) {
        try {
          const found = await this.#store.get(id);
          if (found?.answer) this.settle(id, found.answer.result);
        } catch {
          hasFailed = true;
        }
      }
      if (hasFailed) this.#lookLater();
      else this.#retryMs = FIRST_RETRY_MS;
    }
    // Not later: between the last look and that, a change would be noticed by nobody.
    this.#isLooking = false;
  }

  /** A store that was away does not say again what changed meanwhile: whoever waits would wait for ever. */
  #lookLater(): void {
    clearTimeout(this.#retry);
    if (this.#waiting.size === 0) return;
    this.#retry = setTimeout(() => this.look(), this.#retryMs);
    this.#retry.unref();
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }
}

/** What a store gives; undefined where it fails. */
export async function attempt<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}

/** Watches a store; one that cannot be watched is a warning, since answers given elsewhere are then not noticed. */
export function watchStore(store: ApprovalStore, onChange: () => void): () => void {
  let stop: unknown;
  const warn = (cause: unknown): void => warnOfCallback('ApprovalStore.watch', cause);
  callListener(() => (stop = store.watch(onChange)), warn);
  return () => {
    if (typeof stop === 'function') callListener(stop as () => unknown, warn);
  };
}
