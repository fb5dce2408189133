// The clock of a simulated world in the forms that Node has: globals, `node:timers/promises`, `Date` and `performance`.
import { BEGIN } from './begin.js';
import type { World, WorldEvent } from './world.js';

type Callback = (...given: unknown[]) => void;

/** A timer as Node gives it. */
class Timer {
  event: WorldEvent | undefined;
  readonly id: number;
  readonly #again: () => void;

  constructor(id: number, again: () => void) {
    this.id = id;
    this.#again = again;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    if (this.event) this.event.run = undefined;
    this.#again();
    return this;
  }

  close(): this {
    if (this.event) this.event.run = undefined;
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** The functions, for all hosts of a world: each belongs to the host that calls it. */
export function createTimers(world: World) {
  const known = new Map<number, Timer>();
  let ids = 0;
  const start = (what: string, callback: Callback, ms: unknown, given: unknown[], repeats = false): Timer => {
    const wait = Math.min(Math.max(1, Number(ms) || 0), 2 ** 31 - 1);
    const again = (): void => {
      timer.event = world.after(what === 'immediate' ? 0 : wait, `${what} ${wait}`, () => {
        if (repeats) again();
        else known.delete(timer.id);
        callback(...given);
      });
    };
    const timer: Timer = new Timer((ids += 1), again);
    known.set(timer.id, timer);
    again();
    return timer;
  };
  const clear = (timer: unknown): void => {
    const found = timer instanceof Timer ? timer : known.get(Number(timer));
    found?.close();
    if (found) known.delete(found.id);
  };
  const sleep = <T>(
    what: string,
    ms: number,
    value: T,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const refuse = (): void =>
        reject(
          Object.assign(new Error('The operation was aborted', { cause: signal?.reason }), {
            name: 'AbortError',
            code: 'ABORT_ERR',
          }),
        );
      if (signal?.aborted) return refuse();
      const timer = start(what, () => resolve(value), ms, []);
      signal?.addEventListener('abort', () => (clear(timer), refuse()), { once: true });
    });
  const date = (): number => BEGIN + Math.floor(world.now + (world.host?.skewMs ?? 0));
  const SimulatedDate = new Proxy(Date, {
    get: (target, key, receiver) => (key === 'now' ? date : (Reflect.get(target, key, receiver) as unknown)),
    construct: (target, given, self) =>
      Reflect.construct(target, given.length === 0 ? [date()] : given, self) as object,
  });
  const timeout = (ms: number): AbortSignal => {
    const controller = new AbortController();
    start(
      'timeout',
      () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
      ms,
      [],
    );
    return controller.signal;
  };
  const SimulatedSignal = new Proxy(AbortSignal, {
    get: (target, key) => (key === 'timeout' ? timeout : (Reflect.get(target, key, target) as unknown)),
  });
  const globals = {
    setTimeout: (callback: Callback, ms?: unknown, ...given: unknown[]) =>
      start('timer', callback, ms, given),
    clearTimeout: clear,
    setInterval: (callback: Callback, ms?: unknown, ...given: unknown[]) =>
      start('interval', callback, ms, given, true),
    clearInterval: clear,
    setImmediate: (callback: Callback, ...given: unknown[]) => start('immediate', callback, 0, given),
    clearImmediate: clear,
  };
  return {
    globals,
    Date: SimulatedDate,
    AbortSignal: SimulatedSignal,
    performance: {
      now: () => world.now,
      timeOrigin: BEGIN,
      mark: () => undefined,
      measure: () => undefined,
      eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }),
    },
    hrtime: Object.assign(() => [Math.floor(world.now / 1000), 0], {
      bigint: () => BigInt(Math.floor(world.now * 1e6)),
    }),
    promises: {
      setTimeout: <T>(ms: number, value: T, options?: object) => sleep('timer', ms, value, options),
      setImmediate: <T>(value: T, options?: object) => sleep('immediate', 0, value, options),
      scheduler: { wait: (ms: number, options?: object) => sleep('timer', ms, undefined, options) },
    },
  };
}
