// Keeps wakes that are due later. Each key has one, the earliest. They go by the monotonic clock, so that a change of the
// system clock neither loses nor hastens one.
import { clock } from '@inboard/core/util/system/clock.js';
import { LONGEST_TIMER_MS } from '@inboard/core/util/timers.js';

interface DelayedWake {
  dueAt: number;
  isUrgent: boolean;
  timer: NodeJS.Timeout;
}

/** Delayed wakes by key, each with its timer. */
export class DelayedWakes {
  readonly #onDue: (key: string, isUrgent: boolean) => void;
  readonly #wakes = new Map<string, DelayedWake>();
  #keepsProcess = false;

  constructor(onDue: (key: string, isUrgent: boolean) => void) {
    this.#onDue = onDue;
  }

  /** Keeps a wake for later. If the key already has one, the two are joined. */
  add(key: string, afterMs: number, isUrgent: boolean): void {
    const dueAt = clock.performance.now() + afterMs;
    const known = this.#wakes.get(key);
    if (known !== undefined) {
      known.isUrgent ||= isUrgent;
      if (known.dueAt <= dueAt) return;
      clock.clearTimeout(known.timer);
    }
    this.#wakes.set(key, {
      dueAt,
      isUrgent: isUrgent || known?.isUrgent === true,
      timer: this.#startTimer(key, afterMs),
    });
  }

  /** Forgets the wake of a key. Returns true if it was urgent. */
  remove(key: string): boolean {
    const known = this.#wakes.get(key);
    if (known === undefined) return false;
    clock.clearTimeout(known.timer);
    this.#wakes.delete(key);
    return known.isUrgent;
  }

  /** Sets whether the timers keep the process alive. They should do so only while there is a worker to wake. */
  keepProcess(keeps: boolean): void {
    if (this.#keepsProcess === keeps) return;
    this.#keepsProcess = keeps;
    for (const { timer } of this.#wakes.values()) {
      if (keeps) timer.ref();
      else timer.unref();
    }
  }

  /** Forgets all wakes. */
  clear(): void {
    for (const { timer } of this.#wakes.values()) clock.clearTimeout(timer);
    this.#wakes.clear();
  }

  #startTimer(key: string, afterMs: number): NodeJS.Timeout {
    const timer = clock.setTimeout(() => this.#ring(key), Math.min(Math.ceil(afterMs), LONGEST_TIMER_MS));
    if (!this.#keepsProcess) timer.unref();
    return timer;
  }

  #ring(key: string): void {
    const wake = this.#wakes.get(key);
    if (wake === undefined) return;
    const restMs = wake.dueAt - clock.performance.now();
    // The timer may have ended too soon: no timer lasts longer than some weeks, and a timer may fire a little early.
    if (restMs > 1) wake.timer = this.#startTimer(key, restMs);
    else {
      this.#wakes.delete(key);
      this.#onDue(key, wake.isUrgent);
    }
  }
}
