// A turn that was sent, seen from any process: where it is, how it ended.
import { AbortError, ClusterError } from '../errors.js';
import type { SentTurn } from './cluster.js';
import { closedError, type ClusterCore } from './cluster-core.js';
import type { Journal } from './journal/journal.js';
import type { ClusterTurnState, TurnOutcome, TurnRecord } from './journal/records.js';
import { pauseUnlessOver, readPatiently } from './patient-reader.js';

/** A turn under way has events many times a second, and only its last one matters here: who has waited long looks less often. */
const LONGEST_PAUSE_MS = 50;
const PAUSE_SHARE = 0.1;

/** A handle on a turn; asks the journal nothing by itself. */
export function createSentTurn(core: ClusterCore, key: string, id: string): SentTurn {
  return new TurnHandle(core, key, id);
}

class TurnHandle implements SentTurn {
  readonly #core: ClusterCore;
  readonly #key: string;
  readonly id: string;

  constructor(core: ClusterCore, key: string, id: string) {
    this.#core = core;
    this.#key = key;
    this.id = id;
  }

  async record(): Promise<TurnRecord> {
    return await this.#read(await this.#core.journal());
  }

  async state(): Promise<ClusterTurnState> {
    return (await this.record()).state;
  }

  async outcome({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<TurnOutcome> {
    const core = this.#core;
    core.check();
    const watch = core.hub.watch((change) => change.key === this.#key, signal);
    const startedAt = performance.now();
    try {
      while (!watch.isOver) {
        watch.settle();
        const readAt = performance.now();
        const turn = await readPatiently(core, watch, (journal) => this.#read(journal));
        if (turn?.outcome) return turn.outcome;
        await watch.changed();
        const now = performance.now();
        const early = Math.min(LONGEST_PAUSE_MS, PAUSE_SHARE * (now - startedAt)) - (now - readAt);
        if (early > 0) await pauseUnlessOver(watch, early);
      }
      if (core.isClosed) throw closedError();
      const message = `Waiting for the turn "${this.id}" of the conversation "${this.#key}" was aborted`;
      throw new AbortError(message, { cause: signal?.reason });
    } finally {
      watch.end();
    }
  }

  async cancel(): Promise<boolean> {
    const journal = await this.#core.journal();
    const isCancelled = await journal.cancel(this.#key, this.id);
    // The turn behind it may be due now.
    if (isCancelled) this.#core.wake(this.#key);
    return isCancelled;
  }

  async #read(journal: Journal): Promise<TurnRecord> {
    const turn = await journal.turn(this.#key, this.id);
    if (turn) return turn;
    throw new ClusterError(
      'TURN_UNKNOWN',
      `The conversation "${this.#key}" has no turn "${this.id}": it was never sent, or the conversation was removed`,
      { key: this.#key },
    );
  }
}
