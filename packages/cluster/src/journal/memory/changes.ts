// Tells listeners that something may have changed. It does so after the method has returned, so that no listener runs inside a
// method of the journal.
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import type { JournalChange } from '../journal.js';

/** The listeners of a journal. */
export class Changes {
  readonly #listeners = new Set<(change: JournalChange) => void>();
  #waiting: JournalChange[] = [];

  listen(onChange: (change: JournalChange) => void): AsyncDisposable {
    // Each call gets its own function, so that the same listener can be added twice.
    const listener = (change: JournalChange): void => onChange(change);
    this.#listeners.add(listener);
    return {
      [Symbol.asyncDispose]: async () => {
        this.#listeners.delete(listener);
      },
    };
  }

  tell(key: string, ...kinds: readonly JournalChange['kind'][]): void {
    if (this.#listeners.size === 0) return;
    if (this.#waiting.length === 0) queueMicrotask(() => this.#tellNow());
    for (const kind of kinds) {
      if (this.#waiting.some((change) => change.key === key && change.kind === kind)) continue;
      this.#waiting.push({ key, kind });
    }
  }

  /** Stops telling changes. */
  close(): void {
    this.#listeners.clear();
  }

  #tellNow(): void {
    const changes = this.#waiting;
    this.#waiting = [];
    for (const change of changes) {
      for (const listener of this.#listeners) {
        callListener(
          () => listener({ ...change }),
          (cause) => warnOfCallback('journal.listen', cause),
        );
      }
    }
  }
}
