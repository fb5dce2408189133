// The state of the work on one turn: how far it is, and why the worker leaves it. All parts that work on the turn share it.
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { TurnRecord } from '../../journal/records.js';
import type { RunContext } from './run-context.js';
import { TurnCostMeter } from '@inboard/durable/attempt/session-cost.js';

/** How the work on a turn ends: the turn has ended, or the worker has left it. */
export type WorkEnd = 'ended' | 'parked' | 'handedOver' | 'lost' | 'failed';

/** Why a worker leaves a turn that has not ended. */
export type Leave = { why: 'parked' | 'handedOver' | 'lost' | 'stopped' } | { why: 'failed'; error: unknown };

/** Milliseconds that a CLI may take to save the model's last message. */
const SAVE_LIMIT_MS = 2000;

/** The state of one turn under one lease. */
export class LeasedTurn {
  readonly context: RunContext;
  readonly record: TurnRecord;
  readonly cost: TurnCostMeter;
  /** The turn in the session. Set once its message was sent, or once a CLI continues it. */
  handle: Turn | undefined;
  /** The uuid of the model's newest message. Its entry in the transcript has the same uuid. */
  newest: string | undefined;
  /** Whether a CLI was started for the turn, or got its message. */
  hasCli = false;
  /** Whether a session continues the turn. Calls that were cut off are completed before it has a CLI. */
  isContinued = false;
  isStopping = false;
  /** Whether the worker is ending. The turn is then parked or handed over as soon as it would have to wait. */
  isDraining = false;
  isOver = false;
  #left: Leave | undefined;
  readonly #leaving: Deferred<Leave> = createQuietDeferred();

  constructor(context: RunContext, record: TurnRecord) {
    this.context = context;
    this.record = record;
    // A warm CLI has already counted earlier turns. That matters even if this turn is left before it is sent.
    this.cost = new TurnCostMeter(context.session?.totalUsd);
  }

  /** Whether the turn is being worked on: a CLI has it, or its calls are being completed before that. */
  get isUnderWay(): boolean {
    return (this.handle !== undefined || this.isContinued) && !this.isOver;
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

  /** US dollars that the turn has cost so far in this lease. 0 before it has a CLI. */
  async readCost(): Promise<number> {
    const { session } = this.context;
    return session && this.handle ? await this.cost.read(session.session) : 0;
  }

  /**
   * Waits until the model's newest message is saved. A call that is not in the transcript is lost with its CLI, although people
   * may have been asked about it.
   */
  async awaitSaved(): Promise<void> {
    const { session, store } = this.context;
    if (session?.session.pid === undefined || this.newest === undefined) return;
    await store.whenSaved(this.newest, SAVE_LIMIT_MS);
  }
}
