// A turn that was sent, seen from any process: where it is, how it ended.
import { AbortError, ClusterError } from '../errors.js';
import { checkOptions } from './check-options.js';
import type { SentTurn } from './cluster.js';
import { closedError, type ClusterCore } from './cluster-core.js';
import type { Journal } from './journal/journal.js';
import type { ClusterTurnState, TurnOutcome, TurnRecord } from './journal/records.js';
import type { OwnConversation } from './own-conversation.js';
import { pauseUnlessOver, readPatiently } from './patient-reader.js';

/** A turn under way has events many times a second, and only its last one matters here: who has waited long looks less often. */
const LONGEST_PAUSE_MS = 50;
const PAUSE_SHARE = 0.1;

/** A handle on a turn; asks the journal nothing by itself. */
export function createSentTurn(core: ClusterCore, own: OwnConversation, id: string): SentTurn {
  return new TurnHandle(core, own, id);
}

class TurnHandle implements SentTurn {
  readonly #core: ClusterCore;
  readonly #own: OwnConversation;
  readonly id: string;

  constructor(core: ClusterCore, own: OwnConversation, id: string) {
    this.#core = core;
    this.#own = own;
    this.id = id;
  }

  async record(): Promise<TurnRecord> {
    return await this.#read(await this.#core.journal());
  }

  async state(): Promise<ClusterTurnState> {
    return (await this.record()).state;
  }

  async outcome(options: { signal?: AbortSignal | undefined } = {}): Promise<TurnOutcome> {
    checkOptions('outcome()', options);
    const { signal } = options;
    const core = this.#core;
    const { key } = this.#own;
    core.check();
    const watch = core.hub.watch((change) => change.key === key, signal);
    const startedAt = performance.now();
    let isFirst = true;
    try {
      while (!watch.isOver) {
        watch.settle();
        const readAt = performance.now();
        const turn = await readPatiently(core, watch, (journal) => this.#look(journal, isFirst));
        if (turn?.outcome) return turn.outcome;
        isFirst = false;
        await watch.changed();
        const now = performance.now();
        const early = Math.min(LONGEST_PAUSE_MS, PAUSE_SHARE * (now - startedAt)) - (now - readAt);
        if (early > 0) await pauseUnlessOver(watch, early);
      }
      if (core.isClosed) throw closedError();
      const message = `Waiting for the turn "${this.id}" of the conversation "${key}" was aborted`;
      throw new AbortError(message, { cause: signal?.reason });
    } finally {
      watch.end();
    }
  }

  async cancel(): Promise<boolean> {
    const journal = await this.#core.journal();
    const { key } = this.#own;
    const isCancelled = (await this.#own.isThere(journal)) && (await journal.cancel(key, this.id));
    // The turn behind it may be due now.
    if (isCancelled) this.#core.wake(key);
    return isCancelled;
  }

  /** Whose it is matters when it is first looked at, and when its end is told; in between only whether it has ended. */
  async #look(journal: Journal, isFirst: boolean): Promise<TurnRecord> {
    if (isFirst || this.#own.scope.tenant === undefined) return await this.#read(journal);
    const turn = await journal.turn(this.#own.key, this.id);
    return turn && !turn.outcome ? turn : await this.#read(journal);
  }

  async #read(journal: Journal): Promise<TurnRecord> {
    const { key } = this.#own;
    const turn = await this.#own.read(journal, () => journal.turn(key, this.id));
    if (turn) return turn;
    throw new ClusterError(
      'TURN_UNKNOWN',
      `The conversation "${key}" has no turn "${this.id}": it was never sent, or the conversation was removed`,
      { key },
    );
  }
}
