// Keeps all leases of a process: one timer renews them in one go every third of their time, another watches that none is used
// beyond its time. What becomes of a lost one is the business of its run.
import type { Journal, LeaseAnswer } from '../journal/journal.js';
import { HeldLease } from './held-lease.js';
import { withinTime } from './within-time.js';

export interface LeaseKeeperInput {
  journal: Journal;
  owner: string;
  leaseMs: number;
  /** The journal failed; it is tried again. */
  onTrouble: (error: unknown, key?: string) => void;
  /** The journal answers again after it failed: whoever waits for something may have missed a hint. */
  onBack: () => void;
}

/** What came of asking for a lease. */
export type TakenLease =
  | (Extract<LeaseAnswer, { state: 'granted' }> & { lease: HeldLease })
  | Exclude<LeaseAnswer, { state: 'granted' }>;

/** More renewals than these are not begun while none is answered. */
const MAX_RENEWALS = 3;

/** The leases of one process. Whoever makes one closes it. */
export class LeaseKeeper {
  readonly #input: LeaseKeeperInput;
  readonly #leases = new Set<HeldLease>();
  #renewTimer: NodeJS.Timeout | undefined;
  #watchTimer: NodeJS.Timeout | undefined;
  #renewing = 0;
  #hasFailed = false;
  #isClosed = false;

  constructor(input: LeaseKeeperInput) {
    this.#input = input;
  }

  /** Asks for a lease; one that is granted is kept until it is dropped or lost. */
  async take(key: string): Promise<TakenLease> {
    const { journal, owner, leaseMs, onTrouble } = this.#input;
    const askedAt = performance.now();
    const answer = await withinTime(journal.lease(key, { owner, ms: leaseMs }), leaseMs);
    if (answer.state !== 'granted') return answer;
    const lease = new HeldLease({
      fence: answer.fence,
      ms: leaseMs,
      askedAt,
      onTrouble: (error) => onTrouble(error, key),
    });
    this.#leases.add(lease);
    this.#renewTimer ??= setInterval(() => void this.renew(), leaseMs / 3);
    this.#watch();
    return { ...answer, lease };
  }

  /** No longer renews it. */
  drop(lease: HeldLease): void {
    this.#leases.delete(lease);
    if (this.#leases.size > 0) return;
    clearInterval(this.#renewTimer);
    clearTimeout(this.#watchTimer);
    this.#renewTimer = undefined;
    this.#watchTimer = undefined;
  }

  /** Renews all of them now, for instance because somebody said that one has news. */
  async renew(): Promise<void> {
    this.#checkDeadlines();
    if (this.#leases.size === 0 || this.#renewing >= MAX_RENEWALS || this.#isClosed) return;
    const { journal, leaseMs, onTrouble } = this.#input;
    const leases = [...this.#leases];
    const askedAt = performance.now();
    this.#renewing += 1;
    try {
      const fences = leases.map(({ fence }) => fence);
      const renewed = await withinTime(journal.renew(fences, leaseMs), leaseMs);
      if (this.#hasFailed) this.#input.onBack();
      this.#hasFailed = false;
      const byEpoch = new Map(renewed.map((each) => [each.epoch, each]));
      for (const lease of leases) {
        const found = byEpoch.get(lease.fence.epoch);
        if (!this.#leases.has(lease) || !found) continue;
        if (!found.held) this.#lose(lease);
        else if (lease.check()) {
          lease.renew(askedAt);
          lease.onNews?.({ hasWork: found.hasWork, stop: found.stop });
        }
      }
    } catch (error) {
      this.#hasFailed = true;
      onTrouble(error);
    } finally {
      this.#renewing -= 1;
      this.#watch();
    }
  }

  /** Forgets all of them; they run out. */
  close(): void {
    this.#isClosed = true;
    for (const lease of this.#leases) this.drop(lease);
  }

  #lose(lease: HeldLease): void {
    this.drop(lease);
    lease.lose('taken');
  }

  #checkDeadlines(): void {
    const now = performance.now();
    for (const lease of this.#leases) {
      if (!lease.check(now)) this.drop(lease);
    }
  }

  /** Sets the timer for the lease that ends first. */
  #watch(): void {
    clearTimeout(this.#watchTimer);
    this.#watchTimer = undefined;
    if (this.#leases.size === 0) return;
    const first = Math.min(...[...this.#leases].map(({ deadline }) => deadline));
    const delay = Math.max(0, Math.ceil(first - performance.now()));
    this.#watchTimer = setTimeout(() => {
      this.#checkDeadlines();
      this.#watch();
    }, delay);
  }
}
