// Who of a conversation has asked its group for a place: each turn once, whether it is written or goes on by itself.
import type { OpenTurn } from './turns/turn.js';

/** The places of a group. */
export interface TurnPlaces {
  /** Resolves when the turn may begin, or is over already; never rejects. */
  enter(turn: OpenTurn): Promise<void>;
  /** The turn is over; called once for each that entered. */
  leave(turn: OpenTurn): void;
}

/** One per conversation; without a group everything is admitted. */
export class TurnAdmission {
  readonly #places: TurnPlaces | undefined;
  readonly #entered = new WeakSet<OpenTurn>();

  constructor(places: TurnPlaces | undefined) {
    this.#places = places;
  }

  /** Resolves when the turn may begin, or is over already; never rejects. */
  enter(turn: OpenTurn): Promise<void> {
    // One that is over has left already: what enters after that would keep its place for ever.
    if (!this.#places || turn.isOver || this.#entered.has(turn)) return Promise.resolve();
    this.#entered.add(turn);
    return this.#places.enter(turn);
  }

  /** The turn is over. */
  leave(turn: OpenTurn): void {
    if (this.#entered.has(turn)) this.#places?.leave(turn);
  }
}
