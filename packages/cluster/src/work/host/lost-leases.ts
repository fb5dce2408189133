// Gives back leases that this process could not renew in time, but that no other worker has taken. A renewal that was stuck in
// the database may have extended such a lease. Then no worker could go on before it expires.
import { BackOff, pauseBefore } from '@inboard/core/util/back-off.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Journal, LeftTurn } from '../../journal/journal.js';
import type { Fence, TurnRecord } from '../../journal/records.js';
import { isRefusal } from './held-lease.js';
import { withinTime } from './within-time.js';

export interface LostLeasesInput {
  journal: Journal;
  /** Milliseconds that `close` waits at most for requests under way. */
  closeMs: number;
  /** Called when a lease was given back before another worker took it, with the turn that it left behind. */
  onReleased: (fence: Fence, left: LeftTurn | undefined) => void;
}

/** The turn that a lost lease leaves behind. It is a promise if the journal's answer is still under way. */
export type LeftBehind = LeftTurn | undefined | Promise<LeftTurn | undefined>;

/**
 * Describes a turn that was cut off by a lost lease. The first time, it is continued at once. Later it waits first, at most as
 * long as a lease. To start one CLI after another would keep an overloaded machine overloaded.
 */
export function describeCutOff({ id, attempt }: TurnRecord, leaseMs: number, failed: boolean): LeftTurn {
  const afterMs =
    attempt <= 1 ? 0 : pauseBefore(attempt - 2, { firstMs: FIRST_BACKOFF_MS, longestMs: leaseMs });
  return { turn: id, turnCostUsd: 0, failed, cutOff: true, afterMs };
}

const FIRST_BACKOFF_MS = 250;
const RETRIES = { firstMs: 50, longestMs: 1000 };
/**
 * A long limit, because a request that is stuck in the database is answered when the database goes on. Only a dead connection
 * never answers.
 */
const ANSWER_LIMIT_MS = 15_000;

/** The lost leases of one process. The caller that makes this object closes it. */
export class LostLeases {
  readonly #input: LostLeasesInput;
  readonly #closing = new AbortController();
  readonly #giving = new Set<Promise<void>>();

  constructor(input: LostLeasesInput) {
    this.#input = input;
  }

  /** Gives a lease back, and retries until the journal answers. The CLI of its conversation must have ended. */
  giveBack(fence: Fence, left?: LeftBehind): void {
    const giving = this.#giveBack(fence, left).finally(() => this.#giving.delete(giving));
    this.#giving.add(giving);
  }

  /** Waits a while for requests under way, and retries nothing. The remaining leases expire. */
  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#giving.size === 0) return;
    await withinTime(Promise.all(this.#giving), this.#input.closeMs).catch(() => {});
  }

  async #giveBack(fence: Fence, leftBehind: LeftBehind): Promise<void> {
    const { journal, onReleased } = this.#input;
    const left = await leftBehind;
    const backOff = new BackOff(RETRIES);
    for (;;) {
      try {
        const isReleased = await withinTime(journal.release(fence, left), ANSWER_LIMIT_MS);
        if (isReleased) onReleased(fence, left);
        return;
      } catch (error) {
        // This is not reported, because the journal's failure was reported when the lease was lost.
        if (isRefusal(error) || this.#closing.signal.aborted) return;
        await this.#rest(backOff.next());
        if (this.#closing.signal.aborted) return;
      }
    }
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.setTimeout(() => {
        forget();
        resolve();
      }, ms);
      const forget = onAbort(this.#closing.signal, () => {
        clock.clearTimeout(timer);
        resolve();
      });
    });
  }
}
