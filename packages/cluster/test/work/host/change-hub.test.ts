// What the conversations of a worker are told of changes in the journal, also when it cannot be listened to at once.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Journal, JournalChange } from '../../../src/journal/journal.js';
import { ChangeHub } from '../../../src/work/host/change-hub.js';
import { createDeferred } from '@inboard/core/util/deferred.js';

describe('ChangeHub', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function start(listen: (onChange: (change: JournalChange) => void) => Promise<AsyncDisposable>) {
    const troubles: unknown[] = [];
    const told: unknown[] = [];
    const hub = new ChangeHub({ listen } as unknown as Journal, (error) => troubles.push(error));
    hub.on('chat', (kind) => told.push(kind));
    return { hub, troubles, told };
  }

  const listening = { [Symbol.asyncDispose]: async () => {} };

  it('has everyone look after each retry, since nothing was heard until then', async () => {
    let failures = 2;
    const { hub, troubles, told } = start(async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('away');
      return listening;
    });
    await hub.open();
    expect([told.length, troubles.length]).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(100);
    expect([told.length, troubles.length]).toEqual([1, 2]);
    await vi.advanceTimersByTimeAsync(200);
    expect([told, troubles.length]).toEqual([[undefined, undefined], 2]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toHaveLength(2);
    await hub.close();
  });

  it('keeps no process alive for a retry, which nothing waits for', async () => {
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    const { hub } = start(() => Promise.reject(new Error('away')));
    await hub.open();
    const timers = setTimer.mock.results.map(({ value }) => value as NodeJS.Timeout);
    expect(timers.map((timer) => timer.hasRef())).toEqual([false]);
    await hub.close();
    expect(vi.getTimerCount()).toBe(0);
    setTimer.mockRestore();
  });

  it('has ended once it is closed, also where it only begins to listen', async () => {
    const late = createDeferred<AsyncDisposable>();
    let isListening = true;
    const { hub } = start(() => late.promise);
    void hub.open();
    const closing = hub.close().then(() => isListening);
    late.resolve({
      [Symbol.asyncDispose]: async () => {
        await Promise.resolve();
        isListening = false;
      },
    });
    expect(await closing).toBe(false);
  });

  it('tells that listening could not be ended, and its end succeeds', async () => {
    const { hub, troubles } = start(async () => ({
      [Symbol.asyncDispose]: () => Promise.reject(new Error('stuck')),
    }));
    await hub.open();
    await hub.close();
    expect(troubles).toEqual([new Error('stuck')]);
  });
});
