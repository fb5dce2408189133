// Those who want to hear of open questions: nobody in most programs, so that a table of them is made with the first.

/** Hears of the questions of one table. */
export interface QuestionWatcher<Open> {
  asked(id: string, question: Open): void;
  /** `answer` is what the CLI got; undefined where it wants none any more. */
  settled(id: string, how: { answer: unknown; by: string | undefined }): void;
}

/** Adds a watcher to a set that may not exist yet; the returned function takes it away. */
export class QuestionWatchers<Open> {
  #watchers: Set<QuestionWatcher<Open>> | undefined;
  /** Questions that were told and not yet told to be over. */
  #told: Set<string> | undefined;

  /** Whether anybody listens. */
  get isEmpty(): boolean {
    return this.#watchers === undefined;
  }

  add(watcher: QuestionWatcher<Open>, waiting: readonly (readonly [string, Open])[]): () => void {
    this.#watchers ??= new Set();
    const told = (this.#told ??= new Set());
    this.#watchers.add(watcher);
    for (const [id, question] of waiting) {
      told.add(id);
      watcher.asked(id, question);
    }
    return () => {
      this.#watchers?.delete(watcher);
      if (this.#watchers?.size !== 0) return;
      this.#watchers = undefined;
      this.#told = undefined;
    };
  }

  asked(id: string, question: Open): void {
    if (!this.#watchers) return;
    this.#told?.add(id);
    for (const watcher of this.#watchers) watcher.asked(id, question);
  }

  /** Told at most once for each question. */
  settled(id: string, answer: unknown, by?: string): void {
    if (!this.#watchers || !this.#told?.delete(id)) return;
    for (const watcher of this.#watchers) watcher.settled(id, { answer, by });
  }
}
