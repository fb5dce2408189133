// The contract of a dispatcher: it says that somebody should look at a conversation, now or later. It may be late, say it
// twice, or be wrong; what is to be done is in the journal alone.

/** When a conversation is looked at. */
export interface WakeOptions {
  /** Milliseconds from now. Default 0. */
  afterMs?: number | undefined;
  /** Before all that are not urgent, also where a wake of the same key waits already. */
  urgent?: boolean | undefined;
}

/** Looks at a conversation. The signal aborts when the worker is closed. */
export type WakeHandler = (key: string, signal: AbortSignal) => Promise<void>;

/** How a worker takes wakes. */
export interface WorkSettings {
  /** Handlers at a time. */
  concurrency: number;
  /** What a handler rejected with, and what hinders the dispatcher; all of it is tried again. Without it, a process warning. */
  onError?: ((error: unknown) => void) | undefined;
}

/** A worker's part of a dispatcher. */
export interface DispatcherWork extends AsyncDisposable {
  /** Takes no more wakes, without waiting for those under way. */
  pause(): Promise<void>;
  /** The same, and resolves when all handlers have ended; their signal is aborted. */
  close(): Promise<void>;
}

/** Wakes workers. */
export interface Dispatcher {
  /**
   * Resolved means accepted. Wakes of one key that wait are one wake, no later than any of them asked for; one that comes
   * while a handler runs for the key leads to another run, here or in another worker. Rejects in bounded time when a server is away.
   */
  wake(key: string, options?: WakeOptions): Promise<void>;
  /**
   * Calls the handler for each wake, for at most `concurrency` at a time and, in this worker, never for one key twice at
   * a time. A handler that rejects is reported, and its key woken again later. Resolves also where a server is away: that is reported, and wakes come when it is back.
   */
  work(handler: WakeHandler, settings: WorkSettings): Promise<DispatcherWork>;
  /** Ends what it holds: connections, timers, work. Waits five seconds at most for handlers that do not heed their signal. */
  close(): Promise<void>;
}
