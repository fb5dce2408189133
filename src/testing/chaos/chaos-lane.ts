// One direction of a chaotic transport: what goes in comes out in order, later, twice, or not at all.
import { createRandom } from './seeded-random.js';

/** What may happen to a line, each with its chance from 0 to 1. */
export interface ChaosRates {
  /** It is late, and everything behind it with it. Default 0.3. */
  readonly delay?: number;
  /** It never arrives. Default 0. */
  readonly drop?: number;
  /** It arrives twice. Default 0. */
  readonly duplicate?: number;
  /** The other side is gone before it arrives. Default 0. */
  readonly exit?: number;
}

/** One thing that was done to a line. */
export interface ChaosFault {
  readonly fault: keyof ChaosRates | 'stall';
  readonly delayMs?: number;
}

/** What a lane is made of. */
export interface LaneParts {
  readonly seed: readonly number[];
  readonly rates: Required<ChaosRates>;
  readonly maxDelayMs: number;
  readonly schedule: (run: () => void, delayMs: number) => void;
  readonly onFault: (fault: ChaosFault, line: string) => void;
  readonly onExit: () => void;
}

export class ChaosLane {
  readonly #parts: LaneParts;
  readonly #random: () => number;
  readonly #queue: Array<{ run: () => void; delayMs: number }> = [];
  #isWaiting = false;
  #isCalm = false;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    this.#random = createRandom(...parts.seed);
  }

  /** Sends a line down the lane. */
  pass(line: string, deliver: (line: string) => void): void {
    // Always the same number of draws, so that one rate does not change what the others do.
    const [exit = 1, drop = 1, duplicate = 1, delay = 1, amount = 0] = Array.from({ length: 5 }, () =>
      this.#random(),
    );
    const { rates, maxDelayMs, onFault, onExit } = this.#parts;
    if (this.#isCalm) {
      this.#push(() => deliver(line), 0);
      return;
    }
    if (exit < rates.exit) {
      onFault({ fault: 'exit' }, line);
      onExit();
      return;
    }
    if (drop < rates.drop) {
      onFault({ fault: 'drop' }, line);
      return;
    }
    const delayMs = delay < rates.delay ? Math.ceil(amount * maxDelayMs) : 0;
    if (delayMs > 0) onFault({ fault: 'delay', delayMs }, line);
    this.#push(() => deliver(line), delayMs);
    if (duplicate < rates.duplicate) {
      onFault({ fault: 'duplicate' }, line);
      this.#push(() => deliver(line), 0);
    }
  }

  /** Does something when everything before it has arrived. */
  after(run: () => void): void {
    this.#push(run, 0);
  }

  /** No more faults: what waits arrives now. */
  calm(): void {
    this.#isCalm = true;
    this.#isWaiting = false;
    for (const { run } of this.#queue.splice(0)) run();
  }

  /** What waits never arrives. */
  clear(): void {
    this.#queue.length = 0;
  }

  #push(run: () => void, delayMs: number): void {
    this.#queue.push({ run, delayMs });
    this.#advance();
  }

  #advance(): void {
    while (!this.#isWaiting) {
      const [next] = this.#queue;
      if (!next) return;
      if (next.delayMs > 0 && !this.#isCalm) {
        const { delayMs } = next;
        this.#isWaiting = true;
        next.delayMs = 0;
        this.#parts.schedule(() => {
          this.#isWaiting = false;
          this.#advance();
        }, delayMs);
        return;
      }
      this.#queue.shift();
      next.run();
    }
  }
}
