// The lines of the host that have not been read yet. Reading begins when the script waits for the first time, so that
// its first steps may come before any line. Lines are read in rounds of the event loop, so that script and host take
// turns. For a script that answers by hand, they are read as they come.
import { callSoon } from '../own-timers.js';
import type { RunState } from '../run-state.js';

/** Stands in the inbox for the end of the input. */
export const END_OF_INPUT = Symbol('end of input');

type InboxItem = string | typeof END_OF_INPUT;

export class HostInbox {
  readonly #state: RunState;
  readonly #items: InboxItem[] = [];
  #read: ((item: InboxItem) => void) | undefined;
  #isOpen = false;
  #isReadDue = false;

  constructor(state: RunState) {
    this.#state = state;
  }

  /** Sets the function that reads the lines. This must be done before the inbox is opened. */
  deliverTo(read: (item: InboxItem) => void): void {
    this.#read = read;
  }

  add(item: InboxItem): void {
    this.#items.push(item);
    this.#scheduleRead();
  }

  /** Begins to read lines. */
  open(): void {
    this.#isOpen = true;
    this.#scheduleRead();
  }

  /** Waits until `look` returns a value. Fails if the run ends or the turn is interrupted. */
  waitFor<T>(look: () => T | undefined): Promise<T> {
    this.open();
    return this.#state.until(() => {
      this.#state.assertPlaying();
      return look();
    });
  }

  /** Lets the host act for one round of the event loop. */
  async pause(): Promise<void> {
    this.open();
    if (!this.#state.settings.isByHand) await new Promise<void>((resolve) => callSoon(resolve));
    this.#state.assertPlaying();
  }

  #scheduleRead(): void {
    if (this.#isReadDue || !this.#isOpen || this.#items.length === 0) return;
    this.#isReadDue = true;
    if (this.#state.settings.isByHand) this.#readAll();
    else callSoon(() => this.#readAll());
  }

  #readAll(): void {
    this.#isReadDue = false;
    for (const item of this.#items.splice(0)) this.#read?.(item);
    this.#state.notify();
  }
}
