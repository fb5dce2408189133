// Counts the calls and errors of each turn. Over all turns, they are the calls and errors that every other view shows.
import type { CallFates } from '@inboard/core/record/trace/timeline/call-fates.js';
import type { ErrorCount } from '@inboard/core/record/trace/timeline/error-count.js';
import type { TurnCounter } from './turn-counter.js';

/** What is counted by turn. */
export interface TurnCounts {
  calls: number;
  errors: number;
}

/** The counts of each turn of a session; those of turn 0 came before the first turn. */
export class TurnTally {
  readonly #turns: TurnCounts[] = [];
  /** The turn in which each call began. Its failure counts there, even if it comes later. */
  readonly #turnOf = new Map<string, number>();
  readonly #failed = new Set<string>();
  /** Errors other than failed calls. */
  #others = 0;

  /** Is called after each event, when the facts have taken it. */
  push(turns: TurnCounter, calls: CallFates, errors: ErrorCount): void {
    const { begun } = turns;
    for (const id of calls.begun) {
      this.#turnOf.set(id, begun);
      this.#at(begun).calls += 1;
    }
    for (const id of calls.changed) {
      const counts = this.#at(this.#turnOf.get(id) ?? begun);
      if (calls.fateOf(id) === 'failed') {
        if (!this.#failed.has(id)) counts.errors += 1;
        this.#failed.add(id);
      } else if (this.#failed.delete(id)) counts.errors -= 1;
    }
    const others = errors.count - calls.failed;
    if (others !== this.#others) this.#at(begun).errors += others - this.#others;
    this.#others = others;
  }

  countsOf(turn: number): Readonly<TurnCounts> {
    return this.#turns[turn] ?? { calls: 0, errors: 0 };
  }

  /** The turn in which a call began; undefined if the call is not known. */
  turnOf(toolUseId: string): number | undefined {
    return this.#turnOf.get(toolUseId);
  }

  #at(turn: number): TurnCounts {
    while (this.#turns.length <= turn) this.#turns.push({ calls: 0, errors: 0 });
    return this.#turns[turn] as TurnCounts;
  }
}
