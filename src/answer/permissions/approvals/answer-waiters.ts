// Those in this process who wait for answers, by question. Answers may be given in another process, so the store is watched
// while anybody waits.
import { callListener, warnOfCallback } from '../../../util/call-listener.js';
import { createQuietDeferred, type Deferred } from '../../../util/deferred.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';
import type { ApprovalStore } from './approval.js';

/** One who waits for the answer to a question. */
export type AnswerWaiter = Deferred<PermissionResult>;

/** Who waits for what. Holds the watch of the store exactly as long as somebody waits. */
export class AnswerWaiters {
  readonly #store: ApprovalStore;
  readonly #waiting = new Map<string, Set<AnswerWaiter>>();
  #stopWatching: (() => void) | undefined;
  #isLooking = false;
  #mustLookAgain = false;

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
    void this.#lookUntilDone().finally(() => (this.#isLooking = false));
  }

  async #lookUntilDone(): Promise<void> {
    while (this.#mustLookAgain) {
      this.#mustLookAgain = false;
      for (const id of this.#waiting.keys()) {
        // A store that is away is looked at again with its next change.
        const found = await attempt(() => this.#store.get(id));
        if (found?.answer) this.settle(id, found.answer.result);
      }
    }
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
