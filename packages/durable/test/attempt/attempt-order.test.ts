// Attempts of one process at one conversation: the newest wins, in whatever order they hear that they have taken it.
import { expect, it } from 'vitest';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { attemptTurn } from '../../src/attempt/attempt-turn.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { createMemoryLedger } from '../../src/ledger/memory-ledger.js';

it('does not end a newer attempt for an older one that hears later that it has taken the conversation', async () => {
  const inner = createMemoryLedger();
  const told = createDeferred<void>();
  let takes = 0;
  const ledger: Ledger = {
    ...inner,
    take: async (key, options) => {
      takes += 1;
      const isFirst = takes === 1;
      const taken = await inner.take(key, options);
      if (isFirst) await told.promise;
      return taken;
    },
  };
  const asked = createDeferred<void>();
  const answered = createDeferred<void>();
  const attempt = { ledger, conversation: 'chat', turn: { id: '1', content: 'Hello' } };
  const older = attemptTurn({ ...attempt, agent: () => Promise.reject(new Error('must not be asked')) });
  const newer = attemptTurn({
    ...attempt,
    agent: async () => {
      asked.resolve();
      await answered.promise;
      throw new Error('far enough');
    },
  });
  newer.catch(() => {});
  await asked.promise;
  told.resolve();
  expect(await older).toEqual({ state: 'lost' });
  answered.resolve();
  await expect(newer).rejects.toThrow('far enough');
});
