// Keeps the watchers of open questions. Most programs have none, so the set is made with the first watcher.

/** Is told of the questions of one table. */
export interface QuestionWatcher<Open> {
  asked(id: string, question: Open): void;
  /** Called when a question is over. `answer` is what the CLI got, or undefined if it got no answer. */
  settled(id: string, how: { answer: unknown; by: string | undefined }): void;
}

/** The watchers of one table of questions. */
export class QuestionWatchers<Open> {
  #watchers: Set<QuestionWatcher<Open>> | undefined;
  /** The ids of the questions that the watchers know as open. */
  #told: Set<string> | undefined;

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

  /** Tells the watchers that a question is over, at most once. */
  settled(id: string, answer: unknown, by?: string): void {
    if (!this.#watchers || !this.#told?.delete(id)) return;
    for (const watcher of this.#watchers) watcher.settled(id, { answer, by });
  }
}
