// Limits how many CLIs of a session group are alive at the same time. Where there is no room for another, suspends the
// conversation that has been idle longest.
import { clock } from '../../util/system/clock.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import type { Conversation } from '../conversation/conversation.js';
import type { Seat } from './turn-limit.js';

export interface OpenLimitOptions {
  maxOpen: number;
  /** Milliseconds of silence after which background tasks no longer keep their CLI alive. */
  maxBackgroundMs: number;
  /** The conversations of the group that are not closed. */
  members: ReadonlyMap<Seat, Conversation>;
}

/** A conversation that waits for room for its CLI. */
interface Starter {
  seat: Seat;
  start: () => void;
}

/** One per group. */
export class OpenLimit {
  readonly #options: OpenLimitOptions;
  /** The conversations that wait, in order. */
  #starters: Starter[] = [];
  /** Looks for room again when background tasks may have been silent for long enough. */
  #nextLook: NodeJS.Timeout | undefined;
  #open = 0;
  #isSuspending = false;
  #isStopped = false;

  constructor(options: OpenLimitOptions) {
    this.#options = options;
  }

  /** How many CLIs are alive. */
  get open(): number {
    return this.#open;
  }

  /**
   * Resolves when one more CLI may live. Calls `onWait` if the conversation has to wait for that. The CLI counts until
   * `noteGone` is called for it.
   */
  awaitRoom(seat: Seat, onWait: () => void): Promise<void> {
    return new Promise((start) => {
      const starter = { seat, start };
      this.#starters.push(starter);
      this.makeRoom();
      if (this.#starters.includes(starter)) onWait();
    });
  }

  noteGone(): void {
    this.#open -= 1;
    this.makeRoom();
  }

  /** Admits waiting conversations as far as there is room. Call it whenever a conversation may have become idle. */
  makeRoom(): void {
    this.#dismissClosed();
    while (this.#starters.length > 0 && this.#open < this.#options.maxOpen)
      this.#admit(this.#starters.shift());
    if (this.#starters.length > 0 && !this.#isSuspending) void this.#suspendOne();
  }

  /** Stops the timer that looks for silent background tasks. */
  stop(): void {
    this.#isStopped = true;
    clock.clearTimeout(this.#nextLook);
  }

  /** Removes conversations that were closed while they waited, so that none is suspended for them. */
  #dismissClosed(): void {
    const isClosed = ({ seat }: Starter): boolean =>
      (this.#options.members.get(seat)?.cli.state ?? 'closed') === 'closed';
    const closed = this.#starters.filter(isClosed);
    if (closed.length === 0) return;
    this.#starters = this.#starters.filter((starter) => !closed.includes(starter));
    for (const starter of closed) this.#admit(starter);
  }

  #admit(starter: Starter | undefined): void {
    this.#open += 1;
    starter?.start();
  }

  /** Suspends one conversation. The end of its CLI makes the room. */
  async #suspendOne(): Promise<void> {
    const idle = this.#findIdle();
    if (!idle) {
      this.#lookAgain();
      return;
    }
    this.#isSuspending = true;
    try {
      // Turns that wait in this conversation start its CLI again when they are admitted.
      await idle.forceSuspend();
    } finally {
      this.#isSuspending = false;
    }
    this.makeRoom();
  }

  /** The conversation that has been idle longest. If none is idle, one whose background tasks were silent for too long. */
  #findIdle(): Conversation | undefined {
    const between = this.#listBetweenTurns();
    const [idle] = between
      .filter(([, conversation]) => conversation.isQuiet)
      .toSorted(([a], [b]) => a.idleSince - b.idleSince);
    const { maxBackgroundMs } = this.#options;
    const found = idle ?? between.find(([, { silentMs }]) => silentMs >= maxBackgroundMs);
    return found?.[1];
  }

  #listBetweenTurns(): [Seat, Conversation][] {
    return [...this.#options.members].filter(([seat, { cli }]) => !seat.isRunning && cli.state === 'ready');
  }

  /** Sets a timer for the time when the silent background tasks no longer count. */
  #lookAgain(): void {
    const { maxBackgroundMs } = this.#options;
    if (this.#nextLook !== undefined || this.#isStopped || maxBackgroundMs === Number.POSITIVE_INFINITY)
      return;
    const silences = this.#listBetweenTurns().map(([, { silentMs }]) => silentMs);
    if (silences.length === 0) return;
    const waitMs = Math.max(1, maxBackgroundMs - Math.max(...silences));
    const look = (): void => {
      this.#nextLook = undefined;
      this.makeRoom();
    };
    this.#nextLook = clock.setTimeout(look, Math.min(waitMs, LONGEST_TIMER_MS));
    this.#nextLook.unref();
  }
}
