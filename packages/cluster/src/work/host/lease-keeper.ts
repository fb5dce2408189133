// Keeps all leases of a process. One timer renews them together after every third of their time. Another timer ends each lease
// at its deadline. Leases that the journal skipped are retried one by one. After a failed renewal, all leases are retried soon.
// The run of a lost lease ends its work, and `lost-leases.ts` gives the lease back.
import type { Journal, LeaseAnswer, RenewedLease } from '../../journal/journal.js';
import { BackOff } from '@inboard/core/util/back-off.js';
import { mapConcurrently } from '@inboard/core/util/map-concurrently.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { HeldLease } from './held-lease.js';
import { LostLeases, type LeftBehind, type LostLeasesInput } from './lost-leases.js';
import { withinTime } from './within-time.js';

export interface LeaseKeeperInput {
  journal: Journal;
  owner: string;
  leaseMs: number;
  /** Called when the journal failed. The request is retried. */
  onTrouble: (error: unknown, key?: string) => void;
  /** Called when the journal answers again after a failure, because waiters may have missed a hint. */
  onBack: () => void;
  /** Called when a lost lease was given back before another worker took it. */
  onReleased: LostLeasesInput['onReleased'];
}

/** The result of asking for a lease. */
export type TakenLease =
  | (Extract<LeaseAnswer, { state: 'granted' }> & { lease: HeldLease })
  | Exclude<LeaseAnswer, { state: 'granted' }>;

/** The most renewals that wait for an answer at the same time. */
const MAX_RENEWALS = 3;
/** Milliseconds until the first retry for a lease whose conversation was locked. Most transactions are over by then. */
const FIRST_RETRY_MS = 25;
/**
 * How many skipped leases are retried at the same time. The journal may wait a moment for each, and the next renewal of all
 * leases needs connections as well.
 */
const RETRIES_AT_A_TIME = 2;

/** The leases of one process. The caller that makes a keeper closes it. */
export class LeaseKeeper {
  readonly #input: LeaseKeeperInput;
  readonly #leases = new Set<HeldLease>();
  readonly #lost: LostLeases;
  #renewTimer: NodeJS.Timeout | undefined;
  #watchTimer: NodeJS.Timeout | undefined;
  /** Leases whose conversations were locked at the last renewal. */
  readonly #skipped = new Set<HeldLease>();
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #backOff: BackOff;
  #renewing = 0;
  #isRetrying = false;
  #hasFailed = false;
  #isClosed = false;

  constructor(input: LeaseKeeperInput) {
    const { journal, leaseMs, onReleased } = input;
    this.#input = input;
    this.#backOff = new BackOff({ firstMs: FIRST_RETRY_MS, longestMs: leaseMs / 6 });
    this.#lost = new LostLeases({ journal, closeMs: leaseMs, onReleased });
  }

  /** Asks for a lease. A granted lease is renewed until it is dropped or lost. */
  async take(key: string): Promise<TakenLease> {
    const { owner, leaseMs, onTrouble } = this.#input;
    const askedAt = clock.performance.now();
    const answer = await this.#ask(key, { owner, ms: leaseMs });
    if (answer.state !== 'granted') return answer;
    const lease = new HeldLease({
      fence: answer.fence,
      ms: leaseMs,
      askedAt,
      onTrouble: (error) => onTrouble(error, key),
    });
    this.#leases.add(lease);
    this.#renewTimer ??= clock.setInterval(() => void this.renew(), leaseMs / 3);
    this.#watch();
    return { ...answer, lease };
  }

  /** Stops renewing a lease. */
  drop(lease: HeldLease): void {
    this.#leases.delete(lease);
    this.#skipped.delete(lease);
    if (this.#leases.size > 0) return;
    clock.clearInterval(this.#renewTimer);
    clock.clearTimeout(this.#watchTimer);
    clock.clearTimeout(this.#retryTimer);
    this.#renewTimer = undefined;
    this.#watchTimer = undefined;
    this.#retryTimer = undefined;
  }

  /** Renews all leases now, for instance because of a hint. */
  async renew(): Promise<void> {
    this.#checkDeadlines();
    if (this.#leases.size === 0 || this.#renewing >= MAX_RENEWALS || this.#isClosed) return;
    this.#renewing += 1;
    await this.#renew([...this.#leases]);
    this.#renewing -= 1;
  }

  /** Gives back a lost lease as soon as the journal answers, unless another worker has it. Its CLI must have ended. */
  giveBack({ loss, fence }: HeldLease, left?: LeftBehind): void {
    if (loss === 'late' || loss === 'locked' || loss === 'unreachable') this.#lost.giveBack(fence, left);
  }

  /** Stops renewing all leases, so that they expire. Waits a while for lost ones that are being given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const lease of this.#leases) this.drop(lease);
    await this.#lost.close();
  }

  async #ask(key: string, asked: { owner: string; ms: number }): Promise<LeaseAnswer> {
    const { journal, leaseMs } = this.#input;
    const asking = journal.lease(key, asked);
    try {
      return await withinTime(asking, leaseMs);
    } catch (error) {
      // The caller no longer waits. If the lease is granted after all, it is given back.
      asking.then(
        (late) => {
          if (late.state === 'granted') this.#lost.giveBack(late.fence);
        },
        () => {},
      );
      throw error;
    }
  }

  async #renew(leases: readonly HeldLease[]): Promise<void> {
    const { journal, leaseMs, onTrouble, onBack } = this.#input;
    const askedAt = clock.performance.now();
    for (const lease of leases) lease.noteAsked(askedAt);
    try {
      const fences = leases.map(({ fence }) => fence);
      const renewed = await withinTime(journal.renew(fences, leaseMs), leaseMs);
      if (this.#hasFailed) onBack();
      this.#hasFailed = false;
      const byEpoch = new Map(renewed.map((each) => [each.epoch, each]));
      for (const lease of leases) {
        const found = byEpoch.get(lease.fence.epoch);
        if (this.#leases.has(lease) && found) this.#note(lease, found, askedAt);
      }
    } catch (error) {
      this.#hasFailed = true;
      for (const lease of leases) lease.noteTrouble('unreachable');
      onTrouble(error);
    } finally {
      this.#watch();
      this.#retrySoon();
    }
  }

  /** Handles the journal's answer about one lease. */
  #note(
    lease: HeldLease,
    { held, skipped, why = 'taken', hasWork, stop }: RenewedLease,
    askedAt: number,
  ): void {
    if (!held) {
      this.drop(lease);
      lease.lose(why);
      return;
    }
    if (!lease.check()) return;
    if (skipped) {
      lease.noteTrouble('locked');
      this.#skipped.add(lease);
    } else {
      lease.renew(askedAt);
      this.#skipped.delete(lease);
    }
    lease.onNews?.({ hasWork, stop });
  }

  /**
   * Schedules a retry of the skipped leases, or of all leases if the last renewal failed. The pauses grow while retries fail.
   */
  #retrySoon(): void {
    const isNeeded = this.#leases.size > 0 && (this.#skipped.size > 0 || this.#hasFailed);
    if (!isNeeded) this.#backOff.reset();
    if (!isNeeded || this.#retryTimer || this.#isRetrying) return;
    this.#retryTimer = clock.setTimeout(() => void this.#retry(), this.#backOff.next());
  }

  async #retry(): Promise<void> {
    this.#retryTimer = undefined;
    this.#checkDeadlines();
    this.#isRetrying = true;
    if (this.#hasFailed) await this.renew();
    else await this.#renewSkipped();
    this.#isRetrying = false;
    this.#retrySoon();
  }

  /** Renews skipped leases one by one. For a single lease, the journal can wait until its conversation is unlocked. */
  async #renewSkipped(): Promise<void> {
    const leases = [...this.#skipped].toSorted((one, other) => one.deadline - other.deadline);
    await mapConcurrently(leases, RETRIES_AT_A_TIME, async (lease) => {
      // Another renewal may have succeeded in the meantime, or the lease may be lost.
      if (this.#skipped.has(lease)) await this.#renew([lease]);
    });
  }

  #checkDeadlines(): void {
    const now = clock.performance.now();
    for (const lease of this.#leases) {
      if (!lease.check(now)) this.drop(lease);
    }
  }

  /** Sets the timer for the earliest deadline. */
  #watch(): void {
    clock.clearTimeout(this.#watchTimer);
    this.#watchTimer = undefined;
    if (this.#leases.size === 0) return;
    const first = Math.min(...[...this.#leases].map(({ deadline }) => deadline));
    const delay = Math.max(0, Math.ceil(first - clock.performance.now()));
    this.#watchTimer = clock.setTimeout(() => {
      this.#checkDeadlines();
      this.#watch();
    }, delay);
  }
}
