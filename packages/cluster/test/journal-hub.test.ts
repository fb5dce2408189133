// Who waits for changes: one `listen` for all, kept a little, tried again, and looked after by polls.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { JournalHub } from '../src/journal-hub.js';
import type { Journal, JournalChange } from '../src/journal/journal.js';

describe('JournalHub', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function start() {
    const seen = { listens: 0, ends: 0, failures: 0, troubles: [] as unknown[] };
    let tell: ((change: JournalChange) => void) | undefined;
    const journal = {
      listen: async (onChange: (change: JournalChange) => void): Promise<AsyncDisposable> => {
        if (seen.failures > 0) {
          seen.failures -= 1;
          throw new Error('away');
        }
        seen.listens += 1;
        tell = onChange;
        return {
          [Symbol.asyncDispose]: async () => {
            seen.ends += 1;
          },
        };
      },
    } as unknown as Journal;
    const hub = new JournalHub(
      async () => journal,
      (error) => seen.troubles.push(error),
    );
    const watch = (key: string, signal?: AbortSignal) => hub.watch((change) => change.key === key, signal);
    return { hub, seen, watch, tell: (change: JournalChange) => tell?.(change) };
  }

  /** Whether a promise is settled once everything that is due has run. */
  async function isSettled(promise: Promise<unknown>): Promise<boolean> {
    let settled = false;
    void promise.then(() => (settled = true));
    await vi.advanceTimersByTimeAsync(0);
    return settled;
  }

  it('listens once for all, tells those whom it concerns, and stops a little after the last', async () => {
    const { seen, watch, tell } = start();
    const [one, other] = [watch('a'), watch('b')];
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.listens).toBe(1);
    one.settle();
    other.settle();
    const [first, second] = [one.changed(), other.changed()];
    tell({ key: 'a', kind: 'events' });
    expect([await isSettled(first), await isSettled(second)]).toEqual([true, false]);
    // About everything: a connection was lost and found again.
    tell({ kind: 'events' });
    expect(await isSettled(second)).toBe(true);
    one.end();
    other.end();
    await vi.advanceTimersByTimeAsync(900);
    const third = watch('c');
    await vi.advanceTimersByTimeAsync(5000);
    expect(seen).toMatchObject({ listens: 1, ends: 0 });
    third.end();
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen).toMatchObject({ listens: 1, ends: 1, troubles: [] });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('wakes who began to wait before anybody listened, and loses no change between reading and waiting', async () => {
    const { watch, tell } = start();
    const early = watch('a');
    early.settle();
    expect(await isSettled(early.changed())).toBe(true);
    early.settle();
    tell({ key: 'a', kind: 'events' });
    expect(await isSettled(early.changed())).toBe(true);
    early.end();
  });

  it('has everybody look now and then, more seldom where there are many', async () => {
    const { hub, watch } = start();
    const one = watch('a');
    await vi.advanceTimersByTimeAsync(0);
    one.settle();
    const polled = one.changed();
    await vi.advanceTimersByTimeAsync(1999);
    expect(await isSettled(polled)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isSettled(polled)).toBe(true);
    for (let index = 0; index < 499; index += 1) watch(`k${index}`);
    one.settle();
    const later = one.changed();
    await vi.advanceTimersByTimeAsync(9999);
    expect(await isSettled(later)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isSettled(later)).toBe(true);
    await hub.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tries again to listen, and says so', async () => {
    const { seen, watch, tell } = start();
    seen.failures = 2;
    const one = watch('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toMatchObject({ listens: 0, troubles: [new Error('away')] });
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen.troubles).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(seen).toMatchObject({ listens: 1 });
    one.settle();
    const changed = one.changed();
    tell({ key: 'a', kind: 'inbox' });
    expect(await isSettled(changed)).toBe(true);
    one.end();
  });

  it('has everyone look after a retry that failed, too', async () => {
    const { seen, watch } = start();
    seen.failures = Infinity;
    const one = watch('a');
    await vi.advanceTimersByTimeAsync(0);
    one.settle();
    const changed = one.changed();
    await vi.advanceTimersByTimeAsync(999);
    expect(await isSettled(changed)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await isSettled(changed)).toBe(true);
    one.end();
  });

  it('knows no place while nothing is heard, also where it stopped before it could listen', async () => {
    const late = createDeferred<AsyncDisposable>();
    const journal = { listen: () => late.promise } as unknown as Journal;
    const hub = new JournalHub(
      async () => journal,
      () => {},
    );
    hub.watch(() => true).end();
    await vi.advanceTimersByTimeAsync(1000);
    late.resolve({ [Symbol.asyncDispose]: async () => {} });
    await vi.advanceTimersByTimeAsync(0);
    expect(hub.place).toBeUndefined();
    await hub.close();
  });

  it('ends though the journal never says whether it listens', async () => {
    const journal = { listen: () => new Promise(() => {}) } as unknown as Journal;
    const hub = new JournalHub(
      async () => journal,
      () => {},
    );
    hub.watch(() => true);
    await vi.advanceTimersByTimeAsync(0);
    const closing = hub.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await isSettled(closing)).toBe(true);
  });

  it('lets everybody go with the signal, and at its end', async () => {
    const { hub, seen, watch } = start();
    const controller = new AbortController();
    const [one, other] = [watch('a', controller.signal), watch('b')];
    await vi.advanceTimersByTimeAsync(0);
    one.settle();
    other.settle();
    const [first, second] = [one.changed(), other.changed()];
    controller.abort();
    expect([await isSettled(first), one.isOver, await isSettled(second)]).toEqual([true, true, false]);
    await hub.close();
    expect([await isSettled(second), other.isOver, seen.ends]).toEqual([true, true, 1]);
    expect(watch('c').isOver).toBe(true);
    expect(watch('d', AbortSignal.abort()).isOver).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
