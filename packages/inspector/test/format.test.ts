// How figures are written: units, rounding at the edges of a unit, and what is no number.
import { describe, expect, it } from 'vitest';
import {
  formatCountOf,
  formatBytes,
  formatClock,
  formatCount,
  formatDuration,
  formatExact,
  formatMoney,
  formatShare,
  formatTimeOfDay,
} from '../src/model/format.js';
import { describeShares, listShares } from '../src/model/share-words.js';

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [0.42, '0.4 ms'],
    [9.96, '10 ms'],
    [420.4, '420 ms'],
    [999.4, '999 ms'],
    [999.6, '1 s'],
    [3420, '3.4 s'],
    [59_940, '59.9 s'],
    [59_960, '1 min'],
    [130_000, '2 min 10 s'],
    [3_599_700, '1 h'],
    [3_900_000, '1 h 5 min'],
    [86_380_000, '1 d'],
    [2 * 86_400_000 + 3 * 3_600_000, '2 d 3 h'],
    [-1500, '-1.5 s'],
    [Number.NaN, '–'],
    [Infinity, '–'],
  ])('writes %d as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('other figures', () => {
  it.each([
    [formatMoney(0), '$0'],
    [formatMoney(0.00001), '<$0.0001'],
    [formatMoney(0.0123), '$0.0123'],
    [formatMoney(0.99996), '$1.00'],
    [formatMoney(12.3), '$12.30'],
    [formatMoney(1_234_567.8), '$1,234,567.80'],
    [formatMoney(Number.NaN), '–'],
    [formatCount(999), '999'],
    [formatCount(999.7), '1k'],
    [formatCount(12_430), '12.4k'],
    [formatCount(124_300), '124k'],
    [formatCount(999_600), '1M'],
    [formatCount(1_240_000), '1.2M'],
    [formatExact(12), '12'],
    [formatExact(123_456), '123,456'],
    [formatExact(-1234), '-1,234'],
    [formatBytes(812), '812 B'],
    [formatBytes(12_400), '12.4 kB'],
    [formatBytes(3_000_000), '3 MB'],
    [formatClock(3420), '0:03.4'],
    [formatClock(760_000), '12:40.0'],
    [formatClock(3_723_400), '1:02:03.4'],
    [formatClock(59_970), '1:00.0'],
    [formatShare(37, 100), '37 %'],
    [formatShare(1, 1000), '<1 %'],
    [formatShare(0, 0), '–'],
    [formatTimeOfDay(Number.NaN), '–'],
    [formatCountOf(1, 'call'), '1 call'],
    [formatCountOf(1200, 'call'), '1,200 calls'],
    [formatCountOf(2, 'entry', 'entries'), '2 entries'],
  ])('writes %s', (text, wanted) => {
    expect(text).toBe(wanted);
  });

  it('writes the time of the day where the reader is', () => {
    expect(formatTimeOfDay(new Date(2026, 10, 16, 9, 3, 2).getTime())).toBe('09:03:02');
  });
});

describe('describeShares', () => {
  const shares = { model: 12_400, permission: 18_200, code: 400, cliTools: 1000, overhead: 20, idle: 0 };

  it('writes each as any other duration, and leaves out what would not be seen', () => {
    expect(describeShares(shares)).toBe('model 12.4 s, you 18.2 s, your code 400 ms, CLI tools 1 s');
    expect(describeShares({ ...shares, model: 420, permission: 0, cliTools: 0.2 })).toBe(
      'model 420 ms, your code 400 ms, overhead 20 ms',
    );
    expect(describeShares({ ...shares, model: 286_000, code: 11_400 })).toBe(
      'model 4 min 46 s, you 18.2 s, your code 11.4 s, CLI tools 1 s',
    );
  });

  it('names the largest in their order when only some are wanted', () => {
    expect(describeShares({ ...shares, code: 30_000 }, 2)).toBe('you 18.2 s, your code 30 s');
    expect(listShares(shares).map(({ key }) => key)).toEqual([
      'model',
      'permission',
      'code',
      'cliTools',
      'overhead',
    ]);
  });

  it('says nothing of nothing', () => {
    expect(describeShares({ model: 0, permission: 0, code: 0, cliTools: 0, overhead: 0, idle: 0 })).toBe('');
  });
});
