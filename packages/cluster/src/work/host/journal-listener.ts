// Listens to a journal, and tries again until it succeeds. If the connection breaks later, the journal reconnects by itself and
// then calls back without a key.
import { clock } from '@inboard/core/util/system/clock.js';
import { BackOff, type Pauses } from '@inboard/core/util/back-off.js';
import { waitAtMost } from '../../dispatch/end-work.js';
import type { Journal, JournalChange } from '../../journal/journal.js';

/** Milliseconds that `close` waits for a journal that does not answer. */
const CLOSE_MS = 5000;

/** The journal to listen to, and the functions to call. */
export interface JournalListenerInput {
  /** The journal, ready for use. */
  journal: () => Promise<Pick<Journal, 'listen'>>;
  /** Called with each change. After each retry, called without a change, because anything may have changed unheard. */
  onChange: (change?: JournalChange) => void;
  /** Called if the listening cannot begin, or cannot be ended. */
  onTrouble: (error: unknown) => void;
  retries: Pauses;
}

/** Listens from `open` to `close`. The caller that opens it closes it. */
export class JournalListener {
  readonly #input: JournalListenerInput;
  readonly #backOff: BackOff;
  #trying: Promise<void> = Promise.resolve();
  #listening: AsyncDisposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(input: JournalListenerInput) {
    this.#input = input;
    this.#backOff = new BackOff(input.retries);
  }

  /** Whether changes are being heard. */
  get isListening(): boolean {
    return this.#listening !== undefined;
  }

  /** Resolves after the first try, even if it failed. */
  async open(): Promise<void> {
    this.#trying = this.#try();
    await this.#trying;
  }

  /** Resolves when the listening has ended, or after five seconds if the journal does not answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clock.clearTimeout(this.#timer);
    const listening = this.#listening;
    this.#listening = undefined;
    await waitAtMost(listening ? this.#end(listening) : this.#trying, CLOSE_MS);
  }

  async #try(): Promise<void> {
    try {
      const journal = await this.#input.journal();
      const listening = await journal.listen((change) => this.#tell(change));
      if (this.#isClosed) await this.#end(listening);
      else this.#listening = listening;
    } catch (error) {
      if (this.#isClosed) return;
      this.#input.onTrouble(error);
      // The timer does not keep the process alive: `open` has resolved, and nothing waits for the retry.
      this.#timer = clock.setTimeout(() => this.#retry(), this.#backOff.next()).unref();
    }
  }

  #retry(): void {
    // A change is told even after a failed retry, because a journal that cannot be listened to may still be readable.
    this.#trying = this.#try().then(() => this.#tell());
  }

  #tell(change?: JournalChange): void {
    if (!this.#isClosed) this.#input.onChange(change);
  }

  async #end(listening: AsyncDisposable): Promise<void> {
    try {
      await listening[Symbol.asyncDispose]();
    } catch (error) {
      this.#input.onTrouble(error);
    }
  }
}
