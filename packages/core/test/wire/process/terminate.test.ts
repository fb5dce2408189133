import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Termination } from '../../../src/wire/process/run/terminate.js';
import { propertyOptions } from '../../../../../test/support/seed.js';

let log: string[];
let start: number;
let termination: Termination;

function note(what: string): void {
  log.push(`${Math.round(performance.now() - start)} ${what}`);
}

beforeEach(() => {
  vi.useFakeTimers();
  log = [];
  start = performance.now();
  termination = new Termination({
    endInput: () => note('end'),
    signal: (name) => note(name),
    giveUp: () => note('give up'),
  });
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('Termination', () => {
  it('goes through all steps with a child that does not mind', () => {
    termination.request();
    vi.advanceTimersByTime(60_000);
    // An immediate takes a millisecond of the virtual clock.
    expect(log).toEqual(['0 end', '2000 SIGTERM', '7000 SIGKILL', '12001 give up']);
    expect(termination.hasSignalled).toBe(true);
  });

  it('does not give up on a child whose end a blocked host has not heard of yet', async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    start = performance.now();
    termination.request({ graceMs: 0, killMs: 0 });
    vi.advanceTimersByTime(60_000);
    // What waits for the host to look at it comes between its timers and its immediates.
    termination.finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['0 end', '0 SIGTERM', '0 SIGKILL']);
  });

  it('stops as soon as the child is gone, at each step', () => {
    termination.request();
    vi.advanceTimersByTime(1999);
    termination.finish();
    vi.advanceTimersByTime(60_000);
    expect(log).toEqual(['0 end']);
    expect(termination.hasSignalled).toBe(false);
    termination.request();
    expect(log).toEqual(['0 end']);
  });

  it('sends SIGTERM and SIGKILL at once when no time is given', () => {
    termination.request({ graceMs: 0, killMs: 0 });
    expect(log).toEqual(['0 end', '0 SIGTERM', '0 SIGKILL']);
    termination.finish();
  });

  it('is shortened by a second request, never prolonged', () => {
    termination.request({ graceMs: 1000, killMs: 1000 });
    termination.request({ graceMs: 50_000, killMs: 50_000 });
    vi.advanceTimersByTime(500);
    termination.request({ graceMs: 100, killMs: 300 });
    vi.advanceTimersByTime(60_000);
    expect(log).toEqual(['0 end', '600 SIGTERM', '900 SIGKILL', '5901 give up']);
  });

  it('is shortened after SIGTERM as well', () => {
    termination.request({ graceMs: 0, killMs: 10_000 });
    vi.advanceTimersByTime(100);
    termination.request({ graceMs: 5000, killMs: 50 });
    vi.advanceTimersByTime(100);
    termination.finish();
    expect(log).toEqual(['0 end', '0 SIGTERM', '150 SIGKILL']);
  });

  it.each([
    ['before SIGTERM', 400, ['0 end', '1000 SIGTERM', '2000 SIGKILL', '7001 give up']],
    ['after SIGTERM', 1500, ['0 end', '1000 SIGTERM', '2000 SIGKILL', '7001 give up']],
    ['after SIGKILL', 2500, ['0 end', '1000 SIGTERM', '2000 SIGKILL', '7001 give up']],
  ])('is not prolonged by a second request %s', (_, at, expected) => {
    termination.request({ graceMs: 1000, killMs: 1000 });
    vi.advanceTimersByTime(at);
    termination.request({ graceMs: 5000, killMs: 5000 });
    termination.request();
    termination.request({ graceMs: 0.5 + 5000, killMs: Number.POSITIVE_INFINITY });
    vi.advanceTimersByTime(60_000);
    expect(log).toEqual(expected);
  });

  it('takes no step later than the request that wants it soonest', () => {
    const ms = fc.integer({ min: 0, max: 3000 });
    const request = fc.record({ afterMs: ms, graceMs: ms, killMs: ms });
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 5 }), (requests) => {
        log = [];
        start = performance.now();
        const child = new Termination({
          endInput: () => note('end'),
          signal: (name) => note(name),
          giveUp: () => note('give up'),
        });
        let at = 0;
        let latestTerm = Number.POSITIVE_INFINITY;
        let latestKill = Number.POSITIVE_INFINITY;
        requests.forEach(({ afterMs, graceMs, killMs }, index) => {
          if (index > 0) vi.advanceTimersByTime(afterMs);
          if (index > 0) at += afterMs;
          latestTerm = Math.min(latestTerm, at + graceMs);
          latestKill = Math.min(latestKill, at + graceMs + killMs);
          child.request({ graceMs, killMs });
        });
        vi.advanceTimersByTime(60_000);
        const steps = log.map((line) => line.replace(/^\d+ /, ''));
        expect(steps).toEqual(['end', 'SIGTERM', 'SIGKILL', 'give up']);
        const [, term = 0, kill = 0] = log.map((line) => Number.parseInt(line, 10));
        expect(term).toBeLessThanOrEqual(latestTerm);
        expect(kill).toBeLessThanOrEqual(latestKill);
      }),
      propertyOptions(100),
    );
  });

  it('waits for ever when told so', () => {
    termination.request({ graceMs: Number.POSITIVE_INFINITY });
    vi.advanceTimersByTime(2 ** 31 + 1000);
    expect(log).toEqual(['0 end']);
    termination.request({ graceMs: 0 });
    expect(log.at(-1)).toContain('SIGTERM');
    termination.finish();
  });
});
