// Conformance cases for journals: a conversation has at most one lease at a time, the journal's clock decides when it
// ends, and a conversation whose lease has expired is found.
import assert from 'node:assert/strict';
import {
  createOutcome,
  expectRefused,
  grantedOf,
  LONG_LEASE_MS,
  race,
  SHORT_LEASE_MS,
  type JournalCheck,
} from './journal-check.js';

const RACERS = 12;

/** Cases about leases. */
export const LEASE_CASES: readonly JournalCheck[] = [
  {
    name: 'grants a lease to one of many that ask at the same time, and tells the others who has it',
    async run(bench) {
      const key = bench.key();
      await bench.send(key);
      const answers = await race(bench, RACERS, (journal, at) =>
        journal.lease(key, { owner: `w${at}`, ms: LONG_LEASE_MS }),
      );
      const granted = answers.filter(({ state }) => state === 'granted');
      assert.equal(granted.length, 1);
      const { fence, conversation, takenOverAfterMs } = grantedOf(granted[0] as (typeof answers)[number]);
      assert.equal(takenOverAfterMs, undefined);
      assert.equal(conversation.key, key);
      assert.deepEqual([conversation.lease?.owner, conversation.lease?.epoch], [fence.owner, fence.epoch]);
      for (const answer of answers) {
        if (answer.state === 'granted') continue;
        assert.ok(answer.state === 'held' && answer.owner === fence.owner);
        assert.ok(answer.forMs > 0 && answer.forMs <= LONG_LEASE_MS);
      }
      const again = await bench.journal.lease(key, { owner: fence.owner, ms: LONG_LEASE_MS });
      assert.equal(again.state, 'held', 'not even its owner gets another');
      assert.equal((await bench.other.conversation(key))?.lease?.owner, fence.owner);
    },
  },
  {
    name: 'uses epochs that only increase, across all conversations and after a removal',
    async run(bench) {
      const epochs: number[] = [];
      const keys = [bench.key(), bench.key()];
      for (let round = 0; round < 3; round += 1) {
        for (const key of keys) {
          await bench.send(key);
          const fence = await bench.grant(key, LONG_LEASE_MS, round % 2 ? bench.other : bench.journal);
          epochs.push(fence.epoch);
          if (round === 1) await bench.journal.remove(key);
          else await bench.journal.release(fence);
        }
      }
      assert.deepEqual(
        epochs,
        [...new Set(epochs)].sort((one, other) => one - other),
      );
      assert.ok(epochs.every((epoch) => Number.isSafeInteger(epoch) && epoch > 0));
    },
  },
  {
    name: 'says unknown, idle, and until when',
    async run(bench) {
      const asked = { owner: 'w', ms: LONG_LEASE_MS };
      assert.deepEqual(await bench.journal.lease(bench.key(), asked), { state: 'unknown' });
      const key = bench.key();
      await bench.send(key, { afterMs: LONG_LEASE_MS });
      await bench.send(key);
      const later = await bench.journal.lease(key, asked);
      assert.ok(
        later.state === 'idle' && later.afterMs !== undefined,
        'a later turn waits with the one before it',
      );
      assert.ok(later.afterMs > 0 && later.afterMs <= LONG_LEASE_MS);
      assert.deepEqual(await bench.due([key]), []);
      const { key: done, fence, turn } = await bench.run();
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      await bench.journal.release(fence);
      assert.deepEqual(await bench.journal.lease(done, asked), { state: 'idle' });
      const { key: parked } = await bench.park();
      assert.deepEqual(await bench.journal.lease(parked, asked), { state: 'idle' });
      await bench.send(parked);
      assert.deepEqual(
        await bench.journal.lease(parked, asked),
        { state: 'idle' },
        'no turn passes a parked one',
      );
      assert.deepEqual(await bench.due([key, done, parked]), []);
    },
  },
  {
    name: 'lets a turn begin when its time has come',
    async run(bench) {
      const key = bench.key();
      const { notBefore, sentAt } = await bench.send(key, { afterMs: SHORT_LEASE_MS });
      assert.ok(
        notBefore !== undefined &&
          notBefore - sentAt >= SHORT_LEASE_MS - 1 &&
          notBefore - sentAt <= SHORT_LEASE_MS + 1,
      );
      await bench.until('the turn is due', async () => (await bench.due([key])).length === 1);
      const turn = await bench.journal.next(await bench.grant(key));
      assert.ok(turn?.startedAt !== undefined && turn.startedAt >= notBefore);
    },
  },
  {
    name: 'lets a lease expire, and another worker take over under a higher epoch',
    async run(bench) {
      const { takeovers } = await bench.journal.stats();
      const { key, fence, turn } = await bench.run();
      assert.deepEqual(await bench.due([key]), []);
      // The lease becomes short only now, so that it cannot expire on a slow journal before the check above.
      await bench.journal.renew([fence], SHORT_LEASE_MS);
      await bench.expire(key);
      assert.deepEqual(await bench.due([key]), [{ key, recovered: true }]);
      const answer = grantedOf(await bench.other.lease(key, { owner: 'second', ms: LONG_LEASE_MS }));
      assert.ok(answer.fence.epoch > fence.epoch);
      assert.ok(answer.takenOverAfterMs !== undefined && answer.takenOverAfterMs >= 0);
      const again = await bench.other.next(answer.fence);
      assert.deepEqual(
        [again?.id, again?.uuid, again?.attempt, again?.tries, again?.epoch],
        [turn.id, turn.uuid, 2, 2, answer.fence.epoch],
      );
      assert.equal(again?.startedAt, turn.startedAt);
      assert.equal((await bench.journal.stats()).takeovers, takeovers + 1);
      const { leases } = (await bench.journal.history(key)) ?? { leases: [] };
      assert.equal(leases.length, 2);
      const [old, now] = leases;
      assert.ok(
        old && now && !old.released && old.until <= now.grantedAt,
        'the old one was over before the new one began',
      );
    },
  },
  {
    name: 'gives an expired lease to one of many that take over at the same time',
    async run(bench) {
      const { key } = await bench.run(SHORT_LEASE_MS);
      await bench.expire(key);
      const answers = await race(bench, RACERS, (journal, at) =>
        journal.lease(key, { owner: `w${at}`, ms: LONG_LEASE_MS }),
      );
      assert.equal(answers.filter(({ state }) => state === 'granted').length, 1);
    },
  },
  {
    name: 'renews several leases at once, and reports which are lost',
    async run(bench) {
      const [one, two, three] = [await bench.run(), await bench.run(), await bench.run()];
      await bench.journal.release(two.fence);
      await bench.journal.remove(three.key);
      await bench.send(one.key);
      const before = await bench.journal.conversation(one.key);
      const made = [one.fence, two.fence, three.fence, { key: bench.key(), epoch: 1, owner: 'w' }];
      const renewed = await bench.other.renew(made, 2 * LONG_LEASE_MS);
      assert.deepEqual(
        renewed.map(({ key, epoch, held, skipped = false }) => ({ key, epoch, held, skipped })),
        made.map(({ key, epoch }, at) => ({ key, epoch, held: at === 0, skipped: false })),
      );
      const reasons = [undefined, 'released', 'removed', 'removed'];
      for (const [at, { why }] of renewed.entries())
        assert.ok(why === undefined || why === reasons[at], `${why} is not why the lease ${at + 1} is lost`);
      const found = await bench.journal.conversation(one.key);
      assert.ok(
        found?.lease && before?.lease && found.lease.expiresAt >= before.lease.expiresAt + LONG_LEASE_MS,
        'it is valid for longer now',
      );
      assert.equal(renewed[0]?.hasWork, true);
      assert.deepEqual(await bench.journal.renew([], LONG_LEASE_MS), []);
    },
  },
  {
    name: 'does not renew a lease that has expired, whether somebody took it or not',
    async run(bench) {
      const { key, fence } = await bench.run(SHORT_LEASE_MS);
      await bench.expire(key);
      const [late] = await bench.journal.renew([fence], LONG_LEASE_MS);
      assert.equal(late?.held, false, 'nobody took it, and its worker has given it up');
      assert.ok(late.why === undefined || late.why === 'late', `it is not ${late.why}`);
      assert.equal((await bench.journal.conversation(key))?.lease, undefined);
      assert.deepEqual(await bench.due([key]), [{ key, recovered: true }]);
      await bench.grant(key);
      const [taken] = await bench.journal.renew([fence], LONG_LEASE_MS);
      assert.equal(taken?.held, false);
      assert.ok(taken.why === undefined || taken.why === 'taken', `it is not ${taken.why}`);
      assert.equal((await bench.journal.history(key))?.leases.length, 2);
    },
  },
  {
    name: 'begins no turn, and counts no try, under a lease that has expired',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      const { id } = await bench.send(key);
      await bench.journal.renew([fence], SHORT_LEASE_MS);
      await bench.expire(key);
      await expectRefused(() => bench.journal.next(fence), 'LEASE_LOST', 'next() under a lease that is over');
      const found = await bench.journal.turn(key, id);
      assert.deepEqual([found?.state, found?.attempt, found?.tries], ['queued', 0, 0]);
      assert.equal(await bench.journal.release(fence), true, 'it can still be released');
      assert.equal(await bench.countEvents(key, id, 'running'), 0);
    },
  },
  {
    name: 'lets a worker release a lease that has expired, with a turn that counts as a try and goes first',
    async run(bench) {
      const { key, fence, turn } = await bench.run(SHORT_LEASE_MS);
      await bench.expire(key);
      const left = { turn: turn.id, turnCostUsd: 0, failed: true, cutOff: true };
      assert.equal(await bench.journal.release(fence, left), true);
      const found = await bench.journal.turn(key, turn.id);
      assert.deepEqual([found?.state, found?.attempt, found?.tries], ['running', 1, 1]);
      assert.deepEqual(await bench.due([key]), [{ key, recovered: true }]);
      const answer = grantedOf(await bench.other.lease(key, { owner: 'second', ms: LONG_LEASE_MS }));
      assert.equal(answer.takenOverAfterMs, undefined);
    },
  },
  {
    name: 'tells the owner about waiting work, and about a turn to end',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const look = async (): Promise<unknown> => {
        const [{ hasWork, stop } = {}] = await bench.journal.renew([fence], LONG_LEASE_MS);
        return stop === undefined ? { hasWork } : { hasWork, stop };
      };
      assert.deepEqual(await look(), { hasWork: false }, 'only the turn that it works on');
      const { id } = await bench.send(key, { afterMs: LONG_LEASE_MS });
      assert.deepEqual(await look(), { hasWork: false }, 'a turn that may not begin yet');
      await bench.journal.cancel(key, id);
      const { id: second } = await bench.send(key);
      assert.deepEqual(await look(), { hasWork: true }, 'a turn behind the one under way');
      await bench.other.interrupt(key);
      assert.deepEqual(await look(), { hasWork: true, stop: turn.id });
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      assert.deepEqual(await look(), { hasWork: true }, 'one that may begin');
      await bench.journal.next(fence);
      assert.deepEqual(await look(), { hasWork: false });
      await bench.journal.finish(fence, second, { outcome: createOutcome() });
      assert.deepEqual(await look(), { hasWork: false }, 'nothing');
    },
  },
  {
    name: 'tells a worker that takes over about the turn it has not looked at yet',
    async run(bench) {
      const { key, fence } = await bench.run();
      await bench.journal.release(fence);
      const next = await bench.grant(key);
      assert.equal((await bench.journal.renew([next], LONG_LEASE_MS))[0]?.hasWork, true);
      await bench.journal.next(next);
      assert.equal((await bench.journal.renew([next], LONG_LEASE_MS))[0]?.hasWork, false);
    },
  },
  {
    name: 'releases a lease once, and gives the conversation to the next worker at once, without a takeover',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const results = await race(bench, RACERS, (journal) => journal.release(fence));
      assert.equal(results.filter(Boolean).length, 1);
      assert.equal((await bench.journal.conversation(key))?.lease, undefined);
      assert.deepEqual(await bench.due([key]), [{ key, recovered: false }]);
      const answer = grantedOf(await bench.other.lease(key, { owner: 'second', ms: LONG_LEASE_MS }));
      assert.equal(answer.takenOverAfterMs, undefined);
      assert.equal((await bench.other.next(answer.fence))?.id, turn.id);
      const [old] = (await bench.journal.history(key))?.leases ?? [];
      assert.equal(old?.released, true);
      assert.equal(await bench.journal.release({ key: bench.key(), epoch: 1, owner: 'w' }), false);
    },
  },
  {
    name: 'counts the cost of a turn that is handed over, but not as an attempt',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      await bench.journal.release(fence, { turn: turn.id, turnCostUsd: 0.25 });
      let found = await bench.journal.turn(key, turn.id);
      assert.deepEqual(
        [found?.state, found?.attempt, found?.tries, found?.turnCostUsd],
        ['running', 1, 0, 0.25],
      );
      const second = await bench.grant(key);
      await bench.journal.next(second);
      await bench.journal.release(second, {
        turn: turn.id,
        turnCostUsd: 0.5,
        failed: true,
        afterMs: LONG_LEASE_MS,
      });
      found = await bench.journal.turn(key, turn.id);
      assert.deepEqual(
        [found?.state, found?.attempt, found?.tries, found?.turnCostUsd],
        ['running', 2, 1, 0.75],
      );
      const answer = await bench.journal.lease(key, { owner: 'w', ms: LONG_LEASE_MS });
      assert.ok(
        answer.state === 'idle' && answer.afterMs !== undefined && answer.afterMs > 0,
        'it is put off',
      );
      assert.deepEqual(await bench.due([key]), []);
      assert.equal(await bench.journal.spent({ tenant: bench.tenant }), 0.75);
      // An interrupted turn is due at once, although its next attempt was put off.
      await bench.journal.interrupt(key);
      assert.deepEqual(await bench.due([key]), [{ key, recovered: false }]);
    },
  },
];
