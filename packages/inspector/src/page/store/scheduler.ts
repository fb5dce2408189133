// When the page does what. The browser's is in `browser-scheduler.ts`; tests bring their own.

export interface Scheduler {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Lets the page draw and react to its reader, then goes on. */
  pause(): Promise<void>;
  /** Runs something before the next drawing. */
  onFrame(run: () => void): void;
  /** Runs something later; returns what takes that back. */
  after(ms: number, run: () => void): () => void;
}
