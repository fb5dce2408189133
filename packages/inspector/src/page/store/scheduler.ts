// The interface by which the page schedules work. The browser's version is in `browser-scheduler.ts`; tests have their own.

export interface Scheduler {
  /** Milliseconds on a monotonic clock. */
  now(): number;
  /** Lets the page draw and handle input, then continues. */
  pause(): Promise<void>;
  /** Runs a function before the next frame. */
  onFrame(run: () => void): void;
  /** Runs a function later; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Whether the reader prefers reduced motion. */
  prefersCalm(): boolean;
}
