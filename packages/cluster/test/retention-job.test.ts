// The retention job of workers: off by default, done by one worker at a time, and taken over from one that died.
import { describe, expect, it, vi } from 'vitest';
import type { Journal } from '../src/journal/journal.js';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import { useClusters } from './support/test-cluster.js';

const POLICY = { conversationsMs: 0 };

async function fill(journal: Journal, key: string): Promise<void> {
  await journal.enqueue({ key, id: 'one', content: 'x', start: { agent: 'support', data: null } });
  await journal.cancel(key, 'one');
}

describe('a worker', () => {
  const make = useClusters();

  it('removes nothing by default', async () => {
    const journal = memoryJournal();
    const retain = vi.spyOn(journal, 'retain');
    await fill(journal, 'old');
    await make({ journal }).work();
    expect(retain).not.toHaveBeenCalled();
    expect(await journal.conversation('old')).toBeDefined();
  });

  it('removes what its policy says, and the audit says so', async () => {
    const journal = memoryJournal();
    await fill(journal, 'old');
    await journal.enqueue({
      key: 'open',
      id: 'one',
      content: 'x',
      afterMs: 1e6,
      start: { agent: 'support', data: null },
    });
    await make({ journal }).work({ retention: POLICY });
    await vi.waitFor(async () => expect(await journal.conversation('old')).toBeUndefined());
    expect(await journal.conversation('open')).toBeDefined();
    expect((await journal.audit?.({ what: 'pruned' }))?.entries).toMatchObject([
      { by: 'retention of the worker stand-in', pruned: { removed: { conversations: { rows: 1 } } } },
    ]);
  });

  it('refuses a policy that cannot be followed', async () => {
    const work = (retention: object) => make().work({ retention });
    await expect(work({})).rejects.toMatchObject({ code: 'INVALID_OPTIONS' });
    await expect(work({ eventMs: 1 })).rejects.toMatchObject({ options: ['eventMs'] });
    await expect(work({ eventsMs: 1, everyMs: 10 })).rejects.toMatchObject({ options: ['everyMs'] });
    const journal = Object.assign(memoryJournal(), { retain: undefined });
    await expect(make({ journal }).work({ retention: POLICY })).rejects.toThrow('has no retention');
  });
});

it('is done by one at a time, not again before its time, and by another if the one has died', async () => {
  let now = 0;
  const journal = memoryJournal({ now: () => now });
  const claim = (owner: string, done = false) =>
    journal.claimRetention?.({ owner, ms: 1000, everyMs: 5000, done });
  expect([await claim('a'), await claim('b'), await claim('a')]).toEqual([true, false, true]);
  now = 1001;
  expect([await claim('b'), await claim('a')]).toEqual([true, false]);
  await claim('a', true);
  expect(await claim('a')).toBe(false);
  await claim('b', true);
  expect([await claim('a'), await claim('b')]).toEqual([false, false]);
  now = 6001;
  expect(await claim('a')).toBe(true);
});

it('is counted by cluster.prune(), and removed only with apply', async () => {
  const journal = memoryJournal();
  await fill(journal, 'old');
  const { createCluster } = await import('@inboard/inboard/cluster.js');
  await using cluster = createCluster({ agents: { support: () => ({}) }, journal });
  const counted = await cluster.prune(POLICY);
  expect([counted.applied, counted.kinds.conversations?.rows]).toEqual([false, 1]);
  expect(await journal.conversation('old')).toBeDefined();
  expect((await cluster.prune(POLICY, { apply: true, by: 'Ann' })).applied).toBe(true);
  expect(await journal.conversation('old')).toBeUndefined();
});
