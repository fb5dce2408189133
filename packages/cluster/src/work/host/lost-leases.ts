// Gives back leases that this process has lost and no other worker took: because the process was late, or the journal was away. A
// renewal that stood still with the database may have prolonged them. Then no worker could go on before they run out.
import { BackOff, pauseBefore } from '@inboard/core/util/back-off.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Journal, LeftTurn } from '../../journal/journal.js';
import type { Fence, TurnRecord } from '../../journal/records.js';
import { isRefusal } from './held-lease.js';
import { withinTime } from './within-time.js';

export interface LostLeasesInput {
  journal: Journal;
  /** Milliseconds to wait at most for what is under way when this is closed. */
  closeMs: number;
  /** Called when a lease was given back before another worker took it, with what it left behind. */
  onReleased: (fence: Fence, left: LeftTurn | undefined) => void;
}

/** What a lost lease leaves behind; a promise where an answer that is on its way may tell. */
export type LeftBehind = LeftTurn | undefined | Promise<LeftTurn | undefined>;

/**
 * A turn that was cut off with a lost lease. The first time it is continued at once. After that it waits, at most as long as the lease
 * would have: where a machine is overrun, one CLI started after another is what keeps it so.
 */
export function describeCutOff({ id, attempt }: TurnRecord, leaseMs: number, failed: boolean): LeftTurn {
  const afterMs =
    attempt <= 1 ? 0 : pauseBefore(attempt - 2, { firstMs: FIRST_BACKOFF_MS, longestMs: leaseMs });
  return { turn: id, costUsd: 0, failed, cutOff: true, afterMs };
}

const FIRST_BACKOFF_MS = 250;
const RETRIES = { firstMs: 50, longestMs: 1000 };
/** Long, since a question that stands still with the database is answered when it goes on; only a dead connection never answers. */
const ANSWER_LIMIT_MS = 15_000;

/** The lost leases of one process. The caller that makes one closes it. */
export class LostLeases {
  readonly #input: LostLeasesInput;
  readonly #closing = new AbortController();
  readonly #giving = new Set<Promise<void>>();

  constructor(input: LostLeasesInput) {
    this.#input = input;
  }

  /** Gives a lease back, again and again until the journal answers. The CLI of its conversation must have ended. */
  giveBack(fence: Fence, left?: LeftBehind): void {
    const giving = this.#giveBack(fence, left).finally(() => this.#giving.delete(giving));
    this.#giving.add(giving);
  }

  /** Waits a while for what is under way, and tries nothing again: what is left runs out. */
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
        // That the journal is away was told when the lease was lost.
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
