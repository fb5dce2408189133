// Ends a turn in the journal and gets the next one, in one transaction if the journal can do both.
import type { FinishedTurn, LeftTurn, TurnFinish } from '../../journal/journal.js';
import type { TurnRecord } from '../../journal/records.js';
import { describeCutOff, type LeftBehind } from '../host/lost-leases.js';
import type { RunContext } from './run-context.js';
import { withinTime } from '../host/within-time.js';

/** Ends one turn. */
export class TurnFinishing {
  readonly #context: RunContext;
  readonly #turn: TurnRecord;
  /** The last request to the journal, pending or answered. */
  #asked: Promise<FinishedTurn> | undefined;
  #looked: { next: TurnRecord | undefined } | undefined;

  constructor(context: RunContext, turn: TurnRecord) {
    this.#context = context;
    this.#turn = turn;
  }

  /** The next turn. Undefined if it was not looked up. */
  get looked(): { next: TurnRecord | undefined } | undefined {
    return this.#looked;
  }

  /** Ends the turn. Once the journal has the outcome, waiters in this process are told. */
  async write(end: TurnFinish): Promise<void> {
    const { host, lease } = this.#context;
    const { journal, onTurnEnding } = host.parts;
    const settle = onTurnEnding?.(this.#turn);
    const takesNext = journal.finishAndNext !== undefined && this.#context.takesNext();
    try {
      const { ended, next } = await lease.write(() => {
        this.#asked = takesNext ? this.#finishAndNext(end) : this.#finish(end);
        return this.#asked;
      });
      if (takesNext) this.#looked = { next };
      // If the turn had already ended, the journal has an earlier outcome instead.
      settle?.(ended ? end.outcome : undefined);
    } catch (error) {
      settle?.();
      throw error;
    }
  }

  /**
   * The turn that a lost lease leaves behind. It is the next turn if the journal has begun it but the answer came too late,
   * otherwise this one.
   */
  leaveBehind(own: LeftTurn): LeftBehind {
    return this.#asked ? this.#awaitNext(this.#asked, own) : own;
  }

  async #awaitNext(asked: Promise<FinishedTurn>, own: LeftTurn): Promise<LeftTurn> {
    const { leaseMs } = this.#context.host.settings;
    try {
      const { next } = await withinTime(asked, leaseMs);
      return next ? describeCutOff(next, leaseMs, false) : own;
    } catch {
      return own;
    }
  }

  async #finishAndNext(end: TurnFinish): Promise<FinishedTurn> {
    const { host, lease } = this.#context;
    const { journal } = host.parts;
    return (await journal.finishAndNext?.(lease.fence, this.#turn.id, end)) ?? { ended: false };
  }

  async #finish(end: TurnFinish): Promise<FinishedTurn> {
    const { host, lease } = this.#context;
    return { ended: await host.parts.journal.finish(lease.fence, this.#turn.id, end) };
  }
}
