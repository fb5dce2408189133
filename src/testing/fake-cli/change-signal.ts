// Waits for a state of things that several events can bring about, without polling.

/** Looks again whenever it is rung. */
export class ChangeSignal {
  readonly #waiters = new Set<() => void>();

  /** Something has changed. */
  notify(): void {
    for (const look of this.#waiters) look();
  }

  /** Resolves with the first value other than undefined that `look` gives, and rejects with what it throws. */
  until<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const again = (): void => {
        try {
          const value = look();
          if (value === undefined) return;
          this.#waiters.delete(again);
          resolve(value);
        } catch (error) {
          this.#waiters.delete(again);
          reject(error);
        }
      };
      this.#waiters.add(again);
      again();
    });
  }
}
