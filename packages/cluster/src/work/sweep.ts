// Wakes conversations that no worker was woken for, because a worker died, a wake was lost, or a turn's time has come. It does
// not wake a conversation over and over while the conversation waits for a place. Between its regular looks it looks when a lease
// that nobody renews runs out.
import { varyPause } from '@inboard/core/util/back-off.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { DueConversation } from '../journal/journal.js';
import { withinTime } from './host/within-time.js';
import type { WorkHost } from './host/work-host.js';

const LIMIT = 100;
/** Milliseconds before the same conversation is woken again. */
const AGAIN_MS = 5000;
/** Milliseconds within which a worker should take a conversation that was woken. */
const TAKEN_MS = 1000;
/**
 * Two regular looks are this many times the usual pause apart at most, because a report of the worker replaces some of them. So far
 * ahead a look asks for leases that run out.
 */
const LOOKS_AHEAD = 2;
/** All workers learn when the lease of a dead one runs out. They look within so many milliseconds after it, so that each finds others. */
const SPREAD_MS = 50;
/** Many leases may run out one shortly after the other. Milliseconds between a look and the next that is not a regular one. */
const GAP_MS = 100;

export interface SweepInput {
  host: WorkHost;
  /** Whether this process could work on one more conversation now. There may be places for recovered ones only. */
  hasRoom: (recovered: boolean) => boolean;
  /** Looks at a conversation in this process, without the dispatcher. */
  look: (key: string, recovered: boolean) => void;
  /** Calls `look()` of the sweep and keeps the worker from ending meanwhile. */
  sweep: () => void;
}

/** Looks for forgotten conversations. */
export class Sweep {
  readonly #input: SweepInput;
  /** When each conversation was last woken or looked at here. `isLooked`: it was looked at here, without the dispatcher. */
  readonly #woken = new Map<string, { at: number; isLooked: boolean }>();
  readonly #aheadMs: number;
  #isBusy = false;
  #isEnded = false;
  #aimed: NodeJS.Timeout | undefined;

  constructor(input: SweepInput) {
    this.#input = input;
    const { leaseMs, sweepMs } = input.host.settings;
    // A lease that is renewed has more than half of its time left. So while all workers live, no look is added.
    this.#aheadMs = Math.min(LOOKS_AHEAD * sweepMs, leaseMs / 2);
  }

  /** Looks for due conversations once. Does nothing while another look is under way. Never rejects. */
  async look(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    const { host } = this.#input;
    try {
      const options = { withinMs: this.#aheadMs };
      const found = await withinTime(host.parts.journal.due(LIMIT, options), host.settings.leaseMs);
      const due = found.filter(({ afterMs }) => afterMs === undefined);
      this.#aim(found.find(({ afterMs }) => afterMs !== undefined)?.afterMs);
      this.#forgetOld(clock.performance.now());
      await Promise.all(due.map((conversation) => this.#wake(conversation)));
    } catch (error) {
      host.emit({ type: 'trouble', where: 'journal', error });
    } finally {
      this.#isBusy = false;
    }
  }

  /** Ends the looks that are not regular ones. */
  end(): void {
    this.#isEnded = true;
    clock.clearTimeout(this.#aimed);
  }

  /** Sets the time of the next look that is not a regular one. The newest answer of the journal counts. */
  #aim(afterMs: number | undefined): void {
    clock.clearTimeout(this.#aimed);
    if (afterMs === undefined || this.#isEnded) return;
    const delay = Math.max(GAP_MS, afterMs) + varyPause(SPREAD_MS, [0, 1]);
    // Without a place, this worker could only wake others. They know the time as well.
    this.#aimed = clock.setTimeout(() => this.#input.hasRoom(true) && this.#input.sweep(), delay);
  }

  async #wake({ key, recovered }: DueConversation): Promise<void> {
    const { host, hasRoom, look } = this.#input;
    const now = clock.performance.now();
    const woken = this.#woken.get(key);
    const sinceMs = woken === undefined ? Infinity : now - woken.at;
    // A worker gets TAKEN_MS to take a conversation that was woken. This does not hold back a recovered conversation that was
    // woken while no place was free here. So it gets the first place that becomes free.
    if (sinceMs < TAKEN_MS && (woken?.isLooked || !recovered)) return;
    // A recovered conversation goes before everything that waits in the dispatcher. A conversation that is not recovered is
    // looked at here only if an earlier wake led to nothing. Then the dispatcher is away, or it wakes a worker that cannot
    // reach the journal.
    if (hasRoom(recovered) && (recovered || sinceMs < Infinity)) {
      this.#woken.set(key, { at: now, isLooked: true });
      look(key, recovered);
    } else if (sinceMs >= AGAIN_MS) {
      this.#woken.set(key, { at: now, isLooked: false });
      if (!(await host.wake(key, { urgent: recovered })) && hasRoom(recovered)) look(key, recovered);
    }
  }

  #forgetOld(now: number): void {
    for (const [key, { at }] of this.#woken) if (now - at >= 2 * AGAIN_MS) this.#woken.delete(key);
  }
}
