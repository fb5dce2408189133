// Keeps the callers in this process that wait for answers, by question. Another process may answer or remove a question,
// so the store is watched while a caller waits.
import { AbortError } from '../../../errors.js';
import { BackOff } from '../../../util/back-off.js';
import { callListener, warnOfCallback } from '../../../util/call-listener.js';
import { createQuietDeferred, type Deferred } from '../../../util/deferred.js';
import { messageOf } from '../../../util/message-of.js';
import { clock } from '../../../util/system/clock.js';
import { cleanText } from '../../../util/terminal-text.js';
import type { ApprovalAnswer, ApprovalQuestion, ApprovalStore } from './approval.js';
import { isRemoved } from './removed-question.js';

/** Resolves when its question is answered. Rejects when nobody can answer any more. */
export type AnswerWaiter = Deferred<ApprovalAnswer>;

/** The pauses after a failed read of the store. They double each time. */
const RETRIES = { firstMs: 250, longestMs: 5000 };

/** A question, and the callers that wait for its answer. */
interface Waiting {
  question: ApprovalQuestion;
  waiters: Set<AnswerWaiter>;
  /** Whether the store has failed since the question was last found in it. That failure may have lost the question. */
  wasAway: boolean;
}

/** Knows which caller waits for which question. Watches the store only while a caller waits. */
export class AnswerWaiters {
  readonly #store: ApprovalStore;
  readonly #waiting = new Map<string, Waiting>();
  readonly #stored = new WeakSet<AnswerWaiter>();
  #stopWatching: (() => void) | undefined;
  #isLooking = false;
  #mustLookAgain = false;
  #isAway = false;
  #retry: NodeJS.Timeout | undefined;
  readonly #backOff = new BackOff(RETRIES);

  constructor(store: ApprovalStore) {
    this.#store = store;
  }

  add(question: ApprovalQuestion): AnswerWaiter {
    const waiter = createQuietDeferred<ApprovalAnswer>();
    const { waiters = new Set<AnswerWaiter>(), wasAway = false } = this.#waiting.get(question.id) ?? {};
    this.#waiting.set(question.id, { question, waiters: waiters.add(waiter), wasAway });
    this.#stopWatching ??= watchStore(this.#store, () => this.look());
    return waiter;
  }

  remove(id: string, waiter: AnswerWaiter): void {
    const waiters = this.#waiting.get(id)?.waiters;
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    clock.clearTimeout(this.#retry);
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  /** Notes that the waiter's question is in the store. If the store no longer has it later, it was removed. */
  noteStored(waiter: AnswerWaiter): void {
    this.#stored.add(waiter);
  }

  count(id: string): number {
    return this.#waiting.get(id)?.waiters.size ?? 0;
  }

  settle(id: string, answer: ApprovalAnswer): void {
    for (const waiter of this.#waiting.get(id)?.waiters ?? []) waiter.resolve(answer);
  }

  fail(id: string, error: Error): void {
    for (const waiter of this.#waiting.get(id)?.waiters ?? []) waiter.reject(error);
  }

  failAll(createError: () => Error): void {
    for (const id of this.#waiting.keys()) this.fail(id, createError());
  }

  /** Looks for answers in the store. Looks again if something changes in the meantime. */
  look(): void {
    this.#mustLookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    clock.clearTimeout(this.#retry);
    void this.#lookUntilDone();
  }

  async #lookUntilDone(): Promise<void> {
    while (this.#mustLookAgain) {
      this.#mustLookAgain = false;
      let hasFailed = false;
      for (const id of this.#waiting.keys()) {
        try {
          await this.#lookFor(id);
        } catch (cause) {
          hasFailed = true;
          this.#noteAway(id, cause);
        }
      }
      if (hasFailed) this.#lookLater();
      else {
        this.#isAway = false;
        this.#backOff.reset();
      }
    }
    // No `await` stands between the last check and this line, so no change can be missed.
    this.#isLooking = false;
  }

  async #lookFor(id: string): Promise<void> {
    // The waiters are read before the store, because the read may miss a question that is stored meanwhile.
    const stored = [...(this.#waiting.get(id)?.waiters ?? [])].filter((waiter) => this.#stored.has(waiter));
    const found = await this.#store.get(id);
    if (found?.answer) this.settle(id, found.answer);
    if (!found && stored.length > 0 && (await isRemoved(this.#store, id)))
      await this.#noteMissing(id, stored);
    const waiting = this.#waiting.get(id);
    if (waiting && found) waiting.wasAway = false;
  }

  /**
   * Handles a question that the store no longer has. Normally another process has removed it. But if the store has failed
   * since, the question counts as lost and is stored again.
   */
  async #noteMissing(id: string, stored: readonly AnswerWaiter[]): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (!waiting?.wasAway) {
      for (const waiter of stored) waiter.reject(removedError());
      return;
    }
    const given = await this.#store.put(waiting.question);
    waiting.wasAway = false;
    if (given) this.settle(id, given);
  }

  /** Warns once per failure of the store. Otherwise the callers would wait in silence. */
  #noteAway(id: string, cause: unknown): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    waiting.wasAway = true;
    if (this.#isAway) return;
    this.#isAway = true;
    const message =
      'The approval store cannot be read, so answers are not noticed. Questions go on waiting, and the store is ' +
      `read again until it works: ${messageOf(cause)}`;
    process.emitWarning(cleanText(message), { code: 'APPROVAL_STORE_FAILED' });
  }

  /** Looks again later, because a store does not repeat the changes that happened while it failed. */
  #lookLater(): void {
    clock.clearTimeout(this.#retry);
    if (this.#waiting.size === 0) return;
    this.#retry = clock.setTimeout(() => this.look(), this.#backOff.next());
    this.#retry.unref();
  }
}

/** The error for callers whose question was removed. */
export function removedError(): AbortError {
  return new AbortError('The question was removed');
}

/** Calls a store. Resolves with undefined if the call fails. */
export async function attempt<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}

/** Watches a store. Warns if that fails, because answers from other processes are then not noticed. */
export function watchStore(store: ApprovalStore, onChange: () => void): () => void {
  let stop: unknown;
  const warn = (cause: unknown): void => warnOfCallback('ApprovalStore.watch', cause);
  callListener(() => (stop = store.watch(onChange)), warn);
  return () => {
    if (typeof stop === 'function') callListener(stop as () => unknown, warn);
  };
}
