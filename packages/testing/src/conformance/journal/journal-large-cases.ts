// Conformance cases for journals: results of calls, messages and transcripts that are far larger than a model could
// read.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ClusterEvent, Json } from '@inboard/cluster/journal/records.js';
import { createOutcome, expectRefused, type JournalBench, type JournalCheck } from './journal-check.js';

const ODD = 'é 😀 \0 \ud800 "quoted" \\ \u2028\n';
/** Values of many sizes and shapes. Some of them are so large that a journal may store them in another way. */
const VALUES: Readonly<Record<string, Json>> = {
  'a short text': ODD,
  'a text of a megabyte, with NUL, lone surrogates and pairs': ODD.repeat(60_000),
  // The text consists of surrogate pairs, so that a cut at any place could split a character.
  'a text of pairs': `x${'😀'.repeat(400_000)}`,
  'a list of many short values': Array.from({ length: 60_000 }, (_, id) => ({ id, name: ODD, ok: true })),
  'a list of long and short texts': Array.from({ length: 12 }, (_, at) => ODD.repeat(at * 1000)),
  'fields of all kinds': {
    '': null,
    'a\0': [[], {}],
    long: ODD.repeat(10_000),
    n: 1e308,
    again: ODD.repeat(10_000),
  },
};

const resultMessage = (content: Json): Json => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'see below' }] },
  uuid: 'u-1',
  tool_use_result: { content },
});

function messageOf(event: ClusterEvent | undefined): Json | undefined {
  return event?.type === 'message' ? event.message : undefined;
}

/** Reads a whole event. A journal that never shortens events need not have the method for it. */
async function readWhole(
  { other }: JournalBench,
  key: string,
  id: number,
): Promise<ClusterEvent | undefined> {
  if (other.readWhole) return await other.readWhole(key, id);
  return (await other.events(key, { after: id - 1, limit: 1 }))[0];
}

/** Cases about large values. */
export const LARGE_CASES: readonly JournalCheck[] = [
  ...Object.entries(VALUES).map(([name, value]) => ({
    name: `keeps ${name} as the result of a call, in a message and in a transcript`,
    async run(bench: JournalBench) {
      const { key, fence, turn } = await bench.run();
      const { sessionId = '' } = (await bench.journal.conversation(key)) ?? {};
      const at = { projectKey: 'cluster', sessionId };
      const call = { callKey: 'c', turn: turn.id, toolName: 'list', input: {} };
      await bench.journal.beginCall(fence, call);
      await bench.journal.endCall(fence, 'c', { content: value });
      const message = resultMessage(value);
      const id = await bench.journal.publish(fence, [{ turn: turn.id, type: 'message', message }], 'batch');
      assert.equal(
        await bench.journal.publish(fence, [{ turn: turn.id, type: 'message', message }], 'batch'),
        id,
      );
      const entries = [
        { type: 'user', uuid: randomUUID(), toolUseResult: { content: value } },
        { type: 'assistant', uuid: randomUUID() },
      ];
      await bench.journal.store(fence).append(at, entries);
      await bench.journal.store(fence).append(at, entries);

      const known = await bench.other.beginCall(fence, call);
      assert.deepEqual(known, { state: 'ended', begun: 1, result: { content: value } });
      assert.deepEqual(messageOf(await readWhole(bench, key, id)), message);
      assert.deepEqual(await bench.other.store().load(at), entries);
      const history = await bench.other.history(key);
      assert.deepEqual(history?.calls[0]?.result, { content: value });
      assert.deepEqual(
        history?.entries.map(({ entry }) => entry),
        entries,
      );
    },
  })),
  {
    name: 'says where an event is shortened, keeps what it is, and gives the whole of it',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const long = 'x'.repeat(3_000_000);
      const answer = { type: 'assistant', message: { content: [{ type: 'text', text: long }] } };
      const id = await bench.journal.publish(fence, [
        { turn: turn.id, type: 'message', message: resultMessage('short') },
        { turn: turn.id, type: 'message', message: answer },
        { turn: turn.id, type: 'message', message: resultMessage(long) },
      ]);
      const [short, whole, large] = await bench.other.events(key, { after: id - 3 });
      assert.deepEqual(messageOf(short), resultMessage('short'));
      assert.equal(short?.type === 'message' && short.shortened, undefined);
      assert.deepEqual(messageOf(whole), answer, 'what a model wrote is never shortened');
      assert.ok(large?.type === 'message');
      if (large.shortened) {
        assert.ok(JSON.stringify(large).length < 100_000, 'a shortened event must be short');
        assert.ok(large.shortened.characters > 2_000_000);
        const { type, uuid } = large.message as { type?: string; uuid?: string };
        assert.deepEqual({ type, uuid }, { type: 'user', uuid: 'u-1' });
        assert.ok('readWhole' in bench.other, 'a journal that shortens must be able to give the whole');
      } else assert.deepEqual(large.message, resultMessage(long));
      const { shortened: _shortened, message: _message, ...rest } = large;
      const read = await readWhole(bench, key, id);
      assert.deepEqual(read, { ...rest, message: resultMessage(long) });
      const history = await bench.other.history(key);
      assert.deepEqual(history?.events, await bench.other.events(key));
      if (!bench.other.readWhole) return;
      assert.deepEqual(await bench.other.readWhole(key, id - 2), short);
      assert.equal(await bench.other.readWhole(key, id + 1), undefined);
      assert.equal(await bench.other.readWhole(bench.key(), 1), undefined);
    },
  },
  {
    name: 'replaces a large result, and ends a turn with a large message',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const call = { callKey: 'c', turn: turn.id, toolName: 'list', input: {} };
      await bench.journal.beginCall(fence, call);
      for (const result of ['y'.repeat(200_000), 'short', { rows: ['z'.repeat(200_000)] }] satisfies Json[]) {
        await bench.journal.endCall(fence, 'c', result);
        assert.deepEqual(await bench.other.beginCall(fence, call), { state: 'ended', begun: 1, result });
      }
      const message = resultMessage('y'.repeat(200_000));
      const events = [{ turn: turn.id, type: 'message' as const, message }];
      assert.equal(await bench.journal.finish(fence, turn.id, { outcome: createOutcome(), events }), true);
      assert.equal(await bench.journal.finish(fence, turn.id, { outcome: createOutcome(), events }), false);
      const { lastEventId = 0 } = (await bench.other.conversation(key)) ?? {};
      assert.deepEqual(messageOf(await readWhole(bench, key, lastEventId - 1)), message);
    },
  },
  {
    name: 'writes nothing large under a lease that was given back',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const { sessionId = '' } = (await bench.journal.conversation(key)) ?? {};
      const at = { projectKey: 'cluster', sessionId };
      const call = { callKey: 'c', turn: turn.id, toolName: 'list', input: {} };
      await bench.journal.beginCall(fence, call);
      await bench.journal.release(fence);
      const before = await bench.snapshot(key);
      const value = 'late'.repeat(100_000);
      const message = resultMessage(value);
      const lost = 'LEASE_LOST';
      await expectRefused(() => bench.journal.endCall(fence, 'c', value), lost, 'endCall');
      await expectRefused(
        () => bench.journal.publish(fence, [{ turn: turn.id, type: 'message', message }]),
        lost,
        'publish',
      );
      await expectRefused(
        () => bench.journal.store(fence).append(at, [{ type: 'user', value }]),
        lost,
        'store.append',
      );
      assert.deepEqual(await bench.snapshot(key), before);
    },
  },
  {
    name: 'removes large values with the events, the transcript and the conversation they belong to',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const { sessionId = '' } = (await bench.journal.conversation(key)) ?? {};
      const at = { projectKey: 'cluster', sessionId };
      const value = 'gone'.repeat(100_000);
      const call = { callKey: 'c', turn: turn.id, toolName: 'list', input: {} };
      await bench.journal.beginCall(fence, call);
      await bench.journal.endCall(fence, 'c', value);
      const message = resultMessage(value);
      const id = await bench.journal.publish(fence, [{ turn: turn.id, type: 'message', message }]);
      await bench.journal.store(fence).append(at, [{ type: 'user', value }]);
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      await bench.journal.prune(0);
      assert.equal(await readWhole(bench, key, id), undefined, 'an event that was pruned');
      assert.deepEqual(await bench.other.store().load(at), [{ type: 'user', value }]);
      assert.deepEqual((await bench.other.history(key))?.calls[0]?.result, value);
      await bench.journal.store(fence).delete?.(at);
      assert.equal(await bench.other.store().load(at), null);
      assert.equal(await bench.journal.remove(key), true);
      assert.equal(await bench.other.history(key), undefined);
    },
  },
];
