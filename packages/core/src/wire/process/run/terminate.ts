// Ends a child in steps: end of input, SIGTERM, SIGKILL, and finally giving up on it. Each step has its time, and the
// steps stop as soon as the child is gone. When the host itself dies, the guardian does this, with times of its own.
import { LONGEST_TIMER_MS } from '../../../util/timers.js';
import type { EndSignal } from './child.js';

/** The child that is being ended. */
export interface TerminationTarget {
  endInput(): void;
  signal(name: EndSignal): void;
  /** The child survived SIGKILL: stop waiting for it. */
  giveUp(): void;
}

/** How long each step may take, in milliseconds. */
export interface TerminationTimes {
  graceMs?: number | undefined;
  killMs?: number | undefined;
}

const DEFAULT_GRACE_MS = 2000;
const DEFAULT_KILL_MS = 5000;
// A process that does not react to SIGKILL hangs in the kernel, or runs behind a custom spawner.
const GIVE_UP_MS = 5000;

/** The most milliseconds that an ending with these times takes. */
export function endsWithin({
  graceMs = DEFAULT_GRACE_MS,
  killMs = DEFAULT_KILL_MS,
}: TerminationTimes): number {
  return graceMs + killMs + GIVE_UP_MS;
}

/** The ending of one child. Another request can only make it shorter. */
export class Termination {
  readonly #target: TerminationTarget;
  #stage: 'idle' | 'grace' | 'term' | 'kill' | 'over' = 'idle';
  #hasSignalled = false;
  #termAt = Number.POSITIVE_INFINITY;
  #killAt = Number.POSITIVE_INFINITY;
  #giveUpAt = Number.POSITIVE_INFINITY;
  // The timer keeps the host alive on purpose. If the escalation ended with the host, the child would stay.
  #timer: NodeJS.Timeout | undefined;

  constructor(target: TerminationTarget) {
    this.#target = target;
  }

  /** Whether a signal was sent. */
  get hasSignalled(): boolean {
    return this.#hasSignalled;
  }

  /** Starts the ending, or shortens it. */
  request(times: TerminationTimes = {}): void {
    if (this.#stage === 'over') return;
    const { graceMs = DEFAULT_GRACE_MS, killMs = DEFAULT_KILL_MS } = times;
    const now = performance.now();
    if (this.#stage === 'idle') {
      this.#stage = 'grace';
      this.#target.endInput();
    }
    this.#termAt = Math.min(this.#termAt, now + graceMs);
    this.#killAt = Math.min(this.#killAt, Math.max(now, this.#termAt) + killMs);
    this.#advance();
  }

  /** The child is gone, so no further step is due. */
  finish(): void {
    this.#stage = 'over';
    clearTimeout(this.#timer);
  }

  #advance(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    if (this.#stage === 'grace' && now >= this.#termAt) {
      this.#stage = 'term';
      this.#hasSignalled = true;
      this.#target.signal('SIGTERM');
    }
    if (this.#stage === 'term' && now >= this.#killAt) {
      this.#stage = 'kill';
      this.#giveUpAt = now + GIVE_UP_MS;
      this.#target.signal('SIGKILL');
    }
    if (this.#stage === 'kill' && now >= this.#giveUpAt) {
      // In a host that was blocked or asleep, timers run before the host learns that the child is gone.
      setImmediate(() => this.#giveUp());
      return;
    }
    this.#arm(now);
  }

  #giveUp(): void {
    if (this.#stage === 'over') return;
    this.#stage = 'over';
    this.#target.giveUp();
  }

  #arm(now: number): void {
    if (this.#stage === 'idle' || this.#stage === 'over') return;
    const due = { grace: this.#termAt, term: this.#killAt, kill: this.#giveUpAt }[this.#stage];
    // A timer may fire a fraction of a millisecond early, or at its limit long before the step is due. Then it is set
    // again.
    const delay = Math.min(Math.max(1, Math.ceil(due - now)), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#advance(), delay);
  }
}
