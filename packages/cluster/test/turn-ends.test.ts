// What waiting for an outcome asks of the journal, and that it never waits for a poll.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Journal, JournalChange } from '../src/journal/journal.js';
import { memoryJournal } from '../src/journal/memory/memory-journal.js';
import { createFakeCli } from '@inboard/testing/fake-cli/fake-cli.js';
import { createCluster } from '../src/create-cluster.js';
import type { TurnRecord } from '../src/journal/records.js';
import { TurnEnds } from '../src/turn-ends.js';
import { text } from '@inboard/testing/script/reply.js';
import { useClusters } from './support/test-cluster.js';

const start = { agent: 'support', data: null };

/** A journal that counts how often single turns are read. */
function countReads(journal: Journal): { journal: Journal; reads: () => number } {
  let reads = 0;
  const counted: Journal = {
    ...journal,
    turn: (...given) => {
      reads += 1;
      return journal.turn(...given);
    },
  };
  return { journal: counted, reads: () => reads };
}

/** As journals were before they told of ends. */
function tellNoEnds(journal: Journal): Journal {
  return {
    ...journal,
    tellsEnded: undefined,
    finishAndNext: undefined,
    listen: (onChange: (change: JournalChange) => void) =>
      journal.listen((change) => (change.kind === 'ended' ? undefined : onChange(change))),
  };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('outcome()', () => {
  const createTestCluster = useClusters();

  it.each([
    ['tells of ends', (journal: Journal) => journal],
    ['does not', tellNoEnds],
  ])('comes without a poll from a journal that %s', async (_, change) => {
    // No timer ever fires: a poll would not come.
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'performance'] });
    const cluster = createTestCluster({ journal: change(memoryJournal()) });
    const turn = await cluster.conversation('a', start).send('Hello');
    const outcome = turn.outcome();
    await cluster.step('a');
    expect(await outcome).toMatchObject({ ok: true });
  });

  it('reads the journal once at the end of a turn of another process, whatever happens before', async () => {
    const { journal, reads } = countReads(memoryJournal());
    const cluster = createTestCluster({ journal }, async (turn, { fence, journal: own }) => {
      for (let text = 0; text < 20; text += 1)
        await own.publish(fence, [{ turn: turn.id, type: 'text', text: String(text) }]);
      return { ok: true, kind: 'success', text: 'done', turnCostUsd: 0 };
    });
    const conversation = cluster.conversation('a', start);
    // The first one makes the cluster listen.
    const first = (await conversation.send('Hello')).outcome();
    await cluster.step('a');
    await first;
    const before = reads();
    const outcome = (await conversation.send('Hello again')).outcome();
    await cluster.step('a');
    expect(await outcome).toMatchObject({ text: 'done' });
    expect(reads() - before).toBe(1);
  });

  it('is read at once for a turn whose end was told before the wait began', async () => {
    const cluster = createTestCluster();
    const conversation = cluster.conversation('a', start);
    const first = (await conversation.send('Hello')).outcome();
    await cluster.step('a');
    await first;
    const turn = await conversation.send('Hello again');
    await cluster.step('a');
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'performance'] });
    expect(await turn.outcome()).toMatchObject({ ok: true });
  });
});

describe('a worker in the same process', () => {
  it('hands the outcome over without reading it, and it is what the journal has', async () => {
    const { journal, reads } = countReads(memoryJournal());
    const { transport } = createFakeCli([text('one'), text('two')], { allowEarlyEnd: true });
    await using cluster = createCluster({ agents: { support: () => ({ transport }) }, journal });
    await cluster.work({ keepWarmMs: 60_000 });
    const conversation = cluster.conversation('a', { agent: 'support' });
    await (await conversation.send('Hello')).outcome();
    const before = reads();
    const turn = await conversation.send('Hello again');
    const [outcome, same] = await Promise.all([turn.outcome(), turn.outcome()]);
    expect(reads()).toBe(before);
    expect(outcome).toMatchObject({ ok: true, text: 'two' });
    expect(outcome).toEqual((await turn.record()).outcome);
    expect(same).toEqual(outcome);
    expect(same).not.toBe(outcome);
  });

  it('hands nothing over that the journal has not accepted', () => {
    const ends = new TurnEnds();
    const told: unknown[] = [];
    const forget = ends.on('u', (outcome) => told.push(outcome));
    const settle = ends.begin({ uuid: 'u' } as TurnRecord);
    expect(ends.settled('u')).toBeDefined();
    settle();
    expect(ends.settled('u')).toBeUndefined();
    expect(told).toEqual([]);
    forget();
    ends.begin({ uuid: 'u' } as TurnRecord)({ ok: true, kind: 'ok', text: '', turnCostUsd: 0 });
    expect(told).toEqual([]);
  });
});
