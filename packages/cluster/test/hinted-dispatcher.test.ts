// Does a worker learn of a message that another process has sent, when there is a journal and nothing else?
import { describe, expect, it } from 'vitest';
import type { Journal, JournalChange } from '../src/journal/journal.js';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import { hintedDispatcher } from '../src/hinted-dispatcher.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { describeDispatcher } from '@inboard/inboard/testing.js';
import { waitUntil } from '../../../test/support/wait-until.js';

describeDispatcher('what a journal tells', () => hintedDispatcher(memoryJournal()), {
  describe,
  it,
  isShared: false,
});

const start = { agent: 'a', data: null };

describe('a dispatcher that goes by the journal', () => {
  it('wakes for a message and for an answer of another process, and not for events', async () => {
    const journal = memoryJournal();
    const dispatcher = hintedDispatcher(journal);
    const woken: string[] = [];
    const second = createDeferred<void>();
    await using _work = await dispatcher.work(
      async (key) => {
        woken.push(key);
        if (woken.length === 2) second.resolve();
      },
      { concurrency: 1 },
    );
    await journal.enqueue({ key: 'k', id: '1', content: 'Hi', start });
    await journal.enqueue({ key: 'other', id: '1', content: 'Hi', start });
    await second.promise;
    expect(woken).toEqual(['k', 'other']);
    await dispatcher.close();
  });

  it('listens again when the journal was away, and no longer once it is closed', async () => {
    let calls = 0;
    const errors: unknown[] = [];
    const listening = createDeferred<void>();
    let isOpen = false;
    const journal = {
      due: async () => [],
      listen: () => {
        calls += 1;
        if (calls === 1) return Promise.reject(new Error('away'));
        isOpen = true;
        listening.resolve();
        return Promise.resolve({
          [Symbol.asyncDispose]: () => {
            isOpen = false;
            return Promise.resolve();
          },
        });
      },
    };
    const dispatcher = hintedDispatcher(journal);
    const work = await dispatcher.work(() => Promise.resolve(), {
      concurrency: 1,
      onError: (error) => errors.push(error),
    });
    expect(errors).toHaveLength(1);
    await listening.promise;
    await work.close();
    expect(isOpen).toBe(false);
    await dispatcher.close();
  });

  it('wakes for what came while nothing was heard: after a retry, and when the journal names no key', async () => {
    let tell: ((change: JournalChange) => void) | undefined;
    let calls = 0;
    let looks = 0;
    const journal: Pick<Journal, 'listen' | 'due'> = {
      due: async () => {
        looks += 1;
        return looks === 1 ? [{ key: 'early', recovered: false }] : [{ key: 'later', recovered: true }];
      },
      listen: async (onChange) => {
        calls += 1;
        if (calls === 1) throw new Error('away');
        tell = onChange;
        return { [Symbol.asyncDispose]: async () => {} };
      },
    };
    const dispatcher = hintedDispatcher(journal);
    const woken: string[] = [];
    await using _work = await dispatcher.work(async (key) => void woken.push(key), {
      concurrency: 1,
      onError: () => {},
    });
    await waitUntil(() => woken.length === 1);
    // The journal names each kind of change.
    for (const kind of ['inbox', 'answer', 'events'] as const) tell?.({ kind });
    await waitUntil(() => woken.length === 2);
    expect([woken, looks]).toEqual([['early', 'later'], 2]);
    await dispatcher.close();
  });

  it('tells of a journal that it cannot ask what is due', async () => {
    let tell: ((change: JournalChange) => void) | undefined;
    const errors: unknown[] = [];
    const dispatcher = hintedDispatcher({
      due: () => Promise.reject(new Error('away')),
      listen: async (onChange) => {
        tell = onChange;
        return { [Symbol.asyncDispose]: async () => {} };
      },
    });
    await using _work = await dispatcher.work(() => Promise.resolve(), {
      concurrency: 1,
      onError: (error) => errors.push(error),
    });
    tell?.({ kind: 'inbox' });
    await waitUntil(() => errors.length === 1);
    expect(errors).toEqual([new Error('away')]);
    await dispatcher.close();
  });

  it('tells of no failure after its end', async () => {
    const late = createDeferred<AsyncDisposable>();
    const errors: unknown[] = [];
    let calls = 0;
    const retried = createDeferred<void>();
    const dispatcher = hintedDispatcher({
      due: async () => [],
      listen: () => {
        calls += 1;
        if (calls === 1) return Promise.reject(new Error('away'));
        retried.resolve();
        return late.promise;
      },
    });
    const work = await dispatcher.work(() => Promise.resolve(), {
      concurrency: 1,
      onError: (error) => errors.push(error),
    });
    await retried.promise;
    const closing = work.close();
    late.reject(new Error('closed'));
    await closing;
    expect(errors).toEqual([new Error('away')]);
    await dispatcher.close();
  });

  it('takes no more wakes once it is paused, also while the journal does not answer', async () => {
    const late = createDeferred<AsyncDisposable>();
    const retried = createDeferred<void>();
    let calls = 0;
    const dispatcher = hintedDispatcher({
      due: async () => [],
      listen: () => {
        calls += 1;
        if (calls === 1) return Promise.reject(new Error('away'));
        retried.resolve();
        return late.promise;
      },
    });
    const woken: string[] = [];
    const work = await dispatcher.work(async (key) => void woken.push(key), {
      concurrency: 1,
      onError: () => {},
    });
    await retried.promise;
    const pausing = work.pause();
    await dispatcher.wake('k');
    await new Promise((resolve) => setImmediate(resolve));
    expect(woken).toEqual([]);
    late.resolve({ [Symbol.asyncDispose]: async () => {} });
    await pausing;
    await work.close();
    await dispatcher.close();
  });

  it('warns of a failure where the worker does not listen to errors', async () => {
    const warned = createDeferred<string>();
    const note = ({ message }: Error): void => {
      if (message.includes('no way there')) warned.resolve(message);
    };
    process.on('warning', note);
    const dispatcher = hintedDispatcher({
      due: async () => [],
      listen: () => Promise.reject(new Error('no way there')),
    });
    const work = await dispatcher.work(() => Promise.resolve(), { concurrency: 1 });
    expect(await warned.promise).toContain('"listen"');
    process.off('warning', note);
    await work.close();
    await dispatcher.close();
  });

  it('takes a change after its end for nothing', async () => {
    const journal = memoryJournal();
    const dispatcher = hintedDispatcher(journal);
    await using _work = await dispatcher.work(() => Promise.resolve(), { concurrency: 1 });
    await dispatcher.close();
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      await journal.enqueue({ key: 'k', id: '1', content: 'Hi', start });
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });
});
