// Listening to a journal: where it fails, it is tried again until it succeeds. A connection that breaks later is the journal's
// business: it connects again by itself, and then calls back without a key.
import { clock } from '@inboard/core/util/system/clock.js';
import { BackOff, type Pauses } from '@inboard/core/util/back-off.js';
import { waitAtMost } from '../../dispatch/end-work.js';
import type { Journal, JournalChange } from '../../journal/journal.js';

/** Milliseconds that `close` waits for a journal that does not answer. */
const CLOSE_MS = 5000;

/** What is listened to, and what is told. */
export interface JournalListenerInput {
  /** The journal, ready for use. */
  journal: () => Promise<Pick<Journal, 'listen'>>;
  /** Called with each change. Called with nothing after each retry: anything may have changed, and nothing was heard of it. */
  onChange: (change?: JournalChange) => void;
  /** Called when the journal cannot be listened to; not after `close`. Also called when `close` cannot end the listening. */
  onTrouble: (error: unknown) => void;
  retries: Pauses;
}

/** Listens once, from `open` to `close`. The caller who opens it closes it. */
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

  /** Whether changes are heard of. */
  get isListening(): boolean {
    return this.#listening !== undefined;
  }

  /** Resolves after the first try, also when it has failed. */
  async open(): Promise<void> {
    this.#trying = this.#try();
    await this.#trying;
  }

  /** Resolves when nothing listens any more, or when the journal has not answered for five seconds. */
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
      // Keeps no process alive: `open` has resolved, and nothing waits for the retry.
      this.#timer = clock.setTimeout(() => this.#retry(), this.#backOff.next()).unref();
    }
  }

  #retry(): void {
    // Also after a retry that failed: a journal that cannot be listened to may still be read.
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
