// One lease that this process has: until when it may act under it, by its own monotonic clock, and writing under it while the
// journal is away for a moment.
import { LeaseLostError, type LeaseLoss } from '@inboard/core/errors.js';
import { BackOff } from '@inboard/core/util/back-off.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Fence } from '../../journal/records.js';

/** What a renewal tells about a conversation. */
export interface LeaseNews {
  /** Whether there is a turn that has not been worked on. */
  hasWork: boolean;
  /** The turn that was asked to end. */
  stop: string | undefined;
}

/** Why a lease was not renewed when it was last asked for. */
export type RenewalTrouble = Extract<LeaseLoss, 'locked' | 'unreachable'>;

/** Milliseconds before the end of a lease at which its CLI is killed: time for that, and for what the journal's clock is ahead. */
export const KILL_MARGIN_MS = 500;
/**
 * A journal that has had so many milliseconds for an answer, and given none, is away. Otherwise, a look at a lease that comes so long
 * after its deadline was kept from running: the process was stopped, or blocked.
 */
const LATE_MS = 250;

const RETRIES = { firstMs: 25, longestMs: 500 };

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
  onLost: ((why: LeaseLoss) => void) | undefined;
  readonly #ms: number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #ended = new AbortController();
  #deadline: number;
  #loss: LeaseLoss | undefined;
  #trouble: RenewalTrouble | undefined;
  /** Since when the journal has not answered whether it renews the lease. */
  #askedSince: number | undefined;

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
    return this.#loss !== undefined;
  }

  /** Why it is lost. */
  get loss(): LeaseLoss | undefined {
    return this.#loss;
  }

  /** The journal is asked to renew it. */
  noteAsked(askedAt: number): void {
    this.#askedSince ??= askedAt;
  }

  /** It was renewed; the journal had been asked at that time. */
  renew(askedAt: number): void {
    this.#deadline = Math.max(this.#deadline, askedAt + this.#ms - KILL_MARGIN_MS);
    this.#trouble = undefined;
    this.#askedSince = undefined;
  }

  /** It was not renewed, and is held as before: it is lost for this reason unless a later try succeeds in time. */
  noteTrouble(trouble: RenewalTrouble): void {
    this.#trouble = trouble;
    this.#askedSince = undefined;
  }

  lose(why: LeaseLoss): void {
    if (this.isLost) return;
    this.#loss = why;
    this.#ended.abort();
    this.onLost?.(why);
  }

  /** Loses the lease where its time is over: after a pause of the whole process, nothing is written before this is asked. */
  check(now = clock.performance.now()): boolean {
    if (!this.isLost && now >= this.#deadline) this.lose(this.#whyOver(now));
    return !this.isLost;
  }

  /** Throws a LeaseLostError where the lease is lost, or its time is over. */
  demand(): void {
    if (!this.check()) throw this.#error();
  }

  /**
   * Does something with the journal that counts only under this lease, again and again while the journal is away. Rejects with a
   * LeaseLostError once the lease is lost, and with the journal's own error where only this does not succeed for as long as a lease.
   */
  async write<T>(call: () => Promise<T>): Promise<T> {
    const giveUpAt = clock.performance.now() + this.#ms;
    const backOff = new BackOff(RETRIES);
    for (;;) {
      this.demand();
      try {
        const result = await this.#unlessLost(call());
        // After a pause of the whole process the answer comes before any timer. By then, another worker may have the conversation.
        this.demand();
        return result;
      } catch (error) {
        if (error instanceof LeaseLostError) this.lose(error.reason ?? 'taken');
        this.demand();
        if (isRefusal(error) || clock.performance.now() >= giveUpAt) throw error;
        this.#onTrouble(error);
        await this.#unlessLost(rest(backOff.next()));
      }
    }
  }

  /** Waits no longer than the lease lasts: a connection may hang for minutes. */
  #unlessLost<T>(waiting: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const forget = onAbort(this.#ended.signal, () => reject(this.#error()));
      waiting.then(resolve, reject).finally(forget);
    });
  }

  /** What is known of a lease whose time is over. */
  #whyOver(now: number): LeaseLoss {
    const hadTime = this.#askedSince !== undefined && this.#deadline - this.#askedSince >= LATE_MS;
    if (hadTime || this.#trouble === 'unreachable') return 'unreachable';
    return now - this.#deadline >= LATE_MS ? 'late' : (this.#trouble ?? 'unreachable');
  }

  #error(): LeaseLostError {
    return new LeaseLostError(this.fence, { reason: this.#loss });
  }
}

const REFUSALS: ReadonlySet<unknown> = new Set([
  'INVALID_OPTIONS',
  'TURN_UNKNOWN',
  'CLUSTER_CLOSED',
  // Of the user's own function: asking the journal again does not help.
  'BUDGET_FAILED',
]);

/** What would be refused again: an argument that the journal does not take, or a turn that it does not know. */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.has((error as { code?: unknown } | null)?.code);
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, ms);
  });
}
