// Conformance cases for what journals say of turns that nobody works on: what they wait for, and whether a try has failed. A journal
// need not say it.
import assert from 'node:assert/strict';
import type { TurnWait } from '@inboard/cluster/journal/records.js';
import { createOutcome, SHORT_LEASE_MS, type JournalBench, type JournalCheck } from './journal-check.js';

const LATER_MS = 600_000;

async function saysWhatWaits({ journal }: JournalBench): Promise<boolean> {
  return (await journal.stats()).waiting !== undefined;
}

/** Cases about turns that wait or are tried again. */
export const WAITING_CASES: readonly JournalCheck[] = [
  {
    name: 'says what a turn waits for while nobody works on it, and counts and lists those that wait',
    async run(bench) {
      if (!(await saysWhatWaits(bench))) return;
      const { journal, other, tenant } = bench;
      const place = bench.key();
      await bench.send(place);
      const time = bench.key();
      await bench.send(time, { afterMs: LATER_MS });
      const { key: answer } = await bench.park();
      const working = await bench.run();
      const idle = await bench.run();
      await journal.finish(idle.fence, idle.turn.id, { outcome: createOutcome() });
      const reserves = journal.reserve !== undefined;
      const lined = await bench.run();
      if (journal.reserve) {
        const budgets = [{ of: 'tenant', usd: 1 }] as const;
        await journal.reserve(working.fence, working.turn.id, { budgets, waits: true });
        await journal.reserve(lined.fence, lined.turn.id, { budgets, waits: true });
        await journal.release(lined.fence, { turn: lined.turn.id, turnCostUsd: 0, afterMs: LATER_MS });
      }
      const waits = async (key: string): Promise<TurnWait | undefined> =>
        (await other.conversation(key))?.waitsFor;
      assert.equal(await waits(place), 'place');
      assert.equal(await waits(time), 'time');
      assert.equal(await waits(answer), 'answer');
      assert.equal(await waits(working.key), undefined, 'somebody works on it');
      assert.equal(await waits(idle.key), undefined, 'there is nothing to do');
      assert.equal(await waits(lined.key), reserves ? 'budget' : undefined);
      const list = async (waitsFor: TurnWait): Promise<string[]> =>
        (await other.conversations({ tenant, waitsFor })).map(({ key }) => key);
      assert.deepEqual(await list('place'), [place]);
      assert.deepEqual(await list('time'), [time]);
      assert.deepEqual(await list('answer'), [answer]);
      assert.deepEqual(await list('budget'), reserves ? [lined.key] : []);
      const counts = { place: 1, time: 1, answer: 1, budget: reserves ? 1 : 0, pause: 0, lease: 0 };
      assert.deepEqual((await other.stats({ tenant })).waiting, counts);
      // Money that is given back wakes the next one.
      await journal.finish(working.fence, working.turn.id, { outcome: createOutcome() });
      if (reserves) assert.equal(await waits(lined.key), 'place');
      await journal.pause({ tenant, ms: LATER_MS, reason: '429' });
      assert.deepEqual(await list('pause'), [place], 'a turn under way waits for no pause');
    },
  },
  {
    name: 'says how long a turn that was answered, handed over or cut off has waited for a place',
    async run(bench) {
      if (!(await saysWhatWaits(bench))) return;
      const { journal, other, tenant } = bench;
      const longest = async (): Promise<number> => (await other.stats({ tenant })).oldestQueuedMs;
      const waits = (why: string): Promise<void> =>
        bench.until(`a turn has waited that was ${why}`, async () => (await longest()) >= 20);
      const parked = await bench.park();
      assert.equal(await longest(), 0, 'a person is waited for');
      await journal.answer(parked.question, { result: { behavior: 'allow' }, answeredAt: 0 });
      await waits('answered');
      const fence = await bench.grant(parked.key);
      assert.equal(await longest(), 0, 'somebody works on it');
      await journal.next(fence);
      await journal.release(fence, { turn: parked.turn.id, turnCostUsd: 0 });
      await waits('handed over');
      const again = await bench.grant(parked.key);
      await journal.next(again);
      await journal.release(again, { turn: parked.turn.id, turnCostUsd: 0, failed: true, afterMs: LATER_MS });
      assert.equal(await longest(), 0, 'it waits for its time');
      await bench.run(SHORT_LEASE_MS);
      await waits('cut off');
    },
  },
  {
    name: 'says how many tries of a turn have failed or were cut off, and lists it among those that failed',
    async run(bench) {
      if (!(await saysWhatWaits(bench))) return;
      const { journal, other, tenant } = bench;
      const { key, fence, turn } = await bench.run();
      const failing = async (): Promise<[string[], number | undefined]> => [
        (await other.conversations({ tenant, failed: true })).map((found) => found.key),
        (await other.conversation(key))?.failedTries,
      ];
      assert.deepEqual(await failing(), [[], undefined], 'the first try is under way');
      await journal.release(fence, { turn: turn.id, turnCostUsd: 0, failed: true, afterMs: LATER_MS });
      assert.deepEqual(await failing(), [[key], 1]);
      assert.equal((await other.conversation(key))?.waitsFor, 'time');
      assert.deepEqual(await other.conversations({ tenant, failed: false }), []);
      // One that was cut off, and one that was handed over in good order.
      const cut = await bench.run(SHORT_LEASE_MS);
      const handed = await bench.run();
      await journal.release(handed.fence, { turn: handed.turn.id, turnCostUsd: 0 });
      await bench.expire(cut.key);
      assert.deepEqual(new Set((await failing())[0]), new Set([key, cut.key]));
      const again = await bench.grant(cut.key);
      await journal.next(again);
      assert.deepEqual(new Set((await failing())[0]), new Set([key, cut.key]));
      await journal.finish(again, cut.turn.id, { outcome: createOutcome() });
      assert.deepEqual(await failing(), [[key], 1]);
    },
  },
  {
    name: 'lists a conversation whose last turn failed whatever it does now, until it is closed',
    async run(bench) {
      if (!(await saysWhatWaits(bench))) return;
      const { journal, other, tenant } = bench;
      const { key, fence, turn } = await bench.run();
      await journal.finish(fence, turn.id, { outcome: createOutcome({ ok: false, kind: 'failed' }) });
      const list = async (filter: object = {}): Promise<string[]> =>
        (await other.conversations({ tenant, failed: true, ...filter })).map((found) => found.key);
      assert.deepEqual(await list(), [key]);
      await bench.send(key);
      assert.deepEqual(await list(), [key], 'queued');
      await journal.next(fence);
      assert.deepEqual(await list(), [key], 'running');
      assert.deepEqual(await list({ state: 'idle' }), []);
      await journal.closeConversation(key);
      assert.deepEqual(await list(), []);
      assert.deepEqual(await list({ state: 'closed' }), [key]);
    },
  },
];
