// Hears of changes in the journal for all conversations of a process, over one connection, and tells those concerned. A hint may
// be missed while the journal is away: whoever needs certainty also asks.
import { clock } from '@inboard/core/util/system/clock.js';
import type { Journal, JournalChange } from '../../journal/journal.js';

/** Told of a change; `kind` is undefined when anything may have changed. */
export type ChangeListener = (kind: JournalChange['kind'] | undefined) => void;

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5000;

/** Passes hints on. Whoever makes one closes it. */
export class ChangeHub {
  readonly #listeners = new Map<string, Set<ChangeListener>>();
  readonly #journal: Journal;
  readonly #onTrouble: (error: unknown) => void;
  #listening: AsyncDisposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(journal: Journal, onTrouble: (error: unknown) => void) {
    this.#journal = journal;
    this.#onTrouble = onTrouble;
  }

  /** Begins to listen; where that fails it is tried again later. */
  async open(delayMs = FIRST_RETRY_MS): Promise<void> {
    try {
      const listening = await this.#journal.listen((change) => this.tell(change));
      if (this.#isClosed) await listening[Symbol.asyncDispose]();
      else this.#listening = listening;
    } catch (error) {
      if (this.#isClosed) return;
      this.#onTrouble(error);
      this.#timer = clock.setTimeout(
        () => void this.open(Math.min(2 * delayMs, LONGEST_RETRY_MS)).then(() => this.tell()),
        delayMs,
      );
    }
  }

  /** Tells of changes of one conversation; the returned function ends that. */
  on(key: string, listener: ChangeListener): () => void {
    const known = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, known.add(listener));
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.#listeners.get(key) === known) this.#listeners.delete(key);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clock.clearTimeout(this.#timer);
    const listening = this.#listening;
    this.#listening = undefined;
    await listening?.[Symbol.asyncDispose]();
  }

  /** Tells of a change; without one, that anything may have changed. */
  tell({ key, kind }: Partial<JournalChange> = {}): void {
    if (key !== undefined) {
      for (const listener of this.#listeners.get(key) ?? []) listener(kind);
      return;
    }
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
  }
}
