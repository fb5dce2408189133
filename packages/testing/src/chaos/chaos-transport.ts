// Wraps a transport so that random faults affect its lines. A seed decides which lines get which faults.
import type {
  Transport,
  TransportFactory,
  TransportReceiver,
} from '@inboard/core/wire/transport/transport.js';
import {
  ChaosLane,
  ChaosTimers,
  createRandom,
  type ChaosFault,
  type ChaosRates,
  type LaneParts,
} from './chaos-lane.js';

/** What goes wrong, and how often. */
export interface ChaosOptions extends ChaosRates {
  /** Decides all faults. With the same seed, the same lines get the same faults. Only `stall` depends on time as well. */
  readonly seed: number;
  /** The probability that the pipe is full after a line. Then `write` returns false, and `drained()` waits. Default 0.1. */
  readonly stall?: number | undefined;
  /** The longest delay of a line, and the time that a full pipe stays full. Default 20 ms. */
  readonly maxDelayMs?: number | undefined;
  /** Which lines are affected: those to the CLI (`out`), those from it (`in`), or both. Default both. */
  readonly direction?: 'in' | 'out' | 'both' | undefined;
  /** Replaces `setTimeout`, for tests with a clock of their own. */
  readonly schedule?: ((run: () => void, delayMs: number) => void) | undefined;
}

/** A fault that happened, and the line it happened to. */
export interface ChaosEvent extends ChaosFault {
  /** The number of the transport, if a factory creates several. It counts from 0. */
  readonly session: number;
  readonly direction: 'in' | 'out';
  readonly line: string;
}

/** The faults so far, in order. */
export interface ChaosLog {
  readonly log: readonly ChaosEvent[];
}

/**
 * Wraps a transport, or every transport of a factory, so that random faults affect its lines. Lines are never reordered,
 * because no pipe does that.
 */
export function chaosTransport(transport: Transport, options: ChaosOptions): Transport & ChaosLog;
export function chaosTransport(factory: TransportFactory, options: ChaosOptions): TransportFactory & ChaosLog;
export function chaosTransport(
  target: Transport | TransportFactory,
  options: ChaosOptions,
): (Transport | TransportFactory) & ChaosLog {
  const log: ChaosEvent[] = [];
  if (typeof target !== 'function') return new ChaosTransport(target, { options, log, session: 0 });
  let sessions = 0;
  const create: TransportFactory = async (request) => {
    const session = sessions;
    sessions += 1;
    return new ChaosTransport(await target(request), { options, log, session });
  };
  const { claudeCodeVersion } = target;
  return Object.assign(create, { log, ...(claudeCodeVersion !== undefined && { claudeCodeVersion }) });
}

const DEFAULT_DELAY_MS = 20;

interface ChaosContext {
  readonly options: ChaosOptions;
  readonly log: ChaosEvent[];
  readonly session: number;
}

class ChaosTransport implements Transport, ChaosLog {
  declare readonly claudeCodeVersion?: string;
  readonly log: ChaosEvent[];
  readonly #target: Transport;
  readonly #timers: ChaosTimers;
  readonly #in: ChaosLane;
  readonly #out: ChaosLane;
  readonly #stall: { readonly rate: number; readonly delayMs: number };
  readonly #random: () => number;
  readonly #record: LaneParts['onFault'];
  readonly #waiters: Array<() => void> = [];
  #isStalled = false;
  #hasCrashed = false;
  #isOver = false;

  constructor(target: Transport, context: ChaosContext) {
    const { options, log, session } = context;
    if (target.claudeCodeVersion !== undefined) this.claudeCodeVersion = target.claudeCodeVersion;
    this.log = log;
    this.#target = target;
    this.#timers = new ChaosTimers(options.schedule);
    this.#in = createLane('in', context, this.#timers);
    this.#out = createLane('out', context, this.#timers);
    this.#random = createRandom(options.seed, session, 2);
    const rate = options.direction === 'in' ? 0 : (options.stall ?? 0.1);
    this.#stall = { rate, delayMs: options.maxDelayMs ?? DEFAULT_DELAY_MS };
    this.#record = createRecord('out', context);
  }

  get pid(): number | undefined {
    return this.#target.pid;
  }

  open(receiver: TransportReceiver): void {
    this.#target.open({
      line: (text) => {
        if (!this.#hasCrashed && this.#in.pass(text, (line) => receiver.line(line))) this.#crash();
      },
      fault: (error) => this.#in.after(() => receiver.fault(error)),
      closed: (end) => {
        this.#isOver = true;
        this.#out.clear();
        this.#release();
        this.#in.after(() => {
          this.#timers.stop();
          // A random exit is reported as a crash, because the host did not ask for it.
          receiver.closed(this.#hasCrashed ? { ...end, exitCode: null, signal: 'SIGKILL' } : end);
        });
      },
    });
  }

  write(line: string): boolean {
    if (this.#isOver) return true;
    let hasRoom = true;
    const isExit = this.#out.pass(line, (passed) => {
      hasRoom = this.#target.write(passed);
    });
    if (isExit) this.#crash();
    const { rate, delayMs } = this.#stall;
    if (!this.#isStalled && !this.#hasCrashed && this.#random() < rate) {
      this.#record({ fault: 'stall', delayMs }, line);
      this.#isStalled = true;
      this.#timers.start(() => this.#release(), delayMs);
    }
    return hasRoom && !this.#isStalled;
  }

  guarded(): Promise<void> | undefined {
    return this.#target.guarded?.();
  }

  async drained(): Promise<void> {
    if (this.#isStalled && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
      });
    }
    await this.#target.drained();
  }

  endInput(): void {
    this.#out.after(() => this.#target.endInput());
  }

  terminate(options?: Parameters<Transport['terminate']>[0]): Promise<void> {
    // An end that the host asked for is not delayed.
    this.#timers.stop();
    this.#out.calm();
    this.#in.calm();
    this.#release();
    return this.#target.terminate(options);
  }

  #release(): void {
    this.#isStalled = false;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  #crash(): void {
    if (this.#hasCrashed || this.#isOver) return;
    this.#hasCrashed = true;
    this.#in.clear();
    this.#out.clear();
    // This is done in a microtask, because nothing may be delivered while `write` runs.
    queueMicrotask(() => void this.#target.terminate({ graceMs: 0, killMs: 0 }));
  }
}

function createLane(direction: 'in' | 'out', context: ChaosContext, timers: ChaosTimers): ChaosLane {
  const { options, session } = context;
  const { direction: affected = 'both', maxDelayMs = DEFAULT_DELAY_MS } = options;
  const given = affected === 'both' || affected === direction ? options : { delay: 0 };
  const { delay = 0.3, drop = 0, duplicate = 0, exit = 0 }: ChaosRates = given;
  return new ChaosLane({
    seed: [options.seed, session, direction === 'in' ? 0 : 1],
    rates: { delay, drop, duplicate, exit },
    maxDelayMs,
    timers,
    onFault: createRecord(direction, context),
  });
}

function createRecord(direction: 'in' | 'out', { log, session }: ChaosContext): LaneParts['onFault'] {
  return (fault, line) => void log.push({ session, direction, ...fault, line });
}
