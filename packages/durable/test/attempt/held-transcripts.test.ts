// Which transcripts of a conversation count as stored, and which are read again.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeferred } from '@inboard/core/util/deferred.js';
import type { SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import { HeldTranscripts } from '../../src/attempt/held-transcripts.js';

const KEY = { projectKey: 'p', sessionId: 's' };
const entry = (uuid: string): SessionStoreEntry => ({ type: 'user', uuid });

function open() {
  const appending = createDeferred<void>();
  const load = vi.fn(async () => [entry('a')]);
  const store = { append: vi.fn(() => appending.promise), load };
  const transcripts = new HeldTranscripts({ store, hold: async (call) => await call() });
  return { transcripts, store, appending };
}

describe('what a CLI has reported', () => {
  it.each(['stored', 'refused'])(
    'is waited for until it is %s, with what comes in the same moment',
    async (how) => {
      const { transcripts, store, appending } = open();
      let isStored = false;
      const stored = transcripts.whenStored().then(() => (isStored = true));
      const append = transcripts.append(KEY, [entry('a')]);
      append.catch(() => {});
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      expect([isStored, store.append.mock.calls.length]).toEqual([false, 1]);
      if (how === 'stored') appending.resolve();
      else appending.reject(new Error('full'));
      expect(await stored).toBe(true);
    },
  );
});

describe('an entry', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const isSaved = async (transcripts: HeldTranscripts, uuid: string): Promise<boolean> => {
    const timers = vi.getTimerCount();
    const waiting = transcripts.whenSaved(uuid, 1000);
    const isKnown = vi.getTimerCount() === timers;
    await vi.advanceTimersByTimeAsync(1000);
    await waiting;
    return isKnown;
  };

  it('is known to be saved, as are the 256 newest', async () => {
    const { transcripts, appending } = open();
    appending.resolve();
    const uuids = Array.from({ length: 257 }, (_, index) => `u${index}`);
    expect(await isSaved(transcripts, 'u1')).toBe(false);
    await transcripts.append(KEY, uuids.map(entry));
    expect([await isSaved(transcripts, 'u0'), await isSaved(transcripts, 'u1')]).toEqual([false, true]);
  });

  it('lets those go on at once that wait for it', async () => {
    const { transcripts, appending } = open();
    appending.resolve();
    const waiting = transcripts.whenSaved('a', 1000);
    await transcripts.append(KEY, [entry('a')]);
    await waiting;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a transcript', () => {
  it('is read once until something is added, and again if reading failed', async () => {
    const { transcripts, store, appending } = open();
    appending.resolve();
    store.load.mockRejectedValueOnce(new Error('away'));
    await expect(transcripts.load(KEY)).rejects.toThrow('away');
    await transcripts.load(KEY);
    expect(await transcripts.load(KEY)).toEqual([entry('a')]);
    expect(store.load).toHaveBeenCalledTimes(2);
    await transcripts.append(KEY, [entry('b')]);
    await transcripts.load(KEY);
    expect(store.load).toHaveBeenCalledTimes(3);
    transcripts.forgetLoaded();
    await transcripts.load(KEY);
    expect(store.load).toHaveBeenCalledTimes(4);
  });
});
