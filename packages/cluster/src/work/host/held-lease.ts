// One lease of this process. Decides by the monotonic clock how long the process may act under it, and retries writes under it
// while the journal is away for a moment.
import { LeaseLostError, type LeaseLoss } from '@inboard/core/errors.js';
import { BackOff } from '@inboard/core/util/back-off.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { Fence } from '../../journal/records.js';

/** What a renewal tells about the conversation. */
export interface LeaseNews {
  /** Whether there is a turn that this lease has not worked on. */
  hasWork: boolean;
  /** The turn that was asked to end. */
  stop: string | undefined;
}

/** Why the last renewal of a lease failed. */
export type RenewalTrouble = Extract<LeaseLoss, 'locked' | 'unreachable'>;

/**
 * Milliseconds before the end of a lease at which its CLI is killed. This leaves time for the kill, and for a journal's clock
 * that runs ahead.
 */
export const KILL_MARGIN_MS = 500;
/**
 * Decides why a lease expired. If the journal was asked at least this many milliseconds before the deadline and has not
 * answered, it was away. Otherwise, if the check comes at least this long after the deadline, the process was stopped or
 * blocked.
 */
const LATE_MS = 250;

const RETRIES = { firstMs: 25, longestMs: 500 };

export interface HeldLeaseInput {
  fence: Fence;
  ms: number;
  /** The time by the monotonic clock just before the journal was asked for the lease. */
  askedAt: number;
  onTrouble: (error: unknown) => void;
}

/** A lease of this process. Its keeper renews it, and its run writes under it. */
export class HeldLease {
  readonly fence: Fence;
  /** Called after each renewal. */
  onNews: ((news: LeaseNews) => void) | undefined;
  /** Called once, immediately, when the lease is lost. */
  onLost: ((why: LeaseLoss) => void) | undefined;
  readonly #ms: number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #ended = new AbortController();
  #deadline: number;
  #loss: LeaseLoss | undefined;
  #trouble: RenewalTrouble | undefined;
  /** When the oldest unanswered request to renew the lease was made. */
  #askedSince: number | undefined;

  constructor({ fence, ms, askedAt, onTrouble }: HeldLeaseInput) {
    this.fence = fence;
    this.#ms = ms;
    this.#onTrouble = onTrouble;
    this.#deadline = askedAt + ms - KILL_MARGIN_MS;
  }

  /** When the lease counts as lost and its CLI is killed, by the monotonic clock. */
  get deadline(): number {
    return this.#deadline;
  }

  get isLost(): boolean {
    return this.#loss !== undefined;
  }

  /** Why the lease is lost. */
  get loss(): LeaseLoss | undefined {
    return this.#loss;
  }

  /** Notes that the journal is asked to renew the lease. */
  noteAsked(askedAt: number): void {
    this.#askedSince ??= askedAt;
  }

  /** Notes that the lease was renewed. `askedAt` is when the journal was asked. */
  renew(askedAt: number): void {
    this.#deadline = Math.max(this.#deadline, askedAt + this.#ms - KILL_MARGIN_MS);
    this.#trouble = undefined;
    this.#askedSince = undefined;
  }

  /**
   * Notes a failed renewal. The lease is still held. It will be lost for this reason unless a later renewal succeeds in time.
   */
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

  /**
   * Loses the lease if its deadline is past. Returns whether it is still held. After the whole process was stopped for a while,
   * this runs before anything is written.
   */
  check(now = clock.performance.now()): boolean {
    if (!this.isLost && now >= this.#deadline) this.lose(this.#whyOver(now));
    return !this.isLost;
  }

  /** Throws a LeaseLostError if the lease is lost, or if its deadline is past. */
  demand(): void {
    if (!this.check()) throw this.#error();
  }

  /**
   * Calls the journal under this lease, and tries again while the journal is away. Rejects with a LeaseLostError once the lease
   * is lost. Rejects with the journal's own error if it refuses, or if the call keeps failing for as long as a lease lasts.
   */
  async write<T>(call: () => Promise<T>): Promise<T> {
    const giveUpAt = clock.performance.now() + this.#ms;
    const backOff = new BackOff(RETRIES);
    for (;;) {
      this.demand();
      try {
        const result = await this.#unlessLost(call());
        // After the whole process was stopped, the answer arrives before any timer fires. By then, another worker may have the
        // conversation.
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

  /** Waits no longer than the lease lasts, because a connection may hang for minutes. */
  #unlessLost<T>(waiting: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const forget = onAbort(this.#ended.signal, () => reject(this.#error()));
      waiting.then(resolve, reject).finally(forget);
    });
  }

  /** Finds out why a lease expired. */
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
  // An error of the user's own function. Asking the journal again does not help.
  'BUDGET_FAILED',
]);

/** Whether another try would fail as well, because of a wrong argument, an unknown turn or a closed journal, for instance. */
export function isRefusal(error: unknown): boolean {
  return REFUSALS.has((error as { code?: unknown } | null)?.code);
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, ms);
  });
}
