// When a worker looks for forgotten conversations: at its regular times, and when a lease runs out that nobody renews; and what that
// costs the journal.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryJournal } from '../../src/journal/memory/memory-journal.js';
import type { DueConversation, Journal } from '../../src/journal/journal.js';
import { Sweep } from '../../src/work/sweep.js';
import type { WorkHost } from '../../src/work/host/work-host.js';

const SWEEP_MS = 600;
/** A look that is not a regular one comes within so many milliseconds after the end of a lease. */
const LATE_MS = 50;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A sweep as a worker drives it, whose looks are noted with their times. */
function createScene(journal: Pick<Journal, 'due'>, hasRoom: () => boolean = () => true) {
  const asked: number[] = [];
  const looked: { key: string; at: number }[] = [];
  const startedAt = performance.now();
  const due: Journal['due'] = (limit, options) => {
    asked.push(performance.now() - startedAt);
    return journal.due(limit, options);
  };
  const host = {
    parts: { journal: { due } },
    settings: { leaseMs: 3000, sweepMs: SWEEP_MS },
    emit: () => {},
    wake: async () => true,
  } as unknown as WorkHost;
  const sweep = new Sweep({
    host,
    hasRoom,
    look: (key) => looked.push({ key, at: performance.now() - startedAt }),
    sweep: () => void sweep.look(),
  });
  return { sweep, asked, looked };
}

/** A journal with the running turn of a worker, whose lease lasts for so long. */
async function leaveLease(ms: number) {
  const journal = memoryJournal();
  await journal.enqueue({ key: 'a', id: 'one', content: 'Hi', start: { agent: 'helper', data: null } });
  const granted = await journal.lease('a', { owner: 'gone', ms });
  if (granted.state !== 'granted') throw new Error(`The lease is ${granted.state}`);
  await journal.next(granted.fence);
  return { journal, fence: granted.fence };
}

describe('a lease that nobody renews', () => {
  it.each([150, 450, 599, 1150])('is found as it runs out %i ms after a regular look', async (ms) => {
    const { journal } = await leaveLease(ms);
    const { sweep, asked, looked } = createScene(journal);
    await sweep.look();
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect([asked.length, looked]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(LATE_MS + 1);
    expect(looked.map(({ key }) => key)).toEqual(['a']);
    expect(asked).toHaveLength(2);
    sweep.end();
  });

  it('costs no look while it is renewed', async () => {
    const { journal, fence } = await leaveLease(3000);
    const { sweep, asked } = createScene(journal);
    const renewals = setInterval(() => void journal.renew([fence], 3000), 1000);
    const looks = setInterval(() => void sweep.look(), SWEEP_MS);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(60_000 / SWEEP_MS);
    clearInterval(renewals);
    clearInterval(looks);
    sweep.end();
  });

  it('is left to workers that have a place', async () => {
    const { journal } = await leaveLease(200);
    const { sweep, asked } = createScene(journal, () => false);
    await sweep.look();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(1);
    sweep.end();
  });

  it('makes no worker look that has ended, even during a look', async () => {
    const { journal } = await leaveLease(200);
    const { sweep, asked } = createScene(journal);
    const looking = sweep.look();
    sweep.end();
    await looking;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(1);
  });
});

describe('a journal', () => {
  it('is not asked more often than ten times a second, however many leases run out one after the other', async () => {
    const soon = async (): Promise<DueConversation[]> => [{ key: 'a', recovered: true, afterMs: 1 }];
    const { sweep, asked } = createScene({ due: soon });
    await sweep.look();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.length).toBeLessThanOrEqual(11);
    sweep.end();
  });

  it('may say nothing of leases that run out', async () => {
    const { sweep, asked } = createScene({ due: async () => [] });
    await sweep.look();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveLength(1);
    sweep.end();
  });
});
