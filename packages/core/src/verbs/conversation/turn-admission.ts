// Asks the session group once for a place for each turn, whether the turn is written to the CLI or goes on by itself.
import type { OpenTurn } from './turns/turn.js';

/** The places of a session group. */
export interface TurnPlaces {
  /** Resolves when the turn may begin or is already over. Never rejects. */
  enter(turn: OpenTurn): Promise<void>;
  /** Called once for each turn that entered, when it is over. */
  leave(turn: OpenTurn): void;
}

/** One per conversation. Without a group, every turn is admitted at once. */
export class TurnAdmission {
  readonly #places: TurnPlaces | undefined;
  readonly #entered = new WeakSet<OpenTurn>();

  constructor(places: TurnPlaces | undefined) {
    this.#places = places;
  }

  /** Resolves when the turn may begin or is already over. Never rejects. */
  enter(turn: OpenTurn): Promise<void> {
    // A turn that is over has left already, so a place given to it now would never be free again.
    if (!this.#places || turn.isOver || this.#entered.has(turn)) return Promise.resolve();
    this.#entered.add(turn);
    return this.#places.enter(turn);
  }

  /** Gives back the place of a turn that is over. */
  leave(turn: OpenTurn): void {
    if (this.#entered.has(turn)) this.#places?.leave(turn);
  }
}
