// Conformance cases for journals: how the current turn is given to a worker, parked and ended, and how its costs are
// counted.
import assert from 'node:assert/strict';
import {
  createAnswer,
  createOutcome,
  createQuestion,
  expectRefused,
  race,
  type JournalCheck,
} from './journal-check.js';

const RACERS = 12;

/** Cases about the current turn. */
export const TURN_CASES: readonly JournalCheck[] = [
  {
    name: 'gives turns in the order of their places, one at a time',
    async run(bench) {
      const key = bench.key();
      const sent = [await bench.send(key), await bench.send(key), await bench.send(key)];
      const fence = await bench.grant(key);
      for (const { id } of sent) {
        const [one, other] = [await bench.journal.next(fence), await bench.other.next(fence)];
        assert.equal(one?.id, id);
        assert.deepEqual(other, one, 'asked again, it is the same, and no other attempt');
        assert.deepEqual([one?.state, one?.attempt, one?.tries, one?.epoch], ['running', 1, 1, fence.epoch]);
        assert.ok(one?.startedAt !== undefined && one.startedAt >= one.sentAt);
        assert.equal((await bench.journal.conversation(key))?.state, 'running');
        assert.equal(await bench.journal.finish(fence, id, { outcome: createOutcome({ text: id }) }), true);
      }
      assert.equal(await bench.journal.next(fence), undefined);
      const events = (await bench.other.events(key)).filter(({ type }) => type === 'turn');
      assert.equal(events.length, sent.length * 3);
      assert.deepEqual((await bench.other.conversation(key))?.state, 'idle');
    },
  },
  {
    name: 'ends a turn once, however many end it at the same time, with its events before it',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const outcomes = await race(bench, RACERS, (journal, at) =>
        journal.finish(fence, turn.id, {
          outcome: createOutcome({ text: `end ${at}`, turnCostUsd: 1, rounds: 2, structuredOutput: { at } }),
          events: [{ turn: turn.id, type: 'message', message: { at } }],
        }),
      );
      assert.equal(outcomes.filter(Boolean).length, 1, 'exactly one ends it');
      const at = outcomes.indexOf(true);
      const ended = await bench.other.turn(key, turn.id);
      assert.equal(ended?.state, 'ended');
      assert.deepEqual(
        ended?.outcome,
        createOutcome({ text: `end ${at}`, turnCostUsd: 1, rounds: 2, structuredOutput: { at } }),
      );
      assert.ok(
        ended?.endedAt !== undefined && ended.startedAt !== undefined && ended.endedAt >= ended.startedAt,
      );
      const events = await bench.other.events(key);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['turn', 'turn', 'message', 'turn'],
      );
      const [, , message, end] = events;
      assert.ok(message?.type === 'message' && end?.type === 'turn');
      assert.deepEqual([message.message, end.state, end.outcome], [{ at }, 'ended', ended?.outcome]);
      assert.equal((await bench.other.conversation(key))?.totalCostUsd, 1, 'it is paid once');
    },
  },
  {
    name: 'refuses to end a turn that does not exist or has not begun',
    async run(bench) {
      const { key, fence } = await bench.run();
      const { id } = await bench.send(key);
      const before = await bench.snapshot(key);
      const end = { outcome: createOutcome() };
      await expectRefused(
        () => bench.journal.finish(fence, 'unknown', end),
        'TURN_UNKNOWN',
        'an unknown turn',
      );
      await expectRefused(
        () => bench.journal.finish(fence, id, end),
        'TURN_UNKNOWN',
        'a turn that has not begun',
      );
      assert.deepEqual(await bench.snapshot(key), before);
    },
  },
  {
    name: 'parks a turn until one of its questions is answered',
    async run(bench) {
      const { key, turn, fence, question } = await bench.park();
      const parked = await bench.other.turn(key, turn.id);
      assert.deepEqual(
        [parked?.state, parked?.attempt, parked?.tries, parked?.turnCostUsd],
        ['parked', 1, 0, 0.5],
      );
      assert.equal((await bench.other.conversation(key))?.state, 'parked');
      assert.equal(await bench.countEvents(key, turn.id, 'parked'), 1);
      await expectRefused(() => bench.journal.next(fence), 'LEASE_LOST', 'a lease that was given back');
      await bench.other.answer(question, createAnswer());
      const again = await bench.other.turn(key, turn.id);
      assert.deepEqual([again?.state, again?.attempt], ['running', 1]);
      assert.equal(await bench.countEvents(key, turn.id, 'running'), 2);
    },
  },
  {
    name: 'gives no turn under a lease whose turn is parked, and continues under it once its question is answered',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      await bench.send(key);
      const question = createQuestion();
      await bench.journal.ask(fence, turn.id, question);
      assert.equal(
        await bench.journal.park(fence, turn.id, { questions: [question.id], turnCostUsd: 0 }),
        true,
      );
      assert.equal(await bench.journal.next(fence), undefined);
      assert.equal((await bench.journal.renew([fence], 60_000))[0]?.hasWork, false);
      await bench.other.answer(question.id, createAnswer());
      const again = await bench.journal.next(fence);
      assert.deepEqual([again?.id, again?.attempt], [turn.id, 1], 'the same lease is the same attempt');
    },
  },
  {
    name: 'does not park a turn whose question is answered, withdrawn or unknown, or one that must end',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const [answered, withdrawn, open] = [createQuestion(), createQuestion(), createQuestion()];
      for (const question of [answered, withdrawn, open]) await bench.journal.ask(fence, turn.id, question);
      await bench.other.answer(answered.id, createAnswer());
      await bench.journal.withdraw(fence, withdrawn.id);
      const before = await bench.snapshot(key);
      const tryPark = async (questions: string[]): Promise<boolean> =>
        await bench.journal.park(fence, turn.id, { questions, turnCostUsd: 1 });
      assert.equal(await tryPark([open.id, answered.id]), false, 'one of them is answered');
      assert.equal(await tryPark([open.id, withdrawn.id]), false, 'one of them is withdrawn');
      assert.equal(await tryPark([open.id, 'unknown']), false, 'one of them is unknown');
      assert.equal(await tryPark([]), false, 'without a question it would never go on');
      assert.deepEqual(await bench.snapshot(key), before, 'nothing happened');
      await bench.other.interrupt(key);
      assert.equal(await tryPark([open.id]), false, 'somebody wants it to end');
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      assert.equal(await tryPark([open.id]), false, 'it has ended');
      await expectRefused(
        () => bench.journal.park(fence, 'unknown', { questions: [open.id], turnCostUsd: 0 }),
        'TURN_UNKNOWN',
        'an unknown turn',
      );
    },
  },
  {
    name: 'never leaves a turn parked that is answered, or told to end, at the same time',
    async run(bench) {
      for (let round = 0; round < RACERS; round += 1) {
        const { key, fence, turn } = await bench.run();
        const question = createQuestion();
        await bench.journal.ask(fence, turn.id, question);
        const isAnswer = round % 2 === 0;
        const [parked] = await Promise.all([
          bench.journal.park(fence, turn.id, { questions: [question.id], turnCostUsd: 0 }),
          isAnswer ? bench.other.answer(question.id, createAnswer()) : bench.other.interrupt(key),
        ]);
        const found = await bench.journal.turn(key, turn.id);
        assert.notEqual(found?.state, 'parked');
        if (!isAnswer) assert.equal(found?.state, parked ? 'ended' : 'running');
      }
    },
  },
  {
    name: 'counts the cost of a turn once: in parts while it runs, the rest at its end',
    async run(bench) {
      const { key, turn, question } = await bench.park();
      assert.equal(await bench.other.spent({ tenant: bench.tenant }), 0.5, 'parked: counted already');
      await bench.other.answer(question, createAnswer());
      const second = await bench.grant(key);
      await bench.journal.next(second);
      await bench.journal.release(second, { turn: turn.id, turnCostUsd: 0.25 });
      const third = await bench.grant(key);
      await bench.journal.next(third);
      await bench.journal.finish(third, turn.id, { outcome: createOutcome({ turnCostUsd: 2 }) });
      const ended = await bench.other.turn(key, turn.id);
      assert.deepEqual([ended?.turnCostUsd, ended?.outcome?.turnCostUsd], [2, 2]);
      assert.equal((await bench.other.conversation(key))?.totalCostUsd, 2);
      assert.equal(await bench.other.spent({ tenant: bench.tenant }), 2);
      assert.equal(await bench.other.spent({ tenant: bench.tenant, days: 1 }), 2);
      assert.equal(await bench.other.spent({ tenant: `${bench.tenant}-2` }), 0);
      assert.ok((await bench.other.spent()) >= 2);
      await bench.journal.remove(key);
      assert.equal(await bench.other.spent({ tenant: bench.tenant }), 2, 'what was spent stays spent');
    },
  },
  {
    name: 'removes the questions of a turn that ends, except those with an answer',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const [open, answered] = [createQuestion(), createQuestion()];
      for (const question of [open, answered]) await bench.journal.ask(fence, turn.id, question);
      await bench.other.answer(answered.id, createAnswer());
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      const left = await bench.other.questions({ key, answered: true });
      assert.deepEqual(
        left.map(({ id }) => id),
        [answered.id],
      );
      assert.equal((await bench.other.conversation(key))?.questions, 0);
    },
  },
];
