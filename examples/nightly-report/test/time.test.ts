// Back-off and schedule by a clock that does not wait: how long, for whom, and on which nights, over changes of the clock.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createBackoff } from '../src/backoff.ts';
import { dueAt, everyNight } from '../src/schedule.ts';
import { readTenants } from '../src/tenants.ts';
import { createFakeClock, temporaryFolder } from './support.ts';

const signal = new AbortController().signal;

describe('the back-off', () => {
  it('makes everybody wait for one who was refused, longer each time, up to two minutes', async () => {
    const clock = createFakeClock();
    const backoff = createBackoff(clock, { random: () => 0.5, baseMs: 2000 });
    await backoff.ready(signal);
    for (let failure = 0; failure < 9; failure += 1) {
      backoff.fail();
      await Promise.all([backoff.ready(signal), backoff.ready(signal)]);
    }
    // The first to ask sleeps; the clock of the second has moved by then.
    const expected = [2000, 4000, 8000, 16_000, 32_000, 64_000, 120_000, 120_000, 120_000].map(
      (ms) => ms * 0.75,
    );
    assert.deepEqual([...new Set(clock.waits)], [...new Set(expected)]);
    assert.equal(clock.now() >= expected.reduce((sum, ms) => sum + ms, 0), true);
    backoff.succeed();
    backoff.fail();
    assert.equal(await firstWait(), 1500);
    async function firstWait(): Promise<number | undefined> {
      clock.waits.length = 0;
      await backoff.ready(signal);
      return clock.waits[0];
    }
  });

  it('never waits for less than the service asks, and is spread by chance', async () => {
    for (const [random, wait] of [
      [0, 1000],
      [0.999, 1999],
    ] as const) {
      const clock = createFakeClock();
      const backoff = createBackoff(clock, { random: () => random, baseMs: 2000 });
      backoff.fail();
      await backoff.ready(signal);
      assert.equal(Math.round(clock.waits[0] ?? 0), wait);
      backoff.hold(30_000);
      backoff.fail();
      await backoff.ready(signal);
      assert.equal(clock.waits[1], 30_000);
    }
  });

  it('ends with its signal', async () => {
    const backoff = createBackoff(createFakeClock());
    backoff.hold(1000);
    await assert.rejects(backoff.ready(AbortSignal.abort(new Error('told to stop'))), /told to stop/);
  });
});

describe('the schedule', () => {
  const zone = process.env['TZ'];
  before(() => void (process.env['TZ'] = 'Europe/Berlin'));
  after(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  /** The moments of the runs from a time on, in UTC, and the nights that were missed before each. */
  async function play(
    start: string,
    at: string,
    count: number,
    { last = undefined as string | undefined, takes = 0 } = {},
  ) {
    const clock = createFakeClock(Date.parse(start));
    const stop = new AbortController();
    const runs: string[] = [];
    await everyNight(
      at,
      async (night, missed) => {
        runs.push([night, new Date(clock.now()).toISOString().slice(0, 16), ...missed].join(' '));
        clock.set(clock.now() + takes);
        if (runs.length === count) stop.abort();
      },
      clock,
      stop.signal,
      last,
    ).catch((error: unknown) => assert.ok(stop.signal.aborted, String(error)));
    return runs;
  }

  it('keeps its hour in spring and autumn', async () => {
    assert.deepEqual(await play('2026-03-27T12:00Z', '02:00', 3), [
      '2026-03-28 2026-03-28T01:00',
      '2026-03-29 2026-03-29T01:00', // 02:00 is left out, and is 03:00
      '2026-03-30 2026-03-30T00:00',
    ]);
    assert.deepEqual(await play('2026-10-24T12:00Z', '02:30', 2), [
      '2026-10-25 2026-10-25T00:30', // the first of two
      '2026-10-26 2026-10-26T01:30',
    ]);
    assert.equal(dueAt(Date.parse('2026-03-29T12:00Z'), '02:30'), Date.parse('2026-03-29T01:30Z'));
  });

  it('says which nights were missed: while nobody ran, or while a run took too long', async () => {
    assert.deepEqual(await play('2026-11-16T12:00Z', '02:00', 1, { last: '2026-11-13' }), [
      '2026-11-17 2026-11-17T01:00 2026-11-14 2026-11-15 2026-11-16',
    ]);
    assert.deepEqual(
      await play('2026-11-16T12:00Z', '02:00', 2, { last: '2026-11-16', takes: 30 * 3_600_000 }),
      ['2026-11-17 2026-11-17T01:00', '2026-11-19 2026-11-19T01:00 2026-11-18'],
    );
  });

  it('goes on after a night that failed, and takes no time that is none', async () => {
    const clock = createFakeClock(Date.parse('2026-11-16T12:00Z'));
    const stop = new AbortController();
    let nights = 0;
    const run = async (): Promise<void> => {
      if ((nights += 1) === 2) stop.abort();
      else throw new Error('a failure that belongs to this test');
    };
    await assert.rejects(everyNight('02:00', run, clock, stop.signal));
    assert.equal(nights, 2);
    await assert.rejects(
      everyNight('25:00', run, clock, stop.signal),
      /--at takes a time such as 02:00, and it is "25:00"/,
    );
  });
});

it('the tenants are checked, and the error says which entry is wrong', () => {
  const { folder, remove } = temporaryFolder();
  const file = join(folder, 'tenants.json');
  const good = { id: 'a', name: 'A', budgetUsd: 1 };
  for (const [entries, at] of [
    [[good, { ...good, id: '../b' }], 2],
    [[good, good], 2],
    [[{ ...good, budgetUsd: '5$' }], 1],
    [[{ ...good, budgetUsd: -1 }], 1],
    [[null], 1],
  ] as const) {
    writeFileSync(file, JSON.stringify(entries));
    assert.throws(() => readTenants(file), new RegExp(`tenants\\.json, entry ${at}: a tenant has`));
  }
  writeFileSync(file, '{}');
  assert.throws(() => readTenants(file), /must hold a list of tenants/);
  remove();
});
