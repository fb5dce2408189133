// One direction of a chaotic transport. Lines keep their order, but may arrive late, twice or not at all. Random
// numbers decide what happens. They are the same for the same seed.

/** What may happen to a line, each with its probability from 0 to 1. */
export interface ChaosRates {
  /** The line is late, and so are all lines after it. Default 0.3. */
  readonly delay?: number | undefined;
  /** The line never arrives. Default 0. */
  readonly drop?: number | undefined;
  /** The line arrives twice. Default 0. */
  readonly duplicate?: number | undefined;
  /** The CLI exits before the line arrives. Default 0. */
  readonly exit?: number | undefined;
}

/** One thing that was done to a line. */
export interface ChaosFault {
  readonly fault: keyof ChaosRates | 'stall';
  readonly delayMs?: number;
}

export interface LaneParts {
  readonly seed: readonly number[];
  readonly rates: Required<ChaosRates>;
  readonly maxDelayMs: number;
  readonly timers: ChaosTimers;
  readonly onFault: (fault: ChaosFault, line: string) => void;
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

  /** Sends a line through and calls `deliver` each time it arrives. Returns true if the CLI must exit instead. */
  pass(line: string, deliver: (line: string) => void): boolean {
    // Each line uses the same number of random numbers, so that changing one rate does not affect the other faults.
    const [exit = 1, drop = 1, duplicate = 1, delay = 1, amount = 0] = Array.from({ length: 5 }, () =>
      this.#random(),
    );
    const { rates, maxDelayMs, onFault } = this.#parts;
    if (this.#isCalm) {
      this.#push(() => deliver(line), 0);
      return false;
    }
    if (exit < rates.exit) {
      onFault({ fault: 'exit' }, line);
      return true;
    }
    if (drop < rates.drop) {
      onFault({ fault: 'drop' }, line);
      return false;
    }
    const delayMs = delay < rates.delay ? Math.ceil(amount * maxDelayMs) : 0;
    if (delayMs > 0) onFault({ fault: 'delay', delayMs }, line);
    this.#push(() => deliver(line), delayMs);
    if (duplicate < rates.duplicate) {
      onFault({ fault: 'duplicate' }, line);
      this.#push(() => deliver(line), 0);
    }
    return false;
  }

  /** Calls a function when all lines before it have arrived. */
  after(run: () => void): void {
    this.#push(run, 0);
  }

  /** Stops all faults: delayed lines arrive now. */
  calm(): void {
    this.#isCalm = true;
    this.#isWaiting = false;
    for (const { run } of this.#queue.splice(0)) run();
  }

  /** Drops the delayed lines. */
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
        this.#parts.timers.start(() => {
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

/** Timers that can be stopped all at once. A test may replace them by its own. */
export class ChaosTimers {
  readonly #schedule: ((run: () => void, delayMs: number) => void) | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(schedule: ((run: () => void, delayMs: number) => void) | undefined) {
    this.#schedule = schedule;
  }

  start(run: () => void, delayMs: number): void {
    if (this.#schedule) {
      this.#schedule(run, delayMs);
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, delayMs);
    this.#timers.add(timer);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

/**
 * Creates a source of random numbers from 0 to 1 (exclusive). They are the same for the same seed, which may have
 * several parts.
 */
export function createRandom(...seed: readonly number[]): () => number {
  let state = seed.reduce((mixed, part) => Math.imul(mixed ^ (part | 0), 0x9e37_79b1) + 0x7f4a_7c15, 1) | 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
