// How far the work on a turn is, and why it is to be left. It is made first, and handed to all parts that work on the turn.
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { Turn } from '@inboard/core/verbs/conversation/turns/turn.js';
import type { TurnRecord } from '../../journal/records.js';
import type { RunContext } from './run-context.js';
import { TurnCostMeter } from './session-cost.js';

/** How the work on a turn ends: it is over, or left. */
export type WorkEnd = 'ended' | 'parked' | 'handedOver' | 'lost' | 'failed';

/** What makes a worker leave a turn that is not over. */
export type Leave = { why: 'parked' | 'handedOver' | 'lost' | 'stopped' } | { why: 'failed'; error: unknown };

/** Milliseconds a CLI may take to write down what the model said last. */
const SAVE_LIMIT_MS = 2000;

/** The state of one turn under one lease. */
export class LeasedTurn {
  readonly context: RunContext;
  readonly record: TurnRecord;
  readonly cost: TurnCostMeter;
  /** The turn in the session, once its message was sent or a session goes on with it. */
  handle: Turn | undefined;
  /** The newest message of the model, by its id, which is also that of its entry in the transcript. */
  newest: string | undefined;
  /** Whether a CLI was started for it, or got its message. */
  hasCli = false;
  /** Whether a session goes on with it: before there is a CLI, calls that were cut off are completed. */
  isContinued = false;
  isStopping = false;
  /** Whether the worker has to end: then nothing is waited for. */
  isDraining = false;
  isOver = false;
  #left: Leave | undefined;
  readonly #leaving: Deferred<Leave> = createQuietDeferred();

  constructor(context: RunContext, record: TurnRecord) {
    this.context = context;
    this.record = record;
    // A warm CLI has counted the turns before, also where this one is left before it is sent.
    this.cost = new TurnCostMeter(context.session?.totalUsd);
  }

  /** Whether a CLI has the turn, or its calls are completed before that, and it is not over. */
  get isUnderWay(): boolean {
    return (this.handle !== undefined || this.isContinued) && !this.isOver;
  }

  /** Why the turn is to be left. */
  get left(): Leave | undefined {
    return this.#left;
  }

  /** Resolves once the turn is to be left. */
  get leaving(): Promise<Leave> {
    return this.#leaving.promise;
  }

  /** The turn is to be left; of several reasons, the first counts. */
  leave(why: Leave): void {
    this.#left ??= why;
    this.#leaving.resolve(why);
  }

  /** US dollars that the turn has cost up to now; 0 before there is a CLI. */
  async readCost(): Promise<number> {
    const { session } = this.context;
    return session && this.handle ? await this.cost.read(session.session) : 0;
  }

  /** A call that is not in the transcript is lost with its CLI, although people may be asked about it. */
  async awaitSaved(): Promise<void> {
    const { session, store } = this.context;
    if (session?.session.pid === undefined || this.newest === undefined) return;
    await store.whenSaved(this.newest, SAVE_LIMIT_MS);
  }
}
