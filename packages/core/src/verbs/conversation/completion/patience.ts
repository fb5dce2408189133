// Decides how long a completion tries. An attempt that fails is repeated a few times, with growing pauses. Closing the session
// or stopping the turn ends every pause, and every attempt that has not returned.
import { AbortError, InboardError } from '../../../errors.js';
import { isFatal } from '../../../record/history/store/call-store.js';
import { createQuietDeferred } from '../../../util/deferred.js';
import { onAbort } from '../../../util/on-abort.js';
import { clock } from '../../../util/system/clock.js';
import { WITHDRAWN } from '../../../wire/protocol/answer.js';

/** The pauses between attempts. There are four attempts in all, within about five seconds. */
export const PAUSES_MS: readonly number[] = [250, 1000, 4000];

/** Codes of errors that a second attempt would meet again. */
const LASTING = new Set(['CALL_RECORDS_UNSAFE', 'INVALID_OPTIONS', 'PART_LOAD_FAILED', 'SESSION_RUNNING']);

/** One per completion. */
export class Patience {
  readonly #ending = new AbortController();
  readonly #interrupting = new AbortController();
  /** Aborts with the reason of `end`, or when the turn is stopped. */
  readonly signal: AbortSignal = AbortSignal.any([this.#ending.signal, this.#interrupting.signal]);

  /** Aborts with the reason of `end` only. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether the turn was stopped although the session goes on. */
  get isInterrupted(): boolean {
    return this.#interrupting.signal.aborted && !this.#ending.signal.aborted;
  }

  interrupt(): void {
    // A CLI that withdraws its questions has this cause as well. It tells approval queues not to keep them for the next CLI.
    this.#interrupting.abort(new AbortError('The turn was interrupted', { cause: WITHDRAWN }));
  }

  /** Ends all attempts. Only the first reason counts. */
  end(reason: Error): void {
    this.#ending.abort(reason);
  }

  /**
   * Rejects with the error of the last attempt, or at once where another attempt cannot help. Once the turn is stopped, there
   * is only one attempt.
   */
  async try<T>(attempt: () => Promise<T>): Promise<T> {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await this.#unlessOver(attempt());
      } catch (error) {
        if (this.signal.aborted || !mayPass(error)) throw error;
      }
      await this.pause(pauseMs);
    }
    return await this.#unlessOver(attempt());
  }

  /** Rejects once the session is closed or the turn is stopped. */
  async pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const waiting = new Promise<void>((resolve) => {
      timer = clock.setTimeout(resolve, ms);
    });
    try {
      await race(waiting, this.signal);
    } finally {
      clock.clearTimeout(timer);
    }
  }

  /** Rejects if the session ends or the turn is stopped before the work is done. A turn that was stopped earlier is ignored. */
  #unlessOver<T>(work: Promise<T>): Promise<T> {
    return race(work, this.isInterrupted ? this.#ending.signal : this.signal);
  }
}

async function race<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = createQuietDeferred<never>();
  const forget = onAbort(signal, () => over.reject(signal.reason as Error));
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    forget();
  }
}

/** Whether another attempt may succeed a moment later. */
function mayPass(error: unknown): boolean {
  if (error instanceof AbortError || isFatal(error)) return false;
  return !(error instanceof InboardError && LASTING.has(error.code));
}
