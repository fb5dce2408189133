// Does a worker learn of a message that another process has sent, when there is a journal and nothing else?
import { describe, expect, it } from 'vitest';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import { hintedDispatcher } from '../src/hinted-dispatcher.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { describeDispatcher } from '@inboard/inboard/testing.js';

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
