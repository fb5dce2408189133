import { describe, expect, it } from 'vitest';
import { BackOff, pauseBefore, varyPause } from '../../src/util/back-off.js';

const PAUSES = { firstMs: 100, longestMs: 1000 };

describe('pauseBefore', () => {
  it('doubles from the first pause up to the longest', () => {
    expect([0, 1, 2, 3, 4, 5].map((retry) => pauseBefore(retry, PAUSES))).toEqual([
      100, 200, 400, 800, 1000, 1000,
    ]);
  });

  it.each([1023, 1024, 1e9, Infinity])('is a number after %d retries', (retry) => {
    expect(pauseBefore(retry, PAUSES)).toBe(1000);
    expect(pauseBefore(retry, { ...PAUSES, firstMs: 0 })).toBe(0);
  });

  it('never exceeds a limit that is below the first pause', () => {
    expect(pauseBefore(0, { firstMs: 100, longestMs: 30 })).toBe(30);
  });

  it('varies a pause between the given shares, with the given randomness', () => {
    const pauses = { ...PAUSES, between: [0.5, 1.5] } as const;
    expect([0, 0.5, 1].map((value) => pauseBefore(1, pauses, () => value))).toEqual([100, 200, 300]);
  });
});

describe('varyPause', () => {
  it('is chosen at random where no randomness is given', () => {
    for (let time = 0; time < 100; time += 1) {
      const ms = varyPause(1000, [0.5, 1]);
      expect(ms).toBeGreaterThanOrEqual(500);
      expect(ms).toBeLessThan(1000);
    }
  });
});

describe('BackOff', () => {
  it('waits longer each time, and begins anew after a success', () => {
    const backOff = new BackOff(PAUSES);
    expect([backOff.next(), backOff.next(), backOff.next()]).toEqual([100, 200, 400]);
    backOff.reset();
    expect([backOff.next(), backOff.next()]).toEqual([100, 200]);
  });

  it('varies its pauses, which grow all the same', () => {
    const backOff = new BackOff({ ...PAUSES, between: [0, 1] }, () => 0.25);
    expect([backOff.next(), backOff.next(), backOff.next()]).toEqual([25, 50, 100]);
  });
});
