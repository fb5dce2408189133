// The state of the work on one turn: how far it is, and why the worker leaves it. All parts that work on the turn share it.
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { TurnRecord } from '../../journal/records.js';
import type { RunContext } from './run-context.js';
import { HeldTurn } from '@inboard/durable/attempt/held-turn.js';

/** How the work on a turn ends: the turn has ended, or the worker has left it. `waiting`: it waits for a budget. */
export type WorkEnd = 'ended' | 'parked' | 'handedOver' | 'lost' | 'failed' | 'waiting';

/** Why a worker leaves a turn that has not ended. */
export type Leave = { why: 'parked' | 'handedOver' | 'lost' | 'stopped' } | { why: 'failed'; error: unknown };

/** The state of one turn under one lease. */
export class LeasedTurn {
  readonly context: RunContext;
  readonly record: TurnRecord;
  /** The turn in its session. */
  readonly held: HeldTurn;
  /** Whether a CLI was started for the turn, or got its message. */
  hasCli = false;
  /** Whether the worker is ending. The turn is then parked or handed over as soon as it would have to wait. */
  isDraining = false;
  isOver = false;
  /** US dollars of `record.turnCostUsd` that the transcript told, and that the journal has not counted yet. */
  foundUsd = 0;
  /** Milliseconds until the turn is tried again, once it has failed or waits. */
  retryAfterMs = 0;
  #left: Leave | undefined;
  readonly #leaving: Deferred<Leave> = createQuietDeferred();

  constructor(context: RunContext, record: TurnRecord) {
    this.context = context;
    this.record = record;
    // A warm CLI has already counted earlier turns. That matters even if this turn is left before it is sent.
    const totalUsd = context.session?.totalUsd;
    this.held = new HeldTurn({ totalUsd, onStopped: () => this.leave({ why: 'stopped' }) });
  }

  /** Whether the turn is being worked on: a CLI has it, or its calls are being completed before that. */
  get isUnderWay(): boolean {
    return this.held.isUnderWay && !this.isOver;
  }

  /** Why the worker leaves the turn. Undefined while it does not. */
  get left(): Leave | undefined {
    return this.#left;
  }

  /** Resolves once the worker should leave the turn. */
  get leaving(): Promise<Leave> {
    return this.#leaving.promise;
  }

  /** Makes the worker leave the turn. The first of several reasons counts. */
  leave(why: Leave): void {
    this.#left ??= why;
    this.#leaving.resolve(why);
  }

  /** US dollars that are not counted yet: those of this lease, which are 0 before it has a CLI, and those that were found. */
  async readCost(): Promise<number> {
    return this.foundUsd + (await this.held.readCost());
  }
}
