// Limits how many turns of a session group run at the same time, and decides which runs next. Keys are served in turn. A turn
// that waits for a person lends its place to another. When it goes on, it gets a place before turns that have not begun.
import { FairQueue } from '../../util/queues/fair-queue.js';
import { createDeferred, type Deferred } from '../../util/deferred.js';
import type { OpenTurn } from '../conversation/turns/turn.js';

/** What the limits of a group know about one of its conversations. */
export interface Seat {
  readonly key: string;
  /** Whether a turn of the conversation was admitted and is not over. */
  isRunning: boolean;
  /** When the conversation became idle, as a number that only grows. The smallest has been idle longest. */
  idleSince: number;
  /** Whether the conversation's turn has lent its place to others, for example while it waits for a person. */
  isLent: boolean;
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
  /** Conversations that want their places back, in order. */
  readonly #returning = new Map<Seat, Deferred<void>>();
  #running = 0;
  #lent = 0;
  /** How many of the running turns wait for room for their CLI. */
  #unstarted = 0;
  #clock = 0;

  /** `onIdle` is called when a conversation has no running turn any more. */
  constructor(maxRunning: number, onIdle: () => void) {
    this.#maxRunning = maxRunning;
    this.#onIdle = onIdle;
  }

  get running(): number {
    return this.#running;
  }

  /** How many turns have lent their places. */
  get lent(): number {
    return this.#lent;
  }

  /** Lends the place of a turn that waits for a person to another turn. */
  lend(seat: Seat): void {
    if (!seat.isRunning || seat.isLent) return;
    seat.isLent = true;
    this.#lent += 1;
    this.#running -= 1;
    this.#admitNext();
  }

  /** Resolves when the conversation has its place again, before any turn that has not begun. */
  regain(seat: Seat): Promise<void> {
    if (!seat.isLent) return Promise.resolve();
    const known = this.#returning.get(seat);
    if (known) return known.promise;
    const back: Deferred<void> = createDeferred();
    this.#returning.set(seat, back);
    this.#admitNext();
    return back.promise;
  }

  /**
   * Waits for room for a CLI. Meanwhile, turns that want their places back need not wait for this turn, because it may itself
   * wait for their CLIs to be suspended.
   */
  async awaitRoom(seat: Seat, wait: (onWait: () => void) => Promise<void>): Promise<void> {
    await this.regain(seat);
    let isUnstarted = false;
    await wait(() => {
      isUnstarted = seat.isRunning;
      if (!isUnstarted) return;
      this.#unstarted += 1;
      this.#admitNext();
    });
    if (!isUnstarted) return;
    this.#unstarted -= 1;
    if (this.#running - this.#unstarted <= this.#maxRunning) return;
    this.lend(seat);
    await this.regain(seat);
  }

  createSeat(key: string): Seat {
    return { key, isRunning: false, isLent: false, idleSince: this.#tick() };
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
      // The turn never ran. Its caller waits for the admission, and sees that the turn is over.
      this.#entries.delete(turn);
      this.#queue.remove(seat.key, entry);
      entry.admit();
      return;
    }
    seat.isRunning = false;
    seat.idleSince = this.#tick();
    if (seat.isLent) this.#endLoan(seat);
    else this.#running -= 1;
    this.#onIdle();
    // This happens in a microtask, because the conversation may send its next turn first. That turn then takes part in the
    // choice, behind the keys that wait already.
    queueMicrotask(() => this.#admitNext());
  }

  #tick(): number {
    this.#clock += 1;
    return this.#clock;
  }

  #endLoan(seat: Seat): void {
    seat.isLent = false;
    this.#lent -= 1;
    this.#returning.get(seat)?.resolve();
    this.#returning.delete(seat);
  }

  #admitNext(): void {
    for (const seat of this.#returning.keys()) {
      if (this.#running - this.#unstarted >= this.#maxRunning) return;
      this.#running += 1;
      this.#endLoan(seat);
    }
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
