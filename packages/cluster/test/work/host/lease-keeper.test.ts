// Leases by a fake monotonic clock: renewed in one go, lost in time, and written under while the journal is away.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RenewedLease } from '../../../src/journal/journal.js';
import type { Fence } from '../../../src/journal/records.js';
import { KILL_MARGIN_MS } from '../../../src/work/host/held-lease.js';
import { LeaseLostError } from '@inboard/core/errors.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { createKeeper, held, LEASE_MS } from './kept-leases.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a lease keeper', () => {
  it('renews all leases together, three times while one lasts', async () => {
    const { journal, take, keeper } = createKeeper(async (fences) => held(fences));
    const one = await take('a');
    const other = await take('b');
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(journal.renew).toHaveBeenCalledTimes(30);
    expect(journal.renew.mock.calls.every(([fences]) => fences.length === 2)).toBe(true);
    expect(one.lost).not.toHaveBeenCalled();
    expect(other.lost).not.toHaveBeenCalled();
    await keeper.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('loses a lease half a second before its end when the journal is away, counted from the last renewal', async () => {
    let isAway = false;
    const { take, onTrouble } = createKeeper((fences) =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve(held(fences)),
    );
    const { lost } = await take('a');
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
    isAway = true;
    await vi.advanceTimersByTimeAsync(LEASE_MS - KILL_MARGIN_MS - 1);
    expect(lost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(lost).toHaveBeenCalledExactlyOnceWith('unreachable');
    expect(onTrouble).toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('loses it as well when the journal never answers, and asks it again later', async () => {
    const { take, journal } = createKeeper(() => new Promise(() => {}));
    const { lost } = await take('a');
    await vi.advanceTimersByTimeAsync(LEASE_MS - KILL_MARGIN_MS);
    expect(lost).toHaveBeenCalledExactlyOnceWith('unreachable');
    const asked = journal.renew.mock.calls.length;
    await take('b');
    await vi.advanceTimersByTimeAsync(2 * LEASE_MS);
    expect(journal.renew.mock.calls.length).toBeGreaterThan(asked);
  });

  it('loses at once what another worker has, and tells of work and of a stop', async () => {
    const { keeper, take, journal } = createKeeper(async (fences) => held(fences));
    const { lease, lost } = await take('a');
    const news = vi.fn();
    lease.onNews = news;
    journal.renew.mockResolvedValueOnce([{ key: 'a', epoch: 1, held: true, hasWork: true, stop: 't' }]);
    await keeper.renew();
    expect(news).toHaveBeenCalledExactlyOnceWith({ hasWork: true, stop: 't' });
    journal.renew.mockResolvedValueOnce([{ key: 'a', epoch: 1, held: false, hasWork: false }]);
    await keeper.renew();
    expect(lost).toHaveBeenCalledExactlyOnceWith('taken');
  });

  it('says that the journal is back', async () => {
    const { keeper, take, journal, onBack } = createKeeper(async (fences) => held(fences));
    await take('a');
    journal.renew.mockRejectedValueOnce(new Error('away'));
    await keeper.renew();
    expect(onBack).not.toHaveBeenCalled();
    await keeper.renew();
    await keeper.renew();
    expect(onBack).toHaveBeenCalledOnce();
  });

  it('asks again soon after a renewal that failed, for all of them, and keeps its rhythm after that', async () => {
    const { take, journal, onBack } = createKeeper(async (fences) => held(fences));
    const taken = [await take('a'), await take('b')];
    journal.renew.mockRejectedValueOnce(new Error('locked')).mockRejectedValueOnce(new Error('locked'));
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect(journal.renew).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(100);
    expect(journal.renew.mock.calls.map(([fences]) => fences.length)).toEqual([2, 2, 2]);
    expect(onBack).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3 - 101);
    expect(journal.renew).toHaveBeenCalledTimes(3);
    for (const { lost } of taken) expect(lost).not.toHaveBeenCalled();
  });

  it('asks less and less often while the journal is away, and not at all without a lease', async () => {
    const { take, journal } = createKeeper(() => Promise.reject(new Error('away')));
    const { lost } = await take('a');
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    expect(lost).toHaveBeenCalledExactlyOnceWith('unreachable');
    const asked = journal.renew.mock.calls.length;
    expect(asked).toBeLessThan(12);
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(journal.renew).toHaveBeenCalledTimes(asked);
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** All but one are renewed: its conversation is locked. */
const heldBut =
  (locked: string) =>
  async (fences: readonly Fence[]): Promise<RenewedLease[]> =>
    held(fences).map((each) => (each.key === locked ? { ...each, skipped: true } : each));

describe('a lease that the journal skips', () => {
  const keys = ['a', 'b', 'c', 'd', 'e', 'f'];

  it('is asked for again apart, and is the only one that is lost, at its margin', async () => {
    const { take, journal, onTrouble } = createKeeper(heldBut('c'));
    const taken = new Map<string, ReturnType<typeof vi.fn>>();
    for (const key of keys) taken.set(key, (await take(key)).lost);
    await vi.advanceTimersByTimeAsync(LEASE_MS - KILL_MARGIN_MS - 1);
    const asked = journal.renew.mock.calls.map(([fences]) => fences.map(({ key }) => key).join(''));
    expect(new Set(asked)).toEqual(new Set(['abcdef', 'c']));
    expect(asked.filter((each) => each === 'c').length).toBeGreaterThan(4);
    expect(taken.get('c')).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(taken.get('c')).toHaveBeenCalledExactlyOnceWith('locked');
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    for (const key of keys.filter((each) => each !== 'c')) expect(taken.get(key)).not.toHaveBeenCalled();
    expect(journal.renew.mock.calls.at(-1)?.[0]).toHaveLength(5);
    expect(onTrouble).not.toHaveBeenCalled();
  });

  it('is renewed as soon as it is free, and nobody notices', async () => {
    const { take, journal } = createKeeper(async (fences) => held(fences));
    const { lease, lost } = await take('a');
    const news = vi.fn();
    lease.onNews = news;
    journal.renew.mockImplementationOnce(heldBut('a')).mockImplementationOnce(heldBut('a'));
    const before = lease.deadline;
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
    expect(lease.deadline).toBe(before);
    expect(news).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(100);
    expect(journal.renew).toHaveBeenCalledTimes(3);
    expect(lease.deadline).toBeGreaterThan(before);
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    expect(lost).not.toHaveBeenCalled();
  });

  it('is asked for alone, also where several are: a journal waits in line for one only; two at a time', async () => {
    let asking = 0;
    let most = 0;
    const { take, journal } = createKeeper(async (fences) => {
      if (fences.length > 1) return held(fences).map((each) => ({ ...each, skipped: true }));
      asking += 1;
      most = Math.max(most, asking);
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
      asking -= 1;
      return held(fences);
    });
    const taken = new Map<string, ReturnType<typeof vi.fn>>();
    for (const key of keys) taken.set(key, (await take(key)).lost);
    await vi.advanceTimersByTimeAsync(10 * LEASE_MS);
    for (const key of keys) expect(taken.get(key)).not.toHaveBeenCalled();
    expect(new Set(journal.renew.mock.calls.map(([fences]) => fences.length))).toEqual(new Set([6, 1]));
    expect(most).toBe(2);
  });
});

describe('a write under a lease', () => {
  it('is tried again while the journal is away, and refused without a try once the time is over', async () => {
    const { take } = createKeeper(() => Promise.reject(new Error('away')));
    const { lease } = await take('a');
    const call = vi.fn(async () => 'done');
    call.mockRejectedValueOnce(new Error('away'));
    const writing = lease.write(call);
    await vi.advanceTimersByTimeAsync(100);
    expect(await writing).toBe('done');
    // As after SIGSTOP: time has passed, and no timer has run yet.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + LEASE_MS);
    call.mockClear();
    await expect(lease.write(call)).rejects.toThrow(LeaseLostError);
    expect(call).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it('gives no answer that comes after the time is over, as after SIGSTOP: it arrives before any timer', async () => {
    const { take } = createKeeper(async (fences) => held(fences));
    const { lease, lost } = await take('a');
    const answer = createDeferred<string>();
    const writing = lease.write(() => answer.promise);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + LEASE_MS);
    answer.resolve('new');
    await expect(writing).rejects.toMatchObject({ code: 'LEASE_LOST', reason: 'late' });
    expect(lost).toHaveBeenCalledExactlyOnceWith('late');
    vi.restoreAllMocks();
  });

  it('ends with the lease, also when the journal never answers', async () => {
    const { take } = createKeeper(() => Promise.reject(new Error('away')));
    const { lease } = await take('a');
    const writing = lease.write(() => new Promise(() => {}));
    const refused = expect(writing).rejects.toThrow(LeaseLostError);
    await vi.advanceTimersByTimeAsync(LEASE_MS);
    await refused;
  });

  it('loses the lease when the journal says so, and gives up on what the journal refuses', async () => {
    const { take } = createKeeper(async (fences) => held(fences));
    const { lease, lost } = await take('a');
    const refusal = Object.assign(new Error('no such turn'), { code: 'TURN_UNKNOWN' });
    await expect(lease.write(() => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(lost).not.toHaveBeenCalled();
    await expect(lease.write(() => Promise.reject(new LeaseLostError(lease.fence)))).rejects.toThrow(
      LeaseLostError,
    );
    expect(lost).toHaveBeenCalledExactlyOnceWith('taken');
  });

  it('gives up after the time of a lease where only this fails', async () => {
    const { take } = createKeeper(async (fences) => held(fences));
    const { lease, lost } = await take('a');
    const refused = expect(lease.write(() => Promise.reject(new Error('odd')))).rejects.toThrow('odd');
    await vi.advanceTimersByTimeAsync(2 * LEASE_MS);
    await refused;
    expect(lost).not.toHaveBeenCalled();
  });
});
