// Leases that are lost, by a fake monotonic clock: they are given back once the journal answers, and say why they were lost.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LeaseAnswer } from '../../../src/journal/journal.js';
import type { ConversationRecord, TurnRecord } from '../../../src/journal/records.js';
import { describeCutOff } from '../../../src/work/host/lost-leases.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { createKeeper, held, LEASE_MS } from './kept-leases.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a lease that is lost', () => {
  it('is given back once the journal answers again, unless somebody else has it', async () => {
    const { keeper, take, journal, onReleased } = createKeeper(() => Promise.reject(new Error('away')));
    const { lease, lost } = await take('a');
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    expect(lost).toHaveBeenCalledExactlyOnceWith('unreachable');
    const left = { turn: 't', turnCostUsd: 0, cutOff: true };
    journal.release.mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('away'));
    keeper.giveBack(lease, left);
    await vi.advanceTimersByTimeAsync(1000);
    expect(journal.release.mock.calls).toEqual(Array.from({ length: 3 }, () => [lease.fence, left]));
    expect(onReleased).toHaveBeenCalledExactlyOnceWith(lease.fence, left);
    const other = await take('b');
    other.lease.lose('taken');
    keeper.giveBack(other.lease);
    await vi.advanceTimersByTimeAsync(1000);
    expect(journal.release).toHaveBeenCalledTimes(3);
  });

  it('is not given back twice, nor again after a refusal, and no longer once the keeper is closed', async () => {
    const { keeper, take, journal, onReleased } = createKeeper(async (fences) => held(fences));
    const { lease } = await take('a');
    lease.lose('late');
    journal.release.mockRejectedValueOnce(Object.assign(new Error('no'), { code: 'CLUSTER_CLOSED' }));
    keeper.giveBack(lease);
    await vi.advanceTimersByTimeAsync(5000);
    expect(journal.release).toHaveBeenCalledOnce();
    journal.release.mockRejectedValue(new Error('away'));
    keeper.giveBack(lease);
    await vi.advanceTimersByTimeAsync(10);
    await keeper.close();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(journal.release).toHaveBeenCalledTimes(2);
    expect(onReleased).not.toHaveBeenCalled();
  });

  it('does not keep the keeper open for long when the journal never answers', async () => {
    const { keeper, take, journal } = createKeeper(async (fences) => held(fences));
    const { lease } = await take('a');
    lease.lose('late');
    journal.release.mockReturnValue(new Promise(() => {}));
    keeper.giveBack(lease);
    await vi.advanceTimersByTimeAsync(10);
    const closed = vi.fn();
    void keeper.close().then(closed);
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    expect(closed).toHaveBeenCalledOnce();
  });

  it('is given back as well where it is granted after the wait for it has ended', async () => {
    const { keeper, journal, onReleased } = createKeeper(async (fences) => held(fences));
    const answer = createDeferred<LeaseAnswer>();
    journal.lease.mockReturnValueOnce(answer.promise);
    const refused = expect(keeper.take('a')).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE' });
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    await refused;
    const fence = { key: 'a', owner: 'me', epoch: 7 };
    answer.resolve({ state: 'granted', fence, conversation: {} as ConversationRecord });
    await vi.advanceTimersByTimeAsync(0);
    expect(onReleased).toHaveBeenCalledExactlyOnceWith(fence, undefined);
  });

  it('lets its turn wait longer each time, never longer than the lease would have lasted', () => {
    const waits = [1, 2, 3, 4, 5, 6, 50].map(
      (attempt) => describeCutOff({ id: 't', attempt } as TurnRecord, LEASE_MS, true).afterMs,
    );
    expect(waits).toEqual([0, 250, 500, 1000, 2000, LEASE_MS, LEASE_MS]);
  });

  it.each([
    ['late', 'this worker did not renew it in time'],
    ['removed', 'the conversation was removed'],
    ['taken', 'another worker has taken the conversation over'],
    [undefined, 'another worker has taken the conversation over'],
  ] as const)('says why: %s', async (why, words) => {
    const { keeper, take, journal } = createKeeper(async (fences) => held(fences));
    const { lease, lost } = await take('a');
    journal.renew.mockImplementationOnce(async (fences) =>
      held(fences).map((each) => ({ ...each, held: false, why })),
    );
    await keeper.renew();
    expect(lost).toHaveBeenCalledExactlyOnceWith(why ?? 'taken');
    await expect(lease.write(async () => 'never')).rejects.toThrow(words);
  });
});
