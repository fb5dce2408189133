// What the memory dispatcher does beyond the contract: order, fairness, times by a clock of its own, back-off, and what it
// does to a process that would like to end.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryDispatcher } from '../../src/dispatch/memory-dispatcher.js';

const AGES_MS = 3_600_000;
const DAYS_MS = 86_400_000;

describe('memoryDispatcher', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives waiting keys in the order in which they came, urgent ones first', async () => {
    const dispatcher = memoryDispatcher();
    const seen: string[] = [];
    for (const key of ['a', 'b', 'c']) await dispatcher.wake(key);
    await dispatcher.wake('u', { urgent: true });
    await dispatcher.wake('b', { urgent: true });
    await dispatcher.wake('u');
    await dispatcher.work(async (key) => void seen.push(key), { concurrency: 1 });
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual(['u', 'b', 'a', 'c']);
  });

  it('gives waiting keys to workers in turn', async () => {
    const dispatcher = memoryDispatcher();
    const seen: string[] = [];
    for (const name of ['first', 'second']) {
      await dispatcher.work(async (key) => void seen.push(`${name} ${key}`), { concurrency: 4 });
    }
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => dispatcher.wake(key)));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.toSorted()).toEqual(['first a', 'first c', 'second b', 'second d']);
  });

  it('gives a key to another worker while the handler of the first hangs', async () => {
    const dispatcher = memoryDispatcher();
    const seen: string[] = [];
    const hang = async (key: string): Promise<void> => {
      seen.push(`hangs with ${key}`);
      await new Promise(() => {});
    };
    await dispatcher.work(hang, { concurrency: 4 });
    await dispatcher.wake('a');
    await vi.advanceTimersByTimeAsync(0);
    await dispatcher.work(async (key) => void seen.push(`looks at ${key}`), { concurrency: 1 });
    await dispatcher.wake('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toEqual(['hangs with a', 'looks at a']);
  });

  it('joins later wakes of a key at the earliest of their times', async () => {
    const dispatcher = memoryDispatcher();
    const seen: string[] = [];
    await dispatcher.work(async (key) => void seen.push(key), { concurrency: 1 });
    for (const afterMs of [3_000, 1_000, 2_000]) await dispatcher.wake('a', { afterMs });
    await vi.advanceTimersByTimeAsync(999);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(seen).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(AGES_MS);
    expect(seen).toEqual(['a']);
  });

  it('waits longer than a timer can be set to', async () => {
    const dispatcher = memoryDispatcher();
    const seen: string[] = [];
    await dispatcher.work(async (key) => void seen.push(key), { concurrency: 1 });
    await dispatcher.wake('a', { afterMs: 30 * DAYS_MS });
    await dispatcher.wake('b', { afterMs: Number.POSITIVE_INFINITY });
    await vi.advanceTimersByTimeAsync(29 * DAYS_MS);
    expect(seen).toEqual([]);
    await vi.advanceTimersByTimeAsync(DAYS_MS + 10);
    expect(seen).toEqual(['a']);
    await dispatcher.close();
  });

  it('waits longer after each failure of a key, up to half a minute, and begins anew after a success', async () => {
    const dispatcher = memoryDispatcher();
    const times: number[] = [];
    let fails = true;
    const handler = async (): Promise<void> => {
      times.push(performance.now());
      if (fails) throw new Error('again');
    };
    const errors: unknown[] = [];
    await dispatcher.work(handler, { concurrency: 1, onError: (error) => errors.push(error) });
    await dispatcher.wake('a');
    await vi.advanceTimersByTimeAsync(100_000);
    const waits = times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)));
    expect(waits.slice(0, 8)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    expect(errors.length).toBe(times.length);
    fails = false;
    await vi.advanceTimersByTimeAsync(30_000);
    times.length = 0;
    fails = true;
    await dispatcher.wake('a');
    await vi.advanceTimersByTimeAsync(300);
    expect(times.length).toBe(2);
    await dispatcher.close();
  });

  it('warns where nobody listens to errors, and where the listener fails', async () => {
    const warned: string[] = [];
    const emitWarning = vi
      .spyOn(process, 'emitWarning')
      .mockImplementation((warning) => void warned.push(String(warning)));
    const dispatcher = memoryDispatcher();
    const fail = async (): Promise<void> => {
      throw new Error('the handler failed');
    };
    const throwing = (): void => {
      throw new Error('the listener failed');
    };
    const quiet = await dispatcher.work(fail, { concurrency: 1 });
    await dispatcher.wake('a');
    await vi.advanceTimersByTimeAsync(0);
    await quiet.close();
    await dispatcher.work(fail, { concurrency: 1, onError: throwing });
    await vi.advanceTimersByTimeAsync(250);
    emitWarning.mockRestore();
    expect(warned).toEqual([
      expect.stringContaining('the handler failed') as string,
      expect.stringContaining('the listener failed') as string,
    ]);
    await dispatcher.close();
  });

  it('ends five seconds after it was told to, also where a handler does not heed its signal', async () => {
    const dispatcher = memoryDispatcher();
    await dispatcher.work(() => new Promise(() => {}), { concurrency: 1 });
    await dispatcher.wake('a');
    await vi.advanceTimersByTimeAsync(0);
    let isClosed = false;
    void dispatcher.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isClosed).toBe(true);
  });

  it('names what is wrong with what it is given', async () => {
    const dispatcher = memoryDispatcher();
    await expect(dispatcher.wake('')).rejects.toMatchObject({ code: 'INVALID_OPTIONS', options: ['key'] });
    await expect(dispatcher.wake('a', { afterMs: Number.NaN })).rejects.toMatchObject({
      options: ['afterMs'],
    });
    await expect(dispatcher.work(async () => {}, { concurrency: 0 })).rejects.toMatchObject({
      options: ['concurrency'],
    });
    await dispatcher.close();
    await expect(dispatcher.wake('a')).rejects.toMatchObject({ code: 'CLUSTER_CLOSED' });
  });
});
