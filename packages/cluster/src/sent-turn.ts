// A turn that was sent, as any process sees it: its state, its record and its outcome.
import { AbortError, ClusterError } from '@inboard/core/errors.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { readCaller } from './audit.js';
import { checkMethodOptions } from './check-options.js';
import type { SentTurn } from './cluster.js';
import { closedError, type ClusterCore } from './cluster-core.js';
import type { Caller } from './journal/filters.js';
import type { Journal, JournalChange } from './journal/journal.js';
import type { HeardPlace, JournalWatch } from './journal-hub.js';
import type { ClusterTurnState, TurnOutcome, TurnRecord } from './journal/records.js';
import type { OwnConversation } from './own-conversation.js';
import { pauseUnlessOver, readPatiently } from './patient-reader.js';
import type { OnTurnEnd } from './turn-ends.js';

/**
 * The longest pause between two looks, in milliseconds. A turn under way writes many events a second, and only the last one
 * matters here. So the longer a caller has waited, the less often it looks.
 */
const LONGEST_PAUSE_MS = 50;
const PAUSE_SHARE = 0.1;
/**
 * Milliseconds to wait for a worker of this process that is ending the turn. After that, the outcome is read from the journal.
 */
const END_HERE_MS = 100;

/** What the sender knows about the turn. */
export interface TurnAsSent {
  record: TurnRecord;
  /** The hub's position before the turn was stored. */
  place: HeardPlace | undefined;
}

/** Creates a handle on a turn, without asking the journal. */
export function createSentTurn(
  core: ClusterCore,
  own: OwnConversation,
  id: string,
  sent?: TurnAsSent,
): SentTurn {
  return new TurnHandle(core, own, id, sent);
}

class TurnHandle implements SentTurn {
  readonly #core: ClusterCore;
  readonly #own: OwnConversation;
  readonly id: string;
  readonly #sent: TurnAsSent | undefined;

  constructor(core: ClusterCore, own: OwnConversation, id: string, sent: TurnAsSent | undefined) {
    this.#core = core;
    this.#own = own;
    this.id = id;
    this.#sent = sent;
  }

  async record(): Promise<TurnRecord> {
    return await this.#read(await this.#core.journal());
  }

  async state(): Promise<ClusterTurnState> {
    return (await this.record()).state;
  }

  async outcome(options: { signal?: AbortSignal | undefined } = {}): Promise<TurnOutcome> {
    checkMethodOptions('outcome()', options);
    const { signal } = options;
    const core = this.#core;
    const { key } = this.#own;
    core.check();
    const { tellsEnded } = core;
    // If the journal does not tell `ended`, any change of the conversation may be the end of the turn. A removed conversation
    // is told as `stop`.
    const concerns = ({ key: about, kind }: JournalChange): boolean =>
      about === key && (!tellsEnded || kind === 'ended' || kind === 'stop');
    const watch = core.hub.watch(concerns, signal);
    let handed: TurnOutcome | undefined;
    const forget = this.#onEndHere((outcome) => {
      handed = outcome;
      watch.note();
    });
    const startedAt = clock.performance.now();
    let isFirst = true;
    // If no end was told since the turn was sent, it has not ended, and there is nothing to read yet.
    let isKnown = this.#isStillOpen(concerns);
    try {
      while (!watch.isOver) {
        watch.settle();
        const readAt = clock.performance.now();
        if (!isKnown) {
          const turn = await readPatiently(core, watch, (journal) => this.#look(journal, isFirst));
          if (turn?.outcome) return turn.outcome;
          isFirst = false;
        }
        isKnown = false;
        await watch.changed();
        await this.#awaitEndHere(watch);
        if (handed) return handed;
        const now = clock.performance.now();
        const early = Math.min(LONGEST_PAUSE_MS, PAUSE_SHARE * (now - startedAt)) - (now - readAt);
        if (early > 0 && !tellsEnded) await pauseUnlessOver(watch, early);
      }
      if (core.isClosed) throw closedError();
      const message = `Waiting for the turn "${this.id}" of the conversation "${key}" was aborted`;
      throw new AbortError(message, { cause: signal?.reason });
    } finally {
      forget();
      watch.end();
    }
  }

  async cancel(caller?: Caller): Promise<boolean> {
    const who = readCaller('cancel()', caller);
    const journal = await this.#core.journal();
    const { key } = this.#own;
    const isCancelled = (await this.#own.isThere(journal)) && (await journal.cancel(key, this.id, who));
    // The next turn may be due now.
    if (isCancelled) this.#core.wake(key);
    return isCancelled;
  }

  /**
   * Calls `onEnd` if the turn ends in this process. That needs the turn's uuid, which only its sender knows without reading the
   * journal.
   */
  #onEndHere(onEnd: OnTurnEnd): () => void {
    return this.#sent ? this.#core.ends.on(this.#sent.record.uuid, onEnd) : () => {};
  }

  /**
   * If a worker of this process is ending the turn, waits for it a moment. The outcome then need not be read from the journal.
   */
  async #awaitEndHere(watch: JournalWatch): Promise<void> {
    const settled = this.#sent && this.#core.ends.settled(this.#sent.record.uuid);
    if (settled) await Promise.race([settled, pauseUnlessOver(watch, END_HERE_MS)]);
  }

  /** Whether the turn has certainly not ended since it was sent. Does not read the journal. */
  #isStillOpen(concerns: (change: JournalChange) => boolean): boolean {
    const { hub, tellsEnded } = this.#core;
    if (!this.#sent || !tellsEnded || this.#sent.record.outcome) return false;
    return hub.isQuietSince(this.#sent.place, concerns);
  }

  /**
   * Reads the turn. Its tenant is checked with the first look and again once the turn has ended. In between, it only matters
   * whether the turn has ended.
   */
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
