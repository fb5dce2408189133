// One lease that this process has: until when it may act under it, by its own monotonic clock, and writing under it while the
// journal is away for a moment.
import { LeaseLostError } from '../../errors.js';
import { onAbort } from '../../util/on-abort.js';
import type { Fence } from '../journal/records.js';

/** What a renewal tells about a conversation. */
export interface LeaseNews {
  /** Whether there is a turn that has not been worked on. */
  hasWork: boolean;
  /** The turn that somebody wants to end. */
  stop: string | undefined;
}

/** Why a lease is lost: another worker has it, or the journal could not be reached in time. */
export type LossReason = 'taken' | 'unreachable';

/** Milliseconds before the end of a lease at which its CLI is killed: time for that, and for what the journal's clock is ahead. */
export const KILL_MARGIN_MS = 500;

const FIRST_RETRY_MS = 25;
const LONGEST_RETRY_MS = 500;

export interface HeldLeaseInput {
  fence: Fence;
  ms: number;
  /** Of the monotonic clock, before the journal was asked for the lease. */
  askedAt: number;
  onTrouble: (error: unknown) => void;
}

/** A lease in this process. Its keeper renews it; its run writes under it. */
export class HeldLease {
  readonly fence: Fence;
  /** Told with each renewal. */
  onNews: ((news: LeaseNews) => void) | undefined;
  /** Called once, at once, when the lease is lost. */
  onLost: ((why: LossReason) => void) | undefined;
  readonly #ms: number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #ended = new AbortController();
  #deadline: number;

  constructor({ fence, ms, askedAt, onTrouble }: HeldLeaseInput) {
    this.fence = fence;
    this.#ms = ms;
    this.#onTrouble = onTrouble;
    this.#deadline = askedAt + ms - KILL_MARGIN_MS;
  }

  /** When the CLI has to be dead, by the monotonic clock. */
  get deadline(): number {
    return this.#deadline;
  }

  get isLost(): boolean {
    return this.#ended.signal.aborted;
  }

  /** It was renewed; the journal had been asked at that time. */
  renew(askedAt: number): void {
    this.#deadline = Math.max(this.#deadline, askedAt + this.#ms - KILL_MARGIN_MS);
  }

  lose(why: LossReason): void {
    if (this.isLost) return;
    this.#ended.abort(new LeaseLostError(this.fence));
    this.onLost?.(why);
  }

  /** Loses the lease where its time is over: after a pause of the whole process, nothing is written before this is asked. */
  check(now = performance.now()): boolean {
    if (!this.isLost && now >= this.#deadline) this.lose('unreachable');
    return !this.isLost;
  }

  /** Throws a LeaseLostError where the lease is lost, or its time is over. */
  demand(): void {
    if (!this.check()) throw new LeaseLostError(this.fence);
  }

  /**
   * Does something with the journal that counts only under this lease, again and again while the journal is away. Rejects with a
   * LeaseLostError once the lease is lost, and with the journal's own error where only this does not succeed for as long as a lease.
   */
  async write<T>(call: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + this.#ms;
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_RETRY_MS)) {
      this.demand();
      try {
        const result = await this.#unlessLost(call());
        // After a pause of the whole process the answer comes before any timer: what it was asked for is somebody else's by now.
        this.demand();
        return result;
      } catch (error) {
        if (error instanceof LeaseLostError) this.lose('taken');
        this.demand();
        if (isRefusal(error) || performance.now() >= giveUpAt) throw error;
        this.#onTrouble(error);
        await this.#unlessLost(rest(delayMs));
      }
    }
  }

  /** Waits no longer than the lease lasts: a connection may hang for minutes. */
  #unlessLost<T>(waiting: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const forget = onAbort(this.#ended.signal, () => reject(new LeaseLostError(this.fence)));
      waiting.then(resolve, reject).finally(forget);
    });
  }
}

/** What would be refused again: an argument that the journal does not take, or a turn that it does not know. */
function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'INVALID_OPTIONS' || code === 'TURN_UNKNOWN' || code === 'CLUSTER_CLOSED';
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
