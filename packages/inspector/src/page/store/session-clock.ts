// The one clock of the page: by it, every view counts the time of a session on from its last event. It ticks while a
// session runs or waits, and stands still without a connection.
import { effect, signal } from '@preact/signals';
import type { SessionSummary } from '../../model/session-summary.js';
import { isGoing, summaryAt } from '../../model/session-time.js';
import type { Scheduler } from './scheduler.js';

/** Often enough that the timeline moves without jumps. */
const TICK_MS = 250;
/** For readers who prefer reduced motion. The figures still have to be right. */
const CALM_TICK_MS = 1000;

/** The clock of a page. */
export class SessionClock {
  readonly #scheduler: Scheduler;
  /** The time of the page at the last tick. */
  readonly #tick = signal(0);
  /** The time of the page at which each session's time was zero. */
  readonly #zeros = new Map<string, number>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Takes a summary that has just come. It says what the session's time is at this moment. */
  take({ id, now }: Pick<SessionSummary, 'id' | 'now'>): void {
    const at = this.#scheduler.now();
    if (now === undefined) this.#zeros.delete(id);
    else this.#zeros.set(id, at - now);
    this.#tick.value = at;
  }

  /** The session's time by now, if its server says that it goes on. It is never before the last event, at `last`. */
  timeOf(session: string, last: number): number {
    const at = this.#tick.value;
    const zero = this.#zeros.get(session);
    return zero === undefined ? last : Math.max(last, at - zero);
  }

  /** A summary with its time as of now. */
  summaryNow(summary: SessionSummary): SessionSummary {
    return isGoing(summary) ? summaryAt(summary, this.timeOf(summary.id, summary.durationMs)) : summary;
  }

  /**
   * How long something has waited in a session. Both times are of the session's server, because the clock of the reader's machine
   * may be wrong.
   */
  waitOf(session: SessionSummary, askedAt: number): number | undefined {
    const { id, startedAt, durationMs } = session;
    const wait = this.timeOf(id, durationMs) - (askedAt - Date.parse(startedAt));
    return Number.isNaN(wait) ? undefined : Math.max(0, wait);
  }

  /** Ticks while `isOn` is true, until the returned function is called. `isOn` reads signals. */
  run(isOn: () => boolean): () => void {
    let cancel = (): void => {};
    const wait = (): void => {
      const ms = this.#scheduler.prefersCalm() ? CALM_TICK_MS : TICK_MS;
      cancel = this.#scheduler.after(ms, () => {
        this.#tick.value = this.#scheduler.now();
        wait();
      });
    };
    const end = effect(() => {
      cancel();
      if (isOn()) wait();
    });
    return () => {
      end();
      cancel();
    };
  }
}
