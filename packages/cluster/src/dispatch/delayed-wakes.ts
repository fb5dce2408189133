// Wakes that are due later, one for each key: the earliest counts. By the monotonic clock, so that a clock that is set
// neither loses nor hastens one.
import { clock } from '@inboard/core/util/system/clock.js';
import { LONGEST_TIMER_MS } from '@inboard/core/util/timers.js';

interface DelayedWake {
  dueAt: number;
  isUrgent: boolean;
  timer: NodeJS.Timeout;
}

/** Keys with a timer each. */
export class DelayedWakes {
  readonly #onDue: (key: string, isUrgent: boolean) => void;
  readonly #wakes = new Map<string, DelayedWake>();
  #keepsProcess = false;

  constructor(onDue: (key: string, isUrgent: boolean) => void) {
    this.#onDue = onDue;
  }

  /** Keeps a wake for later, joined with the one of this key that is kept already. */
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

  /** Forgets the wake of a key; true when it was urgent. */
  remove(key: string): boolean {
    const known = this.#wakes.get(key);
    if (known === undefined) return false;
    clock.clearTimeout(known.timer);
    this.#wakes.delete(key);
    return known.isUrgent;
  }

  /** Whether the process must live until they are due: only while there is a worker to be woken. */
  keepProcess(keeps: boolean): void {
    if (this.#keepsProcess === keeps) return;
    this.#keepsProcess = keeps;
    for (const { timer } of this.#wakes.values()) {
      if (keeps) timer.ref();
      else timer.unref();
    }
  }

  /** Forgets all. */
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
    // The longest timer is some weeks, and timers may ring a little early.
    if (restMs > 1) wake.timer = this.#startTimer(key, restMs);
    else {
      this.#wakes.delete(key);
      this.#onDue(key, wake.isUrgent);
    }
  }
}
