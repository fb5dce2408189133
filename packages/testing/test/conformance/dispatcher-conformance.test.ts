// The dispatcher suite on the one we ship for one process and on one of one's own, and on dispatchers that break its rules.
import { describe, expect, it } from 'vitest';
import { memoryDispatcher, type Dispatcher } from '@inboard/inboard/cluster.js';
import { describeDispatcher, dispatcherCases } from '@inboard/inboard/testing.js';

describeDispatcher('memoryDispatcher', () => memoryDispatcher(), { describe, it, isShared: false });

/** Runs all cases for one process on a dispatcher, and gives the names of those that fail. */
async function listFailures(create: () => Dispatcher, names: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of dispatcherCases()) {
    if (!names.includes(name)) continue;
    await run(create).catch(() => failed.push(name));
  }
  return failed;
}

/** The memory dispatcher, with something about it changed. */
function changed(change: (real: Dispatcher) => Partial<Dispatcher>): () => Dispatcher {
  return () => {
    const real = memoryDispatcher();
    return {
      wake: (key, options) => real.wake(key, options),
      work: (handler, settings) => real.work(handler, settings),
      close: () => real.close(),
      ...change(real),
    };
  };
}

describe('dispatcherCases', () => {
  it.each([
    [
      'forgets what is urgent',
      changed((real) => ({ wake: (key, options) => real.wake(key, { ...options, urgent: false }) })),
      'delivers urgent wakes before waiting ones',
    ],
    [
      'forgets times',
      changed((real) => ({ wake: (key, { urgent } = {}) => real.wake(key, { urgent }) })),
      'holds a wake back until it is due',
    ],
    [
      'runs more than it may',
      changed((real) => ({ work: (handler, options) => real.work(handler, { ...options, concurrency: 9 }) })),
      'runs as many handlers at a time as allowed, and no more',
    ],
    [
      'starts a handler for each wake at once',
      changed((real) => {
        const handlers: Parameters<Dispatcher['work']>[0][] = [];
        return {
          wake: async (key) => void handlers[0]?.(key, new AbortController().signal),
          work: (handler, options) => {
            handlers.push(handler);
            return real.work(handler, options);
          },
        };
      }),
      'never runs the same key twice at a time in a worker, however often it is woken',
    ],
    [
      'aborts when it pauses',
      changed((real) => ({
        work: async (handler, options) => {
          const made = await real.work(handler, options);
          return {
            close: () => made.close(),
            pause: () => made.close(),
            [Symbol.asyncDispose]: () => made.close(),
          };
        },
      })),
      'takes no new work while it is paused, and lets running handlers finish',
    ],
    [
      'does not wait when it closes',
      changed((real) => ({
        work: async (handler, options) => {
          const made = await real.work(handler, options);
          const close = async (): Promise<void> => void made.close();
          return { close, pause: () => made.pause(), [Symbol.asyncDispose]: close };
        },
      })),
      'aborts handlers when it is closed, and waits for them',
    ],
    [
      'goes on after its end',
      changed(() => ({ close: async () => {} })),
      'closes with all its workers, and refuses to be used afterwards',
    ],
    [
      'keeps errors to itself',
      changed((real) => ({
        work: (handler, { concurrency }) => real.work(handler, { concurrency, onError: () => {} }),
      })),
      'does the same for a handler that throws',
    ],
  ])('find one that %s', async (_fault, create, name) => {
    expect(await listFailures(create, [name])).toEqual([name]);
  });

  it('take no offence at one on a machine so busy that a wake is due before wake() returns', async () => {
    const begun = new Map<string, () => void>();
    let late = 0;
    const create = changed((real) => ({
      wake: async (key, options) => {
        const isDue = new Promise<void>((resolve) => begun.set(key, resolve));
        await real.wake(key, options);
        if (!options?.afterMs || options.afterMs > 1000 || late > 0) return;
        late += 1;
        await isDue;
      },
      work: (handler, options) =>
        real.work((key, signal) => {
          begun.get(key)?.();
          return handler(key, signal);
        }, options),
    }));
    expect(await listFailures(create, ['holds a wake back until it is due'])).toEqual([]);
    expect(late).toBe(1);
  });
});

/** A dispatcher as a user would write it on their own scheduler; this one is an array and timers. */
function ownDispatcher(): Dispatcher {
  const waiting: string[] = [];
  const stops = new Set<() => Promise<void>>();
  let tell: (() => void)[] = [];
  let isClosed = false;
  const put = (key: string, urgent: boolean): void => {
    if (urgent && waiting.includes(key)) waiting.splice(waiting.indexOf(key), 1);
    if (!waiting.includes(key)) waiting[urgent ? 'unshift' : 'push'](key);
    for (const look of tell.splice(0)) look();
  };
  return {
    async wake(key, { afterMs = 0, urgent = false } = {}) {
      if (isClosed || typeof key !== 'string' || key === '' || Number.isNaN(afterMs))
        throw new Error('refused');
      if (afterMs > 0) setTimeout(() => put(key, urgent), Math.min(afterMs, 2 ** 31 - 1)).unref();
      else put(key, urgent);
    },
    async work(handler, { concurrency, onError }) {
      if (isClosed || typeof handler !== 'function' || !(concurrency >= 1) || concurrency % 1)
        throw new Error('refused');
      const ending = new AbortController();
      const running = new Map<string, Promise<void>>();
      let isPaused = false;
      const run = async (key: string): Promise<void> => {
        try {
          await handler(key, ending.signal);
        } catch (error) {
          onError?.(error);
          setTimeout(() => put(key, false), 250);
        }
        running.delete(key);
        look();
      };
      const look = (): void => {
        if (isPaused) return;
        const index = waiting.findIndex((key) => !running.has(key));
        if (running.size >= concurrency || index === -1) return void tell.push(look);
        const [key = ''] = waiting.splice(index, 1);
        running.set(
          key,
          Promise.resolve().then(() => run(key)),
        );
        look();
      };
      look();
      const pause = async (): Promise<void> => {
        isPaused = true;
        tell = tell.filter((each) => each !== look);
      };
      const close = async (): Promise<void> => {
        await pause();
        ending.abort();
        await Promise.all(running.values());
      };
      stops.add(close);
      return { pause, close, [Symbol.asyncDispose]: close };
    },
    async close() {
      isClosed = true;
      await Promise.all([...stops].map((stop) => stop()));
    },
  };
}

describeDispatcher('a dispatcher of one’s own', () => ownDispatcher(), { describe, it, isShared: false });
