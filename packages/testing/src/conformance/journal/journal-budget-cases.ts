// Conformance cases for the optional `reserve` of journals: running turns hold back what they may spend.
import assert from 'node:assert/strict';
import { LeaseLostError } from '@inboard/core/errors.js';
import type { BudgetLimit, Journal, ReservationAnswer } from '@inboard/cluster/journal/journal.js';
import type { Fence, TurnRecord } from '@inboard/cluster/journal/records.js';
import {
  createAnswer,
  createOutcome,
  createQuestion,
  expectRefused,
  race,
  SHORT_LEASE_MS,
  type JournalBench,
  type JournalCheck,
} from './journal-check.js';

interface Running {
  key: string;
  fence: Fence;
  turn: TurnRecord;
}

const AFTER_MS = 600_000;

/** Reserves money of the tenant's budget. */
async function reserve(
  journal: Journal,
  { fence, turn }: Running,
  usd: number,
  more: {
    atMostUsd?: number;
    turnCostUsd?: number;
    waits?: boolean;
    of?: BudgetLimit['of'];
    days?: number;
  } = {},
): Promise<ReservationAnswer> {
  const { of: whose = 'tenant', days, waits = true, ...rest } = more;
  const answer = await journal.reserve?.(fence, turn.id, {
    budgets: [{ of: whose, usd, days }],
    waits,
    ...rest,
  });
  assert.ok(answer, 'reserve() gave nothing');
  return answer;
}

function expectReserved(answer: ReservationAnswer, usd: number, what: string): void {
  assert.equal(answer.state, 'reserved', `${what}: ${JSON.stringify(answer)}`);
  assert.ok(answer.state === 'reserved' && Math.abs(answer.usd - usd) < 1e-9, `${what}: ${answer.usd}`);
}

async function finish(journal: Journal, { fence, turn }: Running, turnCostUsd: number): Promise<void> {
  await journal.finish(fence, turn.id, { outcome: createOutcome({ turnCostUsd }) });
  await journal.release(fence);
}

/** Begins the turn again under a new lease. */
async function goOn(bench: JournalBench, { key }: Running): Promise<Running> {
  const fence = await bench.grant(key);
  const turn = await bench.journal.next(fence);
  assert.ok(turn, 'next() gave no turn');
  return { key, fence, turn };
}

const cases: readonly JournalCheck[] = [
  {
    name: 'reserves money for a turn once, however often it is asked, and no more than was left or is needed',
    async run(bench) {
      const { journal, other } = bench;
      const one = await bench.run();
      expectReserved(await reserve(journal, one, 1), 1, 'a lone turn gets all that is left');
      expectReserved(await reserve(other, one, 1), 1, 'its own reservation is not in its way');
      expectReserved(await reserve(journal, one, 1, { atMostUsd: 0.25 }), 0.25, 'it may need less');
      const two = await bench.run();
      expectReserved(await reserve(other, two, 1), 0.75, 'the next one gets what is free');
      await finish(journal, one, 0.2);
      await finish(journal, two, 0.7);
      const three = await bench.run();
      expectReserved(await reserve(journal, three, 1, { atMostUsd: 0.25 }), 0.1, 'what was spent is gone');
      await finish(journal, three, 0.1);
      const four = await bench.run();
      assert.deepEqual(await reserve(journal, four, 1), { state: 'usedUp', budget: 0 });
    },
  },
  {
    name: 'never reserves more than a budget, of turns that ask at the same time',
    async run(bench) {
      const turns = await Promise.all(Array.from({ length: 8 }, () => bench.run()));
      const answers = await race(bench, turns.length, (journal, at) =>
        reserve(journal, turns[at] as Running, 1, { atMostUsd: 0.3, waits: false }),
      );
      assert.equal(answers.filter(({ state }) => state === 'reserved').length, 3);
      for (const answer of answers.filter(({ state }) => state !== 'reserved'))
        assert.ok(answer.state === 'taken' && Math.abs(answer.freeUsd - 0.1) < 1e-9, JSON.stringify(answer));
    },
  },
  {
    name: 'tells which budget is in the way, and counts each by itself',
    async run(bench) {
      const { journal } = bench;
      const one = await bench.run();
      await finish(journal, one, 0.5);
      const two = await bench.run();
      const budgets: BudgetLimit[] = [
        { of: 'conversation', usd: 2, days: 2 },
        { of: 'tenant', usd: 0.75, days: 1 },
      ];
      const request = { budgets, waits: true };
      const answer = await journal.reserve?.(two.fence, two.turn.id, request);
      expectReserved(answer as ReservationAnswer, 0.25, 'the least that is left');
      const three = await bench.run();
      const taken = await journal.reserve?.(three.fence, three.turn.id, request);
      assert.ok(taken?.state === 'taken' && taken.budget === 1, JSON.stringify(taken));
      await bench.send(one.key);
      const again = await goOn(bench, one);
      assert.deepEqual(await reserve(journal, again, 0.5, { of: 'conversation' }), {
        state: 'usedUp',
        budget: 0,
      });
    },
  },
  {
    name: 'says of a turn that asks again for the same money for how long it has waited',
    async run(bench) {
      const { journal, other } = bench;
      const [one, two] = [await bench.run(), await bench.run()];
      await reserve(journal, one, 1);
      const budgets: BudgetLimit[] = [
        { of: 'tenant', usd: 1 },
        { of: 'cluster', usd: 1_000_000 },
      ];
      const ask = async (running: Running, given = budgets): Promise<number | undefined> => {
        const answer = await other.reserve?.(running.fence, running.turn.id, { budgets: given, waits: true });
        assert.ok(answer?.state === 'taken', JSON.stringify(answer));
        return answer.waitedMs;
      };
      assert.equal(await ask(two), undefined, 'it begins to wait');
      assert.ok(((await ask(two)) ?? -1) >= 0, 'it is asked again');
      await other.release(two.fence, { turn: two.turn.id, turnCostUsd: 0, afterMs: 1 });
      await bench.until('it is due', async () => (await bench.due([two.key])).length === 1);
      const again = await goOn(bench, two);
      assert.ok(((await ask(again)) ?? -1) > 0, 'under another lease');
      // A budget below what is reserved already is in the way of all.
      assert.equal(await ask(again, [{ of: 'cluster', usd: (await journal.spent()) + 0.5 }]), undefined);
    },
  },
  {
    name: 'wakes the turn that has waited longest when another settles, and keeps the money for it',
    async run(bench) {
      const { journal, other } = bench;
      const one = await bench.run();
      const [two, three, four] = [await bench.run(), await bench.run(), await bench.run()];
      await reserve(journal, one, 1);
      for (const waiting of [two, three]) {
        const answer = await reserve(other, waiting, 1, { atMostUsd: 0.9 });
        assert.equal(answer.state, 'taken');
        await other.release(waiting.fence, { turn: waiting.turn.id, turnCostUsd: 0, afterMs: AFTER_MS });
      }
      const keys = [two.key, three.key];
      assert.deepEqual(await bench.due(keys), []);
      assert.equal(
        (await journal.turn(two.key, two.turn.id))?.tries,
        0,
        'a turn that waits does not count as a try',
      );
      await finish(journal, one, 0.1);
      assert.deepEqual(await bench.due(keys), [{ key: two.key, recovered: false }]);
      assert.equal((await reserve(other, four, 1, { waits: false })).state, 'taken', 'it is promised');
      const woken = await goOn(bench, two);
      expectReserved(await reserve(journal, woken, 1, { atMostUsd: 0.9 }), 0.9, 'the turn that was woken');
      assert.deepEqual(await bench.due(keys), []);
      await journal.remove(two.key);
      assert.deepEqual(await bench.due(keys), [{ key: three.key, recovered: false }]);
    },
  },
  {
    name: 'wakes the one behind a turn that needs more than is free',
    async run(bench) {
      const { journal, other } = bench;
      const [one, two] = [await bench.run(), await bench.run()];
      const [large, small] = [await bench.run(), await bench.run()];
      await reserve(journal, one, 1, { atMostUsd: 0.6 });
      await reserve(journal, two, 1, { atMostUsd: 0.4 });
      for (const [waiting, atMostUsd] of [
        [large, 1],
        [small, 0.3],
      ] as const) {
        assert.equal((await reserve(other, waiting, 1, { atMostUsd })).state, 'taken');
        await other.release(waiting.fence, { turn: waiting.turn.id, turnCostUsd: 0, afterMs: AFTER_MS });
      }
      await finish(journal, two, 0);
      assert.deepEqual(await bench.due([large.key, small.key]), [{ key: large.key, recovered: false }]);
      const woken = await goOn(bench, large);
      assert.equal((await reserve(journal, woken, 1, { atMostUsd: 1 })).state, 'taken');
      await journal.release(woken.fence, { turn: woken.turn.id, turnCostUsd: 0, afterMs: AFTER_MS });
      assert.deepEqual(await bench.due([large.key, small.key]), [{ key: small.key, recovered: false }]);
    },
  },
  {
    name: 'lets a turn give back some of its reservation, whatever others have spent',
    async run(bench) {
      const { journal } = bench;
      const [one, two, three] = [await bench.run(), await bench.run(), await bench.run()];
      await reserve(journal, one, 10, { atMostUsd: 1 });
      await reserve(journal, two, 10, { atMostUsd: 0.5 });
      expectReserved(await reserve(journal, three, 10), 8.5, 'what is free');
      await finish(journal, one, 6);
      expectReserved(await reserve(journal, three, 10, { atMostUsd: 8 }), 8, 'it works on');
      await finish(journal, two, 5);
      expectReserved(await reserve(journal, three, 10, { atMostUsd: 7 }), 7, 'although nothing is left');
    },
  },
  {
    name: 'refuses costs that are no amounts, because they would stay in all sums',
    async run(bench) {
      const { journal } = bench;
      const one = await bench.run();
      const question = createQuestion();
      await journal.ask(one.fence, one.turn.id, question);
      const end = (turnCostUsd: number) => ({ outcome: createOutcome({ turnCostUsd }) });
      for (const turnCostUsd of [NaN, -1, Infinity])
        for (const call of [
          () => journal.finish(one.fence, one.turn.id, end(turnCostUsd)),
          () =>
            journal.finishAndNext?.(one.fence, one.turn.id, end(turnCostUsd)) ??
            journal.finish(one.fence, one.turn.id, end(turnCostUsd)),
          () => journal.park(one.fence, one.turn.id, { questions: [question.id], turnCostUsd }),
          () => journal.release(one.fence, { turn: one.turn.id, turnCostUsd }),
        ])
          await expectRefused(async () => await call(), 'INVALID_OPTIONS', `a cost of ${turnCostUsd}`);
      assert.equal(await journal.spent({ tenant: bench.tenant }), 0);
      expectReserved(await reserve(journal, one, 1), 1, 'nothing was counted, and the turn is under way');
    },
  },
  {
    name: 'wakes a turn also while its worker gives it back',
    async run(bench) {
      const { journal } = bench;
      const [one, two] = [await bench.run(), await bench.run()];
      await reserve(journal, one, 1);
      assert.equal((await reserve(journal, two, 1)).state, 'taken');
      await finish(journal, one, 0.1);
      await journal.release(two.fence, { turn: two.turn.id, turnCostUsd: 0, afterMs: AFTER_MS });
      assert.deepEqual(await bench.due([two.key]), [{ key: two.key, recovered: false }]);
    },
  },
  {
    name: 'gives a reservation back when its turn is parked, handed over or has failed',
    async run(bench) {
      const { journal } = bench;
      for (const how of ['parked', 'handed over', 'failed'] as const) {
        const one = await bench.run();
        await reserve(journal, one, 10, { of: 'tenant', atMostUsd: 10 });
        const question = createQuestion();
        await journal.ask(one.fence, one.turn.id, question);
        if (how === 'parked')
          await journal.park(one.fence, one.turn.id, { questions: [question.id], turnCostUsd: 0 });
        const left = { turn: one.turn.id, turnCostUsd: 0, failed: how === 'failed', afterMs: AFTER_MS };
        await journal.release(one.fence, how === 'parked' ? undefined : left);
        const two = await bench.run();
        expectReserved(await reserve(journal, two, 10), 10, `after one was ${how}`);
        await finish(journal, two, 0);
        if (how !== 'parked') continue;
        await journal.answer(question.id, createAnswer());
        const again = await goOn(bench, one);
        expectReserved(await reserve(journal, again, 10), 10, 'renewed after the answer');
        await finish(journal, again, 0);
      }
    },
  },
  {
    name: 'keeps the reservation of a dead worker for the next attempt, which counts what the one before has cost',
    async run(bench) {
      const { journal } = bench;
      const one = await bench.run();
      await reserve(journal, one, 1, { atMostUsd: 0.75 });
      await journal.renew([one.fence], SHORT_LEASE_MS);
      await bench.expire(one.key);
      const two = await bench.run();
      assert.equal((await reserve(journal, two, 1, { atMostUsd: 0.5, waits: false })).state, 'taken');
      const again = await goOn(bench, one);
      for (const asked of ['first', 'again'])
        expectReserved(await reserve(journal, again, 1, { atMostUsd: 0.75, turnCostUsd: 0.4 }), 0.6, asked);
      assert.equal((await journal.turn(one.key, one.turn.id))?.turnCostUsd, 0.4, 'counted once');
      assert.equal(await journal.spent({ tenant: bench.tenant }), 0.4);
      await finish(journal, again, 0.5);
      assert.equal(await journal.spent({ tenant: bench.tenant }), 0.5);
      expectReserved(await reserve(journal, two, 1), 0.5, 'what is left');
    },
  },
  {
    name: 'reserves under a lease that counts, for the turn under way, and with a budget',
    async run(bench) {
      const { journal } = bench;
      const one = await bench.run();
      await journal.finish(one.fence, one.turn.id, { outcome: createOutcome() });
      await expectRefused(() => reserve(journal, one, 1), 'TURN_UNKNOWN', 'a turn that has ended');
      await journal.release(one.fence);
      await assert.rejects(
        async () => await reserve(journal, one, 1),
        (error) => error instanceof LeaseLostError,
      );
      const two = await bench.run();
      for (const request of [
        { budgets: [], waits: true },
        { budgets: [{ of: 'tenant' as const, usd: 1 }], atMostUsd: -1, waits: true },
      ])
        await expectRefused(
          async () => await journal.reserve?.(two.fence, two.turn.id, request),
          'INVALID_OPTIONS',
          'a reservation without a budget, or below zero',
        );
    },
  },
];

export const BUDGET_CASES: readonly JournalCheck[] = cases.map((each) => ({
  name: `${each.name}, if it reserves`,
  async run(bench) {
    if (bench.journal.reserve) await each.run(bench);
  },
}));
