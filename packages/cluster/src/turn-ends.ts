// Hands the outcomes of turns that end in this process to the callers here that wait for them, so that these callers need not
// read the journal. Only an outcome that the journal has accepted is handed over. Turns are known by their uuids.
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { copyJson } from './journal/memory/copy-json.js';
import type { TurnOutcome, TurnRecord } from './journal/records.js';

/** Called with the outcome of a turn. */
export type OnTurnEnd = (outcome: TurnOutcome) => void;

/** The callers in this process that wait for a turn, and the turns that are being ended here. */
export class TurnEnds {
  readonly #waiting = new Map<string, Set<OnTurnEnd>>();
  readonly #ending = new Map<string, Deferred<void>>();

  /** Calls `onEnd` with the outcome of a turn. The returned function cancels that. */
  on(uuid: string, onEnd: OnTurnEnd): () => void {
    const known = this.#waiting.get(uuid) ?? new Set();
    this.#waiting.set(uuid, known.add(onEnd));
    return () => {
      known.delete(onEnd);
      if (known.size === 0 && this.#waiting.get(uuid) === known) this.#waiting.delete(uuid);
    };
  }

  /**
   * Resolves when the attempt to end a turn here has succeeded or failed. Undefined if no worker of this process is ending it.
   */
  settled(uuid: string): Promise<void> | undefined {
    return this.#ending.get(uuid)?.promise;
  }

  /**
   * Call this before the journal is asked to end a turn. Call the returned function with the outcome, or with nothing if the
   * journal did not accept it.
   */
  begin({ uuid }: TurnRecord): (outcome?: TurnOutcome) => void {
    const ending = createQuietDeferred<void>();
    this.#ending.set(uuid, ending);
    return (outcome) => {
      if (this.#ending.get(uuid) === ending) this.#ending.delete(uuid);
      // Each caller gets a copy, as if it had read the journal itself.
      if (outcome) for (const onEnd of this.#waiting.get(uuid) ?? []) onEnd(copyJson(outcome));
      ending.resolve();
    };
  }
}
