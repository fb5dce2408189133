// The journal in memory is held to what every journal must do, by a clock that the cases move and by the real one.
import { describe, expect, it } from 'vitest';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import { describeJournal } from '@inboard/testing/conformance/journal/journal-conformance.js';

const NOON = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 24 * 60 * 60 * 1000;

describeJournal(
  'a journal in memory',
  () => {
    let now = NOON;
    return { journal: memoryJournal({ now: () => now }), advance: (ms) => void (now += ms) };
  },
  { describe, it },
);

describe('a journal in memory, by its clock', () => {
  async function finishOne(journal: ReturnType<typeof memoryJournal>, id: string, turnCostUsd: number) {
    await journal.enqueue({ key: 'a', id, content: '', start: { agent: 'x', data: null, tenant: 't' } });
    const answer = await journal.lease('a', { owner: 'w', ms: 1000 });
    if (answer.state !== 'granted') throw new Error(answer.state);
    await journal.next(answer.fence);
    await journal.finish(answer.fence, id, { outcome: { ok: true, kind: 'success', text: '', turnCostUsd } });
    await journal.release(answer.fence);
  }

  it('counts what was spent by days, today included', async () => {
    let now = NOON;
    const journal = memoryJournal({ now: () => now });
    for (const [id, turnCostUsd] of [
      ['1', 1],
      ['2', 10],
      ['3', 100],
    ] as const) {
      await finishOne(journal, id, turnCostUsd);
      now += DAY_MS;
    }
    now -= DAY_MS;
    const spent = [undefined, 1, 2, 3].map((days) => journal.spent({ tenant: 't', days }));
    expect(await Promise.all(spent)).toEqual([111, 100, 110, 111]);
  });

  it('marks a worker that has not reported for 12 seconds, and forgets it after a minute', async () => {
    let now = NOON;
    const journal = memoryJournal({ now: () => now });
    const report = { name: 'w', concurrency: 1, running: 0, warm: 0, draining: false };
    await journal.reportWorker(report);
    now += 11_999;
    expect(await journal.workers()).toEqual([{ ...report, seenAt: NOON }]);
    now += 1;
    expect(await journal.workers()).toEqual([{ ...report, seenAt: NOON, silentMs: 12_000 }]);
    now = NOON + 60_000;
    expect(await journal.workers()).toMatchObject([{ silentMs: 60_000 }]);
    await journal.reportWorker(report);
    expect(await journal.workers()).toEqual([{ ...report, seenAt: now }]);
    now += 60_001;
    expect(await journal.workers()).toEqual([]);
  });

  it('grants a lease at the very moment the one before runs out, and not before', async () => {
    let now = NOON;
    const journal = memoryJournal({ now: () => now });
    await journal.enqueue({ key: 'a', id: '1', content: '', start: { agent: 'x', data: null } });
    await journal.lease('a', { owner: 'one', ms: 1000 });
    now += 999;
    expect(await journal.lease('a', { owner: 'two', ms: 1000 })).toEqual({
      state: 'held',
      owner: 'one',
      forMs: 1,
    });
    now += 1;
    expect(await journal.lease('a', { owner: 'two', ms: 1000 })).toMatchObject({
      state: 'granted',
      takenOverAfterMs: 0,
    });
  });

  it('never dates a lease before the end of the one before, though the clock moves on between two looks at it', async () => {
    for (let before = 1; before <= 10; before += 1) {
      let [now, step] = [NOON, 0];
      const journal = memoryJournal({ now: () => (now += step) });
      await journal.enqueue({ key: 'a', id: '1', content: '', start: { agent: 'x', data: null } });
      await journal.lease('a', { owner: 'one', ms: 1000 });
      [now, step] = [NOON + 1000 - before, 1];
      await journal.lease('a', { owner: 'two', ms: 1000 });
      const [one, two] = (await journal.history('a'))?.leases ?? [];
      if (two) expect(two.grantedAt).toBeGreaterThanOrEqual(one?.until ?? Infinity);
    }
  });
});
