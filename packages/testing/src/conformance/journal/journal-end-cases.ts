// Conformance cases for two optional features of journals. One tells listeners when a turn ends. The other ends a turn
// and begins the next one in one call.
import assert from 'node:assert/strict';
import { LeaseLostError } from '@inboard/core/errors.js';
import {
  createOutcome,
  createQuestion,
  LONG_LEASE_MS,
  SHORT_LEASE_MS,
  type JournalCheck,
} from './journal-check.js';

export const JOURNAL_END_CASES: readonly JournalCheck[] = [
  {
    name: 'tells of every end of a turn, and of the removal of a conversation, if it says that it does',
    async run(bench) {
      if (bench.other.tellsEnded !== true) return;
      const heard: string[] = [];
      const listening = await bench.other.listen(({ key, kind }) => heard.push(`${kind} ${key}`));
      const expectEnd = async (key: string, end: () => Promise<unknown>, kind = 'ended'): Promise<void> => {
        heard.length = 0;
        await end();
        await bench.until(`a listener was told "${kind}"`, async () => heard.includes(`${kind} ${key}`));
      };
      const { key, fence, turn } = await bench.run();
      await expectEnd(key, () => bench.journal.finish(fence, turn.id, { outcome: createOutcome() }));
      const waiting = await bench.send(key);
      await expectEnd(key, () => bench.journal.cancel(key, waiting.id));
      await bench.send(key);
      const parked = await bench.journal.next(fence);
      assert.ok(parked);
      const question = createQuestion();
      await bench.journal.ask(fence, parked.id, question);
      await bench.journal.park(fence, parked.id, { questions: [question.id], turnCostUsd: 0 });
      await expectEnd(key, () => bench.journal.interrupt(key));
      await bench.send(key);
      await expectEnd(key, () => bench.journal.closeConversation(key));
      await expectEnd(key, () => bench.journal.remove(key), 'stop');
      await listening[Symbol.asyncDispose]();
    },
  },
  {
    name: 'ends a turn and begins the next in one call, once, if it has a method for that',
    async run(bench) {
      const { journal, other } = bench;
      if (!journal.finishAndNext || !other.finishAndNext) return;
      const key = bench.key();
      const [one, two] = [await bench.send(key), await bench.send(key)];
      const fence = await bench.grant(key);
      await journal.next(fence);
      const end = {
        outcome: createOutcome({ text: 'end', turnCostUsd: 1 }),
        events: [{ turn: one.id, type: 'text' as const, text: 'last' }],
      };
      const first = await journal.finishAndNext(fence, one.id, end);
      assert.equal(first.ended, true);
      assert.deepEqual(
        [first.next?.id, first.next?.state, first.next?.attempt, first.next?.epoch],
        [two.id, 'running', 1, fence.epoch],
      );
      assert.deepEqual((await other.turn(key, one.id))?.outcome, end.outcome);
      const again = await other.finishAndNext(fence, one.id, { outcome: createOutcome({ text: 'other' }) });
      assert.equal(again.ended, false, 'asked again after a lost answer, it ends nothing');
      assert.deepEqual(again.next, first.next, 'and it is the same turn, and no other attempt');
      assert.deepEqual(await other.next(fence), first.next);
      const last = await journal.finishAndNext(fence, two.id, { outcome: createOutcome() });
      assert.deepEqual([last.ended, last.next], [true, undefined]);
      const told = (await other.events(key)).map((event) =>
        event.type === 'turn' ? `${event.turn === one.id ? 1 : 2} ${event.state}` : event.type,
      );
      assert.deepEqual(told, [
        '1 queued',
        '2 queued',
        '1 running',
        'text',
        '1 ended',
        '2 running',
        '2 ended',
      ]);
    },
  },
  {
    name: 'with a lease that has expired, ends a turn and begins none; with a lost one, does neither',
    async run(bench) {
      const { journal } = bench;
      if (!journal.finishAndNext) return;
      const { key, fence, turn: one } = await bench.run(SHORT_LEASE_MS);
      const two = await bench.send(key);
      await bench.expire(key);
      const late = await journal.finishAndNext(fence, one.id, { outcome: createOutcome() });
      assert.deepEqual([late.ended, late.next], [true, undefined]);
      assert.equal((await journal.turn(key, one.id))?.state, 'ended');
      assert.equal((await journal.turn(key, two.id))?.state, 'queued');
      const newer = await bench.grant(key, LONG_LEASE_MS);
      await journal.next(newer);
      await assert.rejects(
        async () => await journal.finishAndNext?.(fence, two.id, { outcome: createOutcome() }),
        (error) => error instanceof LeaseLostError,
      );
      assert.equal((await journal.turn(key, two.id))?.state, 'running');
    },
  },
];
