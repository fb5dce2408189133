// How many turns of a group run at the same time, and which runs next: keys are served in turn.
import { FairQueue } from '../../util/queues/fair-queue.js';
import type { OpenTurn } from '../conversation/turns/turn.js';

/** What the limits of a group know about one of its conversations. */
export interface Seat {
  readonly key: string;
  /** Whether one of its turns may run, or runs. */
  isRunning: boolean;
  /** Since when it has nothing to do, as a count of turns; the smallest has waited longest. */
  idleSince: number;
}

interface Entry {
  seat: Seat;
  turn: OpenTurn;
  admit: () => void;
}

/** One per group. */
export class TurnLimit {
  readonly #maxRunning: number;
  readonly #onIdle: () => void;
  /** At most one entry for each conversation: the turn that is first in its own queue. */
  readonly #queue = new FairQueue<Entry>();
  readonly #entries = new Map<OpenTurn, Entry>();
  #running = 0;
  #clock = 0;

  /** `onIdle` is called when a conversation has no turn that runs any more. */
  constructor(maxRunning: number, onIdle: () => void) {
    this.#maxRunning = maxRunning;
    this.#onIdle = onIdle;
  }

  get running(): number {
    return this.#running;
  }

  createSeat(key: string): Seat {
    return { key, isRunning: false, idleSince: this.#tick() };
  }

  /** Resolves when the turn may run, or has left. */
  enter(seat: Seat, turn: OpenTurn): Promise<void> {
    return new Promise((admit) => {
      const entry = { seat, turn, admit };
      this.#entries.set(turn, entry);
      this.#queue.push(seat.key, entry);
      this.#admitNext();
    });
  }

  leave(seat: Seat, turn: OpenTurn): void {
    const entry = this.#entries.get(turn);
    if (entry) {
      // It never ran: whoever waits for its admission sees that the turn is over.
      this.#entries.delete(turn);
      this.#queue.remove(seat.key, entry);
      entry.admit();
      return;
    }
    seat.isRunning = false;
    seat.idleSince = this.#tick();
    this.#running -= 1;
    this.#onIdle();
    // In a microtask: the conversation may have more to send, and its key is then behind those that wait now.
    queueMicrotask(() => this.#admitNext());
  }

  #tick(): number {
    this.#clock += 1;
    return this.#clock;
  }

  #admitNext(): void {
    while (this.#running < this.#maxRunning) {
      const entry = this.#queue.take();
      if (!entry) return;
      this.#entries.delete(entry.turn);
      this.#running += 1;
      entry.seat.isRunning = true;
      entry.admit();
    }
  }
}
