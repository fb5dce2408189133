// Conformance cases for journals: the calls, events and transcripts of turns.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CallRecord } from '@inboard/cluster/journal/records.js';
import {
  createAnswer,
  createOutcome,
  createQuestion,
  expectRefused,
  numbers,
  race,
  type JournalCheck,
} from './journal-check.js';

const RACERS = 12;
const MANY_ENTRIES = 5000;

function createCall(turn: string, more: Partial<CallRecord> = {}): CallRecord {
  return { callKey: `call-${randomUUID()}`, turn, toolName: 'pay', input: { order: 7 }, ...more };
}

/** Cases about calls, events and transcripts. */
export const RECORD_CASES: readonly JournalCheck[] = [
  {
    name: 'recognizes a call from earlier leases: new, begun, ended',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const call = createCall(turn.id);
      assert.deepEqual(await bench.journal.beginCall(fence, call), { state: 'new' });
      assert.deepEqual(
        await bench.other.beginCall(fence, call),
        { state: 'new' },
        'asked again in one lease it is the same',
      );
      await bench.journal.release(fence);
      const second = await bench.grant(key);
      assert.deepEqual(await bench.journal.beginCall(second, call), { state: 'begun', begun: 1 });
      assert.deepEqual(await bench.journal.beginCall(second, call), { state: 'begun', begun: 1 });
      await bench.journal.release(second);
      const third = await bench.grant(key);
      assert.deepEqual(await bench.other.beginCall(third, call), { state: 'begun', begun: 2 });
      await bench.journal.endCall(third, call.callKey, { content: ['paid \u0000', null] });
      const ended = { state: 'ended', begun: 3, result: { content: ['paid \u0000', null] } };
      assert.deepEqual(await bench.journal.beginCall(third, call), ended, 'also in the lease that ended it');
      await bench.journal.release(third);
      const fourth = await bench.grant(key);
      assert.deepEqual(await bench.other.beginCall(fourth, call), ended);
      const [kept, ...more] = (await bench.other.history(key))?.calls ?? [];
      assert.equal(more.length, 0);
      assert.deepEqual(kept, { ...call, epoch: third.epoch, begun: 3, ended: 1, result: ended.result });
    },
  },
  {
    name: 'counts the leases in which a call was given a result, and keeps the newest',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const call = createCall(turn.id);
      await bench.journal.beginCall(fence, call);
      await bench.journal.endCall(fence, call.callKey, 'one');
      await bench.journal.endCall(fence, call.callKey, null);
      assert.deepEqual(
        await bench.journal.beginCall(fence, call),
        { state: 'ended', begun: 1, result: null },
        'null is a result',
      );
      await bench.journal.release(fence);
      const second = await bench.grant(key);
      await bench.journal.endCall(second, call.callKey, 'two');
      const [kept] = (await bench.other.history(key))?.calls ?? [];
      assert.deepEqual([kept?.begun, kept?.ended, kept?.result, kept?.epoch], [1, 2, 'two', second.epoch]);
    },
  },
  {
    name: 'tells calls of different conversations apart, and refuses the end of one that was not begun',
    async run(bench) {
      const [one, two] = [await bench.run(), await bench.run()];
      const call = createCall(one.turn.id);
      await bench.journal.beginCall(one.fence, call);
      await expectRefused(
        () => bench.journal.endCall(two.fence, call.callKey, 1),
        'INVALID_OPTIONS',
        'a call of another conversation',
      );
      assert.deepEqual(await bench.journal.beginCall(two.fence, { ...call, turn: two.turn.id }), {
        state: 'new',
      });
      await expectRefused(
        () => bench.journal.beginCall(one.fence, createCall('unknown')),
        'TURN_UNKNOWN',
        'an unknown turn',
      );
    },
  },
  {
    name: 'numbers events from 1 without gaps, however many write at the same time',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const texts = (at: number) =>
        [1, 2, 3].map((part) => ({ turn: turn.id, type: 'text' as const, text: `${at}.${part}` }));
      const [ids] = await Promise.all([
        race(bench, RACERS, (journal, at) => journal.publish(fence, texts(at))),
        ...[1, 2, 3].map((at) => bench.other.enqueue({ key, id: `m${at}`, content: at })),
      ]);
      const events = await bench.other.events(key);
      assert.deepEqual(
        events.map(({ id }) => id),
        numbers(2 + RACERS * 3 + 3),
      );
      assert.equal(new Set(ids).size, RACERS);
      for (const [at, last] of ids.entries()) {
        const own = events.filter((event) => event.type === 'text' && event.text.startsWith(`${at}.`));
        assert.deepEqual(
          own.map(({ id }) => id),
          [last - 2, last - 1, last],
          'those of one call stand together',
        );
      }
      assert.equal((await bench.other.conversation(key))?.lastEventId, events.length);
      for (const event of events)
        assert.equal(
          event.epoch,
          event.type === 'text' || (event.type === 'turn' && event.state === 'running') ? fence.epoch : 0,
        );
      assert.ok(events.every((event) => event.key === key && event.at >= turn.sentAt));
    },
  },
  {
    name: 'reads the events after any event, up to the limit',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const messages = numbers(20).map((message) => ({ turn: turn.id, type: 'message' as const, message }));
      assert.equal(await bench.journal.publish(fence, messages), 22);
      assert.equal(await bench.journal.publish(fence, []), 22);
      const read = async (after?: number, limit?: number): Promise<number[]> =>
        (await bench.other.events(key, { after, limit })).map(({ id }) => id);
      assert.deepEqual(await read(), numbers(22));
      assert.deepEqual(await read(0, 3), [1, 2, 3]);
      assert.deepEqual(await read(5, 2), [6, 7]);
      assert.deepEqual(await read(21), [22]);
      assert.deepEqual(await read(22), []);
      assert.deepEqual(await read(1000), []);
      assert.deepEqual(await bench.other.events(bench.key()), []);
      const [, , third] = await bench.other.events(key);
      assert.deepEqual(third?.type === 'message' && third.message, 1);
    },
  },
  {
    name: 'adds events only once when they are published again because the answer was lost',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const events = [{ turn: turn.id, type: 'text' as const, text: 'a' }];
      const id = await bench.journal.publish(fence, events, 'batch-1');
      assert.equal(await bench.other.publish(fence, events, 'batch-1'), id);
      assert.equal(await bench.journal.publish(fence, events, 'batch-2'), id + 1);
      assert.equal(await bench.journal.publish(fence, events), id + 2);
      assert.equal((await bench.other.events(key)).length, id + 2);
    },
  },
  {
    name: 'tells listeners in every process that something may have changed, never from inside a method',
    async run(bench) {
      const key = bench.key();
      const heard = new Set<string>();
      let isInside = false;
      const listen = (change: { key?: string | undefined; kind: string }): void => {
        assert.equal(isInside, false, 'a listener was called inside a method');
        if (change.key === key || change.key === undefined) heard.add(change.kind);
      };
      const failing = await bench.other.listen(() => {
        throw new Error('a listener that fails must do no harm');
      });
      const listening = await bench.other.listen(listen);
      const expectHeard = async (kind: string, act: () => Promise<unknown>): Promise<void> => {
        heard.clear();
        isInside = true;
        const acted = act();
        isInside = false;
        await acted;
        await bench.until(`a listener was told of "${kind}"`, async () => heard.has(kind));
      };
      await expectHeard('inbox', () => bench.send(key));
      const fence = await bench.grant(key);
      const turn = await bench.journal.next(fence);
      assert.ok(turn);
      await expectHeard('events', () =>
        bench.journal.publish(fence, [{ turn: turn.id, type: 'text', text: 'x' }]),
      );
      const question = createQuestion();
      await expectHeard('question', () => bench.journal.ask(fence, turn.id, question));
      await expectHeard('answer', () => bench.journal.answer(question.id, createAnswer()));
      await expectHeard('stop', () => bench.journal.interrupt(key));
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      await expectHeard('stop', () => bench.journal.remove(key));
      await listening[Symbol.asyncDispose]();
      await failing[Symbol.asyncDispose]();
      heard.clear();
      await bench.send(key);
      await bench.journal.stats();
      assert.deepEqual([...heard], [], 'who listens no longer is told no more');
    },
  },
  {
    name: 'keeps transcripts under a fence, for readers everywhere, with thousands of entries',
    async run(bench) {
      const { key, fence } = await bench.run();
      const { sessionId } = (await bench.journal.conversation(key)) ?? { sessionId: '' };
      const at = { projectKey: 'cluster', sessionId };
      const entries = Array.from({ length: MANY_ENTRIES }, (_, index) => ({
        type: 'user',
        uuid: randomUUID(),
        index,
      }));
      const store = bench.journal.store(fence);
      await store.append(at, entries.slice(0, 10));
      await store.append(at, entries.slice(5));
      assert.deepEqual(await bench.other.store().load(at), entries);
      const history = await bench.other.history(key);
      assert.deepEqual(
        history?.entries.map(({ entry }) => entry),
        entries,
      );
      assert.ok(history?.entries.every(({ epoch }) => epoch === fence.epoch));
      await bench.journal.remove(key);
      assert.equal(await bench.other.store().load(at), null, 'a removed conversation has no transcript');
    },
  },
  {
    name: 'lets nobody write a transcript without a fence',
    async run(bench) {
      const store = bench.journal.store();
      const at = { projectKey: 'cluster', sessionId: randomUUID() };
      await expectRefused(
        () => store.append(at, [{ type: 'user' }]),
        'INVALID_OPTIONS',
        'an append without a fence',
      );
      await expectRefused(
        async () => await store.delete?.(at),
        'INVALID_OPTIONS',
        'a deletion without a fence',
      );
      assert.equal(await store.load(at), null);
    },
  },
];
