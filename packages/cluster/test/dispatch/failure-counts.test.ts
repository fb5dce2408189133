// What a worker remembers of keys that fail: enough to rest longer each time, and nothing for ever.
import { expect, it } from 'vitest';
import { FailureCounts } from '../../src/dispatch/failure-counts.js';

const MINUTE_MS = 60_000;

it('rests twice as long after each failure in a row, half a minute at most', () => {
  const counts = new FailureCounts();
  const rests = Array.from({ length: 9 }, (_, index) => counts.add('a', index));
  expect(rests).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  counts.clear('a', 9);
  expect(counts.size).toBe(0);
  expect(counts.add('a', 10)).toBe(250);
});

it('forgets keys that did not come again, whatever becomes of others', () => {
  const counts = new FailureCounts();
  for (let index = 0; index < 1000; index += 1) counts.add(`key ${index}`, index);
  counts.add('still failing', 4 * MINUTE_MS);
  expect(counts.size).toBe(1001);
  counts.clear('went well', 5 * MINUTE_MS + 499);
  expect(counts.size).toBe(501);
  // One that fails again is no old one.
  counts.add('still failing', 9 * MINUTE_MS - 1);
  expect(counts.size).toBe(1);
  expect(counts.add('still failing', 9 * MINUTE_MS)).toBe(1000);
});
