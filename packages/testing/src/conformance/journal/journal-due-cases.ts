// Conformance cases for journals: which conversations are due because no worker has them, and which a pause holds back.
import assert from 'node:assert/strict';
import {
  createAnswer,
  createOutcome,
  createQuestion,
  expectRefused,
  grantedOf,
  LONG_LEASE_MS,
  race,
  SHORT_LEASE_MS,
  type JournalCheck,
} from './journal-check.js';

const RACERS = 12;
/** The duration of a lease that is to run out soon, but not in a case on a slow machine. */
const NEAR_MS = 60_000;

/** Cases about due conversations, and about pauses. */
export const DUE_CASES: readonly JournalCheck[] = [
  {
    name: 'finds what is due: recovered conversations first, then those that have waited longest, up to the limit',
    async run(bench) {
      const keys = [bench.key('a'), bench.key('b'), bench.key('c'), bench.key('d')];
      const [first = '', second = '', third = '', leased = ''] = keys;
      await bench.send(second);
      let sentAt = 0;
      await bench.until(
        'time has passed',
        async () =>
          ({ sentAt } = await bench.send(bench.key())).sentAt > 0 &&
          sentAt > ((await bench.journal.turns(second))[0]?.sentAt ?? 0),
      );
      await bench.send(first);
      await bench.send(leased);
      await bench.run(SHORT_LEASE_MS, third);
      await bench.grant(leased);
      await bench.expire(third);
      assert.deepEqual(await bench.due(keys), [
        { key: third, recovered: true },
        { key: second, recovered: false },
        { key: first, recovered: false },
      ]);
      assert.equal((await bench.journal.due(1)).length, 1);
      await expectRefused(() => bench.journal.due(0), 'INVALID_OPTIONS', 'a limit of 0');
    },
  },
  {
    name: 'puts a turn that was handed over first, until a worker takes it, but not one that failed',
    async run(bench) {
      const waiting = bench.key();
      await bench.send(waiting);
      const { key, fence, turn } = await bench.run();
      const keys = [waiting, key];
      const isRecovered = async (): Promise<boolean | undefined> =>
        (await bench.due(keys)).find((due) => due.key === key)?.recovered;
      await bench.journal.release(fence, { turn: turn.id, turnCostUsd: 0 });
      assert.deepEqual(await bench.due(keys), [
        { key, recovered: true },
        { key: waiting, recovered: false },
      ]);
      const second = await bench.grant(key);
      await bench.journal.next(second);
      await bench.journal.release(second);
      assert.equal(await isRecovered(), false, 'given back without a word');
      const third = await bench.grant(key);
      await bench.journal.next(third);
      await bench.journal.release(third, { turn: turn.id, turnCostUsd: 0, failed: true });
      assert.equal(await isRecovered(), false, 'failed');
    },
  },
  {
    name: 'tells when the next lease runs out, if it tells that, until the lease is renewed or given back',
    async run(bench) {
      const { key, fence } = await bench.run();
      await bench.journal.renew([fence], NEAR_MS);
      const next = async (withinMs: number) => {
        const found = await bench.journal.due(1000, { withinMs });
        return found.find((due) => due.key === key);
      };
      const found = await next(NEAR_MS);
      // A journal may leave this out.
      if (found) {
        assert.equal(found.recovered, true);
        assert.ok(
          found.afterMs !== undefined && found.afterMs > 0 && found.afterMs <= NEAR_MS,
          `afterMs is ${found.afterMs}, not up to ${NEAR_MS}`,
        );
      }
      assert.equal(await next(1), undefined, 'sooner than the lease runs out');
      assert.deepEqual(await bench.due([key]), [], 'not asked for');
      await bench.journal.renew([fence], LONG_LEASE_MS);
      assert.equal(await next(NEAR_MS), undefined, 'renewed');
      await expectRefused(() => bench.journal.due(1, { withinMs: -1 }), 'INVALID_OPTIONS', 'a time below 0');
    },
  },
  {
    name: 'misses nothing that is due when many ask at the same time',
    async run(bench) {
      const keys = Array.from({ length: RACERS }, () => bench.key());
      for (const key of keys) await bench.send(key);
      const found = new Set<string>();
      await bench.until('all were found', async () => {
        const all = await race(bench, 4, (journal) => bench.due(keys, journal));
        for (const { key } of all.flat()) found.add(key);
        return found.size === keys.length;
      });
    },
  },
  {
    name: 'lets an answered turn continue, and finds it due',
    async run(bench) {
      const { key, turn, question } = await bench.park();
      assert.deepEqual(await bench.due([key]), []);
      await bench.other.answer(question, createAnswer());
      assert.deepEqual(await bench.due([key]), [{ key, recovered: false }]);
      const next = await bench.grant(key);
      const again = await bench.journal.next(next);
      assert.deepEqual([again?.id, again?.attempt, again?.tries], [turn.id, 2, 1]);
      assert.ok(await bench.journal.ask(next, turn.id, createQuestion({ id: question, attempt: 2 })));
    },
  },
  {
    name: 'postpones new turns of one tenant or of all, but not turns that have begun',
    async run(bench) {
      const { key: begun, fence } = await bench.run();
      await bench.journal.release(fence);
      const key = bench.key();
      await bench.send(key);
      const other = bench.key();
      await bench.send(other, { start: { agent: 'a', data: null, tenant: `${bench.tenant}-2` } });
      await bench.journal.pause({ tenant: bench.tenant, ms: LONG_LEASE_MS, reason: 'the API refuses more' });
      await bench.other.pause({ tenant: bench.tenant, ms: LONG_LEASE_MS / 2, reason: 'shorter' });
      const answer = await bench.other.lease(key, { owner: 'w', ms: LONG_LEASE_MS });
      assert.ok(answer.state === 'paused' && answer.reason === 'the API refuses more');
      assert.ok(answer.forMs > LONG_LEASE_MS / 2 && answer.forMs <= LONG_LEASE_MS);
      const due = await bench.due([key, other, begun]);
      assert.deepEqual(new Set(due.map((each) => each.key)), new Set([other, begun]));
      grantedOf(await bench.other.lease(begun, { owner: 'w', ms: LONG_LEASE_MS }));
      const pauses = await bench.other.pauses();
      assert.equal(pauses.filter(({ tenant }) => tenant === bench.tenant).length, 1);
    },
  },
  {
    name: 'gives the owner no new turn while turns are postponed, and one afterwards',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      await bench.send(key);
      await bench.other.pause({ tenant: bench.tenant, ms: SHORT_LEASE_MS, reason: 'slow down' });
      assert.equal((await bench.journal.next(fence))?.id, turn.id, 'the one under way goes on');
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      await bench.until('the pause is over', async () => (await bench.journal.next(fence)) !== undefined);
      assert.deepEqual(
        (await bench.journal.pauses()).filter(({ tenant }) => tenant === bench.tenant),
        [],
      );
    },
  },
];
