// How long nothing has happened in a session, and a call when that has been long enough.
import { LONGEST_TIMER_MS } from '../../util/timers.js';

export interface IdleWatchOptions {
  /** Undefined never calls. */
  afterMs: number | undefined;
  /** Called when nothing has happened for that long; false to be asked again after the same time. */
  onIdle(): boolean;
}

/** One per session. One timer, which is not moved by activity but looks, when it fires, how long nothing has happened. */
export class IdleWatch {
  readonly #options: IdleWatchOptions;
  #lastActivity = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
  }

  /** Milliseconds since something happened. */
  get silentMs(): number {
    return performance.now() - this.#lastActivity;
  }

  /** Something happened. */
  touch(): void {
    this.#lastActivity = performance.now();
  }

  /** Begins to watch, until `onIdle` agrees; may be called again. */
  start(): void {
    const { afterMs } = this.#options;
    if (afterMs !== undefined) this.#arm(Math.max(1, afterMs - this.silentMs), afterMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(waitMs: number, afterMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#look(afterMs), Math.min(waitMs, LONGEST_TIMER_MS));
    this.#timer.unref();
  }

  #look(afterMs: number): void {
    this.#timer = undefined;
    if (this.silentMs < afterMs - 1) this.start();
    // Silent for long and busy all the same: what is left of the time is none, and would be asked for without end.
    else if (!this.#options.onIdle()) this.#arm(afterMs, afterMs);
  }
}
