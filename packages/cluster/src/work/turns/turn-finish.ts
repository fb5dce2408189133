// The end of a turn in the journal, with the turn behind it: in one transaction where the journal can do both.
import type { FinishedTurn, LeftTurn, TurnFinish } from '../../journal/journal.js';
import type { TurnRecord } from '../../journal/records.js';
import { describeCutOff, type LeftBehind } from '../host/lost-leases.js';
import type { RunContext } from './run-context.js';
import { withinTime } from '../host/within-time.js';

/** Ends one turn. */
export class TurnFinishing {
  readonly #context: RunContext;
  readonly #turn: TurnRecord;
  /** What the journal was asked for last, while or after it answers. */
  #asked: Promise<FinishedTurn> | undefined;
  #looked: { next: TurnRecord | undefined } | undefined;

  constructor(context: RunContext, turn: TurnRecord) {
    this.#context = context;
    this.#turn = turn;
  }

  /** What there is behind the turn; undefined if that was not looked up. */
  get looked(): { next: TurnRecord | undefined } | undefined {
    return this.#looked;
  }

  /** Ends it. Waiters for its outcome in this process are told once the journal has it. */
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
      // One that had ended already has another outcome.
      settle?.(ended ? end.outcome : undefined);
    } catch (error) {
      settle?.();
      throw error;
    }
  }

  /** What a lost lease leaves behind: the next turn, where the journal has begun it and the answer came too late; else this one. */
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
