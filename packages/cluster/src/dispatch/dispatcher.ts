// The contract of a dispatcher. A dispatcher tells workers to look at a conversation, now or later. It may be late, repeat
// itself or be wrong: what is to be done is in the journal alone.

/** When a worker looks at a conversation. */
export interface WakeOptions {
  /** Milliseconds from now. Default 0. */
  afterMs?: number | undefined;
  /** An urgent wake goes before all others, even if a plain wake for the same key is already waiting. */
  urgent?: boolean | undefined;
}

/** Looks at a conversation. The signal aborts when the worker is closed. */
export type WakeHandler = (key: string, signal: AbortSignal) => Promise<void>;

/** How a worker takes wakes. */
export interface WorkSettings {
  /** How many handlers run at the same time. */
  concurrency: number;
  /**
   * Called with the error of a handler that rejected, and with problems of the dispatcher. Everything that failed is retried.
   * Default: a process warning.
   */
  onError?: ((error: unknown) => void) | undefined;
}

/** A worker's part of a dispatcher. */
export interface DispatcherWork extends AsyncDisposable {
  /** Takes no more wakes, without waiting for those in progress. */
  pause(): Promise<void>;
  /** Takes no more wakes and aborts the signal of the handlers. Resolves when all of them have ended. */
  close(): Promise<void>;
}

/** Wakes workers. */
export interface Dispatcher {
  /**
   * Resolves when the wake is accepted. Waiting wakes for the same key may become one wake, which comes about when the earliest
   * of them is due. A wake that arrives while a handler runs for its key leads to another run, here or in another worker.
   * Rejects within a bounded time if a server cannot be reached.
   */
  wake(key: string, options?: WakeOptions): Promise<void>;
  /**
   * Calls the handler for each wake. At most `concurrency` handlers run at a time, and in this worker never two for the same
   * key. If a handler rejects, its error is reported, and its key is woken again later. Resolves even if a server cannot be
   * reached. The trouble is reported, and wakes arrive when the server is back.
   */
  work(handler: WakeHandler, settings: WorkSettings): Promise<DispatcherWork>;
  /** Ends its connections, timers and work. Waits at most five seconds for handlers that ignore their signal. */
  close(): Promise<void>;
}
