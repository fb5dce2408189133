// Which numbers a scrape gets while reads of the whole cluster are under way, late, old, or fail.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { StatsReader } from '../../src/numbers/stats-reader.js';
import type { ClusterNumbers } from '../../src/numbers/measure.js';

const WAIT_MS = 5000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A reader whose reads end when they are told to, with their number as the number of leases. */
function createReader() {
  const reads: Deferred<ClusterNumbers>[] = [];
  const reader = new StatsReader(() => {
    const read = createDeferred<ClusterNumbers>();
    reads.push(read);
    return read.promise;
  });
  const end = (index: number): void => reads[index]?.resolve({ leases: index } as ClusterNumbers);
  return { reader, reads, end };
}

it('asks once at a time, and not within five seconds after the answer', async () => {
  const { reader, reads, end } = createReader();
  const both = [reader.read(WAIT_MS), reader.read(WAIT_MS)];
  end(0);
  expect((await Promise.all(both)).map(({ state }) => state)).toEqual(['done', 'done']);
  vi.advanceTimersByTime(4999);
  expect(await reader.read(WAIT_MS)).toMatchObject({ state: 'kept', known: { numbers: { leases: 0 } } });
  expect(reads).toHaveLength(1);
  vi.advanceTimersByTime(1);
  void reader.read(WAIT_MS);
  expect(reads).toHaveLength(2);
});

it('waits five seconds for a read, then gives the last numbers if they are at most two minutes old', async () => {
  const { reader, reads, end } = createReader();
  const first = reader.read(WAIT_MS);
  end(0);
  await first;
  vi.advanceTimersByTime(115_000);
  const late = reader.read(WAIT_MS);
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  expect(await late).toEqual({ state: 'late', known: { numbers: { leases: 0 }, ageMs: 120_000 } });
  const later = reader.read(WAIT_MS);
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  expect(await later).toEqual({ state: 'late', known: undefined });
  expect(reads).toHaveLength(2);
  end(1);
  expect(await reader.read(WAIT_MS)).toMatchObject({ state: 'done', known: { numbers: { leases: 1 } } });
});

it('forgets the last numbers when a read fails', async () => {
  const { reader, reads, end } = createReader();
  const first = reader.read(WAIT_MS);
  end(0);
  await first;
  vi.advanceTimersByTime(WAIT_MS);
  const failed = reader.read(WAIT_MS);
  reads[1]?.reject(new Error('away'));
  expect(await failed).toMatchObject({ state: 'failed', error: { message: 'away' } });
  const late = reader.read(WAIT_MS);
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  expect(await late).toEqual({ state: 'late', known: undefined });
});
