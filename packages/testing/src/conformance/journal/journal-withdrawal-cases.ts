// Conformance cases for journals: turns that are cancelled or interrupted, and conversations that are closed or
// removed.
import assert from 'node:assert/strict';
import { createOutcome, expectRefused, grantedOf, race, type JournalCheck } from './journal-check.js';

const RACERS = 12;

/** Cases about cancelling, interrupting, closing and removing. */
export const WITHDRAWAL_CASES: readonly JournalCheck[] = [
  {
    name: 'cancels a turn that has not begun, once, and no other turn',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const { id } = await bench.send(key);
      const results = await race(bench, RACERS, (journal) => journal.cancel(key, id));
      assert.equal(results.filter(Boolean).length, 1, 'of many that cancel, one does');
      assert.equal(await bench.journal.cancel(key, turn.id), false, 'a running turn is not cancelled');
      assert.equal(await bench.journal.cancel(key, 'unknown'), false);
      assert.equal(await bench.journal.cancel(bench.key(), id), false);
      const ended = await bench.journal.turn(key, id);
      assert.deepEqual(
        [ended?.state, ended?.outcome?.ok, ended?.outcome?.kind, ended?.attempt],
        ['ended', false, 'cancelled', 0],
      );
      assert.ok(ended?.endedAt !== undefined);
      assert.equal(await bench.countEvents(key, id, 'ended'), 1);
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      assert.equal(await bench.journal.next(fence), undefined, 'a cancelled turn is not worked on');
    },
  },
  {
    name: 'lets either a cancel or a begin win, never both',
    async run(bench) {
      for (let round = 0; round < RACERS; round += 1) {
        const key = bench.key();
        const { id } = await bench.send(key);
        const fence = await bench.grant(key);
        const [cancelled, begun] = await Promise.all([
          bench.other.cancel(key, id),
          bench.journal.next(fence),
        ]);
        assert.equal(cancelled, begun === undefined, `cancelled: ${cancelled}, begun: ${begun?.id}`);
        assert.equal((await bench.journal.turn(key, id))?.state, cancelled ? 'ended' : 'running');
      }
    },
  },
  {
    name: 'asks a running turn to end, and ends a parked one at once',
    async run(bench) {
      const { key, turn } = await bench.run();
      assert.equal(await bench.other.interrupt(key), true);
      const stopped = await bench.journal.turn(key, turn.id);
      assert.deepEqual([stopped?.state, stopped?.stop], ['running', 'interrupt']);
      assert.equal(await bench.other.interrupt(key), true, 'again, it still is under way');

      const parked = await bench.park();
      const [first, second] = [
        await bench.other.interrupt(parked.key),
        await bench.other.interrupt(parked.key),
      ];
      assert.deepEqual([first, second], [true, false]);
      const ended = await bench.journal.turn(parked.key, parked.turn.id);
      assert.deepEqual(
        [ended?.state, ended?.outcome?.ok, ended?.outcome?.kind, ended?.outcome?.turnCostUsd],
        ['ended', false, 'interrupted', 0.5],
      );
      assert.deepEqual(
        await bench.journal.questions({ key: parked.key }),
        [],
        'nobody has to answer any more',
      );
      assert.deepEqual(
        await bench.journal.answer(parked.question, {
          result: { behavior: 'deny', message: 'no' },
          answeredAt: 0,
        }),
        { taken: false },
      );
      assert.equal(await bench.countEvents(parked.key, parked.turn.id, 'ended'), 1);
    },
  },
  {
    name: 'interrupts nothing where nothing is under way',
    async run(bench) {
      const key = bench.key();
      assert.equal(await bench.journal.interrupt(key), false, 'an unknown conversation');
      const { id } = await bench.send(key);
      assert.equal(await bench.journal.interrupt(key), false, 'a turn that has not begun');
      assert.equal((await bench.journal.turn(key, id))?.stop, undefined);
    },
  },
  {
    name: 'closes a conversation: refuses messages, cancels those waiting, and interrupts the one in progress',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const waiting = [await bench.send(key), await bench.send(key)];
      await bench.other.closeConversation(key);
      await bench.other.closeConversation(key);
      const found = await bench.journal.conversation(key);
      assert.deepEqual([found?.state, found?.queued], ['closed', 0]);
      assert.ok(found?.closedAt !== undefined);
      for (const { id } of waiting)
        assert.equal((await bench.journal.turn(key, id))?.outcome?.kind, 'cancelled');
      assert.equal((await bench.journal.turn(key, turn.id))?.stop, 'interrupt');
      await expectRefused(() => bench.send(key), 'CONVERSATION_CLOSED', 'a message to a closed conversation');
      const again = await bench.journal.enqueue({ key, id: turn.id, content: 'again' });
      assert.deepEqual([again.isNew, again.turn.place], [false, 1], 'a message that is known is known');
      // The worker that has the lease can still write the outcome.
      assert.equal(
        await bench.journal.finish(fence, turn.id, { outcome: createOutcome({ kind: 'interrupted' }) }),
        true,
      );
      await expectRefused(
        () => bench.journal.closeConversation(bench.key()),
        'CONVERSATION_UNKNOWN',
        'an unknown conversation',
      );
    },
  },
  {
    name: 'lets a closed conversation be leased while its turn is under way, but not after',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      await bench.journal.closeConversation(key);
      await bench.journal.release(fence);
      const next = await bench.grant(key);
      assert.equal((await bench.journal.next(next))?.stop, 'interrupt');
      await bench.journal.finish(next, turn.id, { outcome: createOutcome() });
      await bench.journal.release(next);
      assert.deepEqual(await bench.journal.lease(key, { owner: 'w', ms: 1000 }), { state: 'idle' });
    },
  },
  {
    name: 'removes everything that belongs to a conversation, for everybody, and starts over under the same key',
    async run(bench) {
      const { key, turn, question } = await bench.park();
      const { sessionId } = (await bench.journal.conversation(key)) ?? {};
      const results = await race(bench, RACERS, (journal) => journal.remove(key));
      assert.equal(results.filter(Boolean).length, 1, 'of many that remove, one does');
      assert.equal(await bench.other.conversation(key), undefined);
      assert.equal(await bench.other.turn(key, turn.id), undefined);
      assert.deepEqual(await bench.other.turns(key), []);
      assert.deepEqual(await bench.other.events(key), []);
      assert.deepEqual(await bench.other.questions({ id: question, answered: true }), []);
      assert.equal(await bench.other.history(key), undefined);
      assert.deepEqual(await bench.other.lease(key, { owner: 'w', ms: 1000 }), { state: 'unknown' });
      const again = await bench.send(key, { id: turn.id, content: 'anew' });
      assert.deepEqual([again.place, again.attempt, again.content], [1, 0, 'anew']);
      const made = await bench.journal.conversation(key);
      assert.notEqual(made?.sessionId, sessionId, 'the transcript is another');
      assert.deepEqual([made?.lastEventId, made?.totalCostUsd, made?.turns], [1, 0, 1]);
      grantedOf(await bench.journal.lease(key, { owner: 'w', ms: 1000 }));
    },
  },
];
