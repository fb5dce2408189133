// Passes the journal's hints on to the conversations of a process. All of them share one `listen`. Hints may be missed while
// the journal is away, so a part that needs certainty also asks the journal.
import type { Journal, JournalChange } from '../../journal/journal.js';
import { JournalListener } from './journal-listener.js';

/** Called with the kind of a change. `kind` is undefined if anything may have changed. */
export type ChangeListener = (kind: JournalChange['kind'] | undefined) => void;

const RETRIES = { firstMs: 100, longestMs: 5000 };

/** Passes hints on. The caller that makes this object closes it. */
export class ChangeHub {
  readonly #listeners = new Map<string, Set<ChangeListener>>();
  readonly #journal: JournalListener;

  constructor(journal: Journal, onTrouble: (error: unknown) => void) {
    this.#journal = new JournalListener({
      journal: async () => journal,
      onChange: (change) => this.tell(change),
      onTrouble,
      retries: RETRIES,
    });
  }

  /** Begins to listen. If that fails, it is tried again later. */
  open(): Promise<void> {
    return this.#journal.open();
  }

  /** Tells a listener of the changes of one conversation. The returned function ends that. */
  on(key: string, listener: ChangeListener): () => void {
    const known = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, known.add(listener));
    return () => {
      known.delete(listener);
      if (known.size === 0 && this.#listeners.get(key) === known) this.#listeners.delete(key);
    };
  }

  close(): Promise<void> {
    return this.#journal.close();
  }

  /** Tells of a change. Without an argument, anything may have changed. */
  tell({ key, kind }: Partial<JournalChange> = {}): void {
    if (key !== undefined) {
      for (const listener of this.#listeners.get(key) ?? []) listener(kind);
      return;
    }
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
  }
}
