// Ends a child in steps: end of input, SIGTERM, SIGKILL, and finally giving up on it. Each step has a time limit. The
// steps stop as soon as the child is gone. If the host itself dies, the guardian ends the child.
import { LONGEST_TIMER_MS } from '../../../util/timers.js';
import type { EndSignal } from './child.js';

/** The child that is being ended. */
export interface TerminationTarget {
  endInput(): void;
  signal(name: EndSignal): void;
  /** Called when the child has survived SIGKILL, to stop waiting for it. */
  giveUp(): void;
}

/** How long each step may take, in milliseconds. */
export interface TerminationTimes {
  graceMs?: number | undefined;
  killMs?: number | undefined;
}

const DEFAULT_GRACE_MS = 2000;
const DEFAULT_KILL_MS = 5000;
// How long to wait after SIGKILL. A process that survives it hangs in the kernel, or runs behind a custom spawner.
const GIVE_UP_MS = 5000;

/** The most milliseconds that ending a child with these times takes. */
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
  // The timer keeps the host alive on purpose. If the host exited before the last step, the child could stay.
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

  /** Called when the child is gone, so that no further step follows. */
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
      // If the host was blocked or asleep, its timers run before it learns that the child is gone.
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
    // A timer may fire a fraction of a millisecond early. It also fires early if the step is due after the longest time
    // that a timer can wait. In both cases it is set again.
    const delay = Math.min(Math.max(1, Math.ceil(due - now)), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#advance(), delay);
  }
}
