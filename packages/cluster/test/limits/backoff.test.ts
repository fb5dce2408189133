// How long new turns are put off after refusals, on a clock and a chance of the test's own.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBackoff, spreadPause } from '../../src/limits/backoff.js';

function start(chance = 1) {
  const clock = { at: 0 };
  const backoff = createBackoff({ now: () => clock.at, random: () => chance });
  return { clock, backoff };
}

describe('createBackoff', () => {
  it('doubles from a second to a minute while refusals go on', () => {
    const { clock, backoff } = start();
    const pauses = Array.from({ length: 9 }, () => {
      const ms = backoff.refused();
      clock.at += ms;
      return ms;
    });
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('takes refusals during a pause for the same one', () => {
    const { clock, backoff } = start();
    expect([backoff.refused(), backoff.refused(), backoff.refused()]).toEqual([1000, 1000, 1000]);
    clock.at = 1000;
    expect(backoff.refused()).toBe(2000);
  });

  it('shrinks after successes, but not after those that began before the pause', () => {
    const { clock, backoff } = start();
    for (let round = 0; round < 5; round += 1) clock.at += backoff.refused();
    backoff.refused();
    backoff.succeeded();
    clock.at += 32_000;
    expect(backoff.refused()).toBe(60_000);
    clock.at += 60_000;
    backoff.succeeded();
    expect(backoff.refused()).toBe(16_000);
    clock.at += 16_000;
    for (let round = 0; round < 4; round += 1) backoff.succeeded();
    expect(backoff.refused()).toBe(1000);
  });

  it('forgets refusals of long ago', () => {
    const { clock, backoff } = start();
    for (let round = 0; round < 5; round += 1) clock.at += backoff.refused();
    clock.at += 5 * 60_000 + 1;
    expect(backoff.refused()).toBe(1000);
  });

  it('waits at least as long as the API asks for, up to a quarter of an hour', () => {
    expect(start(0).backoff.refused({ retryAfterMs: 20_000 })).toBe(20_000);
    expect(start(1).backoff.refused({ retryAfterMs: 20_000 })).toBe(25_000);
    expect(start(0).backoff.refused({ retryAfterMs: 24 * 3_600_000 })).toBe(15 * 60_000);
    expect(start(0).backoff.refused({ retryAfterMs: Number.NaN })).toBe(500);
    expect(start(0).backoff.refused({ retryAfterMs: -5 })).toBe(500);
  });

  it('begins higher where the CLI has tried several times', () => {
    expect(start().backoff.refused({ attempt: 4 })).toBe(8000);
    expect(start().backoff.refused({ attempt: 1e9 })).toBe(60_000);
    expect(start().backoff.refused({ attempt: Number.NaN })).toBe(1000);
  });

  it('keeps tenants apart', () => {
    const { clock, backoff } = start();
    clock.at += backoff.refused({ tenant: 'a' });
    expect(backoff.refused({ tenant: 'a' })).toBe(2000);
    expect(backoff.refused({ tenant: 'b' })).toBe(1000);
    expect(backoff.refused()).toBe(1000);
  });

  it('gives whole milliseconds within its bounds, whatever comes', () => {
    const step = fc.record({
      succeeds: fc.boolean(),
      retryAfterMs: fc.option(fc.double({ min: -1e6, max: 1e12 }), { nil: undefined }),
      attempt: fc.option(fc.double(), { nil: undefined }),
      afterMs: fc.nat(600_000),
      chance: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const clock = { at: 0, chance: 0 };
        const backoff = createBackoff({ now: () => clock.at, random: () => clock.chance });
        for (const { succeeds, retryAfterMs, attempt, afterMs, chance } of steps) {
          clock.at += afterMs;
          clock.chance = chance;
          if (succeeds) backoff.succeeded();
          else {
            const ms = backoff.refused({ retryAfterMs, attempt });
            expect(Number.isInteger(ms)).toBe(true);
            expect(ms).toBeGreaterThanOrEqual(500);
            expect(ms).toBeLessThanOrEqual(15 * 60_000 + 5000);
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('spreadPause', () => {
  it('is never shorter than the pause, and at most five seconds longer', () => {
    expect(spreadPause(1000, () => 0)).toBe(1000);
    expect(spreadPause(1000, () => 1)).toBe(1250);
    expect(spreadPause(600_000, () => 1)).toBe(605_000);
  });
});
