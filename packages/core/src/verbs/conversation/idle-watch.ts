// Measures how long nothing has happened in a conversation, and calls a function once that is long enough.
import { clock } from '../../util/system/clock.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';

/** One per conversation. Activity does not move the timer: when it fires, it checks how long nothing has happened. */
export class IdleWatch {
  readonly #afterMs: number | undefined;
  readonly #onIdle: () => boolean;
  #lastActivity = clock.performance.now();
  #timer: NodeJS.Timeout | undefined;

  /**
   * `onIdle` is called when nothing has happened for `afterMs`, and again after the same time if it returns false. It is
   * never called without `afterMs`.
   */
  constructor(afterMs: number | undefined, onIdle: () => boolean) {
    this.#afterMs = afterMs;
    this.#onIdle = onIdle;
  }

  /** Milliseconds since something happened. */
  get silentMs(): number {
    return clock.performance.now() - this.#lastActivity;
  }

  /** Notes that something happened. */
  touch(): void {
    this.#lastActivity = clock.performance.now();
  }

  /** Watches until `onIdle` returns true. May be called again. */
  start(): void {
    const afterMs = this.#afterMs;
    if (afterMs !== undefined) this.#arm(Math.max(1, afterMs - this.silentMs), afterMs);
  }

  stop(): void {
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(waitMs: number, afterMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = clock.setTimeout(() => this.#look(afterMs), Math.min(waitMs, LONGEST_TIMER_MS));
    this.#timer.unref();
  }

  #look(afterMs: number): void {
    this.#timer = undefined;
    if (this.silentMs < afterMs - 1) this.start();
    // The conversation has been silent for long enough, yet is busy. Without a full new wait the timer would fire at once.
    else if (!this.#onIdle()) this.#arm(afterMs, afterMs);
  }
}
