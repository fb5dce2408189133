// Conformance cases for ledgers: who has a conversation, and what is kept of it.
import assert from 'node:assert/strict';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';
import {
  createLedgerEntry,
  createLedgerFact,
  listWrites,
  refusesLost,
  uniqueKey,
  type LedgerCheck,
} from './ledger-check.js';

const TAKERS = 16;
const LARGE_CHARACTERS = 1_000_000;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export const TAKING_CASES: readonly LedgerCheck[] = [
  {
    name: 'gives every attempt a higher epoch, and the conversation one session id',
    async run(bench) {
      const name = uniqueKey();
      const first = await bench.take(name);
      const second = await bench.take(name, bench.other);
      assert.match(first.sessionId, UUID, 'sessionId must be a uuid');
      assert.equal(second.sessionId, first.sessionId);
      assert.equal(first.fence.key, name);
      assert.ok(second.fence.epoch > first.fence.epoch, 'the epoch must grow');
      assert.notEqual((await bench.take()).sessionId, first.sessionId);
    },
  },
  {
    name: 'lets the newest attempt hold the conversation, and no other',
    async run(bench) {
      const name = uniqueKey();
      const first = await bench.take(name);
      assert.equal(await bench.ledger.holds(first.fence), true);
      const second = await bench.take(name, bench.other);
      assert.deepEqual(
        [await bench.ledger.holds(first.fence), await bench.ledger.holds(second.fence)],
        [false, true],
      );
    },
  },
  {
    name: 'lets exactly one of many that take at the same time hold the conversation',
    async run(bench) {
      const name = uniqueKey();
      const handles = [bench.ledger, bench.other];
      const all = await Promise.all(
        Array.from({ length: TAKERS }, (_, at) => bench.take(name, handles[at % 2])),
      );
      assert.equal(
        new Set(all.map(({ fence }) => fence.epoch)).size,
        TAKERS,
        'no two may have the same epoch',
      );
      assert.equal(new Set(all.map(({ sessionId }) => sessionId)).size, 1);
      const held = await Promise.all(all.map(({ fence }) => bench.ledger.holds(fence)));
      assert.equal(held.filter(Boolean).length, 1);
    },
  },
  {
    name: 'refuses every write under an old fence, and keeps nothing of it',
    async run(bench) {
      const name = uniqueKey();
      const old = await bench.take(name);
      await old.store.append(old.key, [createLedgerEntry()]);
      await old.store.calls(old.key).add(createLedgerFact());
      const claim = await old.store.calls(old.key).claim({ owner: 'a', ttlMs: 60_000 });
      assert.ok('renew' in claim, 'claim() must be granted to the attempt that has the conversation');
      assert.equal(await claim.renew(), true);
      const newer = await bench.take(name, bench.other);
      const before = await bench.read(newer);
      for (const [what, write] of listWrites(bench.ledger, old.fence, old.key))
        await refusesLost(write, what);
      assert.equal(await claim.renew(), false, 'renew() of an attempt that has lost its fence');
      await claim.release();
      assert.deepEqual(await bench.read(newer), before, 'a refused write must have no effect');
      await newer.store.append(newer.key, [createLedgerEntry()]);
      await newer.store.calls(newer.key).add(createLedgerFact());
    },
  },
  {
    name: 'refuses a key and an owner that are no names',
    async run(bench) {
      const wrong: [unknown, unknown][] = [
        ['', { owner: 'a' }],
        [undefined, { owner: 'a' }],
        ['a', { owner: '' }],
        ['a', {}],
      ];
      for (const [key, options] of wrong)
        await assert.rejects(
          async () => await bench.ledger.take(key as string, options as { owner: string }),
          `take(${JSON.stringify(key)}, ${JSON.stringify(options)}) must be refused`,
        );
    },
  },
];

export const CONTENT_CASES: readonly LedgerCheck[] = [
  {
    name: 'returns entries unchanged and in order, each uuid once, to every process',
    async run(bench) {
      const held = await bench.take();
      assert.equal(await held.store.load(held.key), null, 'load() of a transcript without entries');
      const strange = {
        ...createLedgerEntry('"quotes" \\ \u2028 日本 😀 \r\n \u0000 \ufeff'),
        nested: { list: [1, 2.5, null, [], {}], '': 'empty name' },
      };
      const entries = [createLedgerEntry(), { type: 'summary', text: 'has no uuid' }, strange];
      await held.store.append(held.key, entries);
      const more = [createLedgerEntry(), createLedgerEntry()];
      await held.store.append(held.key, [...entries.filter(({ uuid }) => uuid !== undefined), ...more]);
      const expected = [...entries, ...more];
      assert.deepEqual(await held.store.load(held.key), expected);
      assert.deepEqual((await bench.read(held)).entries, expected);
    },
  },
  {
    name: 'keeps the transcripts of subagents apart, and lists them',
    async run(bench) {
      const held = await bench.take();
      const [own, first, second] = [createLedgerEntry(), createLedgerEntry(), createLedgerEntry()];
      await held.store.append(held.key, [own]);
      await held.store.append({ ...held.key, subpath: 'subagents/agent-1' }, [first]);
      await held.store.append({ ...held.key, subpath: 'subagents/agent-2' }, [second]);
      assert.deepEqual(await held.store.load(held.key), [own]);
      assert.deepEqual(await held.store.load({ ...held.key, subpath: 'subagents/agent-2' }), [second]);
      const listed = await bench.other.store().listSubkeys(held.key);
      assert.deepEqual(listed.toSorted(), ['subagents/agent-1', 'subagents/agent-2']);
    },
  },
  {
    name: 'returns facts unchanged and in order, to every process',
    async run(bench) {
      const held = await bench.take();
      const call = {
        callKey: 'call-1',
        toolUseId: 'toolu_1',
        toolName: 'pay',
        input: { text: '日本 \u0000' },
      };
      const result = { content: [{ type: 'text', text: 'é'.repeat(LARGE_CHARACTERS) }] };
      const facts: CallFact[] = [
        { type: 'covers', message: 'm', at: 1 },
        { type: 'begun', ...call, attempt: 1, owner: 'one', at: 2 },
        { type: 'begun', ...call, attempt: 1, owner: 'one', at: 2 },
        { type: 'ended', callKey: 'call-1', result, at: 3 },
      ];
      const records = held.store.calls(held.key);
      assert.deepEqual(await records.load(), []);
      for (const fact of facts) await records.add(fact);
      assert.deepEqual(await records.load(), facts);
      assert.deepEqual((await bench.read(held)).facts, facts);
      await assert.rejects(
        async () => await records.add({ type: 'ended', at: 1 } as CallFact),
        'add() of no fact',
      );
    },
  },
  {
    name: 'is not changed through what it was given, or has given',
    async run(bench) {
      const held = await bench.take();
      const [entry, fact] = [createLedgerEntry('as given'), createLedgerFact()];
      const expected = structuredClone({ entries: [entry], facts: [fact] });
      const appending = held.store.append(held.key, [entry]);
      const adding = held.store.calls(held.key).add(fact);
      entry['message'] = 'changed';
      (fact as { callKey: string }).callKey = 'changed';
      await Promise.all([appending, adding]);
      const [loaded] = (await held.store.load(held.key)) ?? [];
      if (loaded) loaded['message'] = 'changed';
      assert.deepEqual(await bench.read(held), expected);
    },
  },
  {
    name: 'keeps conversations apart',
    async run(bench) {
      const [one, two] = [await bench.take(), await bench.take()];
      const [first, second] = [createLedgerEntry(), createLedgerEntry()];
      await one.store.append(one.key, [first]);
      await two.store.append(two.key, [second]);
      await one.store.calls(one.key).add(createLedgerFact('one'));
      assert.deepEqual(await two.store.load(two.key), [second]);
      assert.deepEqual(await two.store.calls(two.key).load(), []);
      // A fence counts for its own conversation only.
      await two.store.append(one.key, [createLedgerEntry()]).catch(() => {});
      assert.deepEqual(await one.store.load(one.key), [first]);
    },
  },
  {
    name: 'removes the facts about calls, and nothing else',
    async run(bench) {
      const held = await bench.take();
      const entry = createLedgerEntry();
      await held.store.append(held.key, [entry]);
      await held.store.calls(held.key).add(createLedgerFact());
      await bench.ledger.dropCalls(held.fence);
      assert.deepEqual(await bench.read(held), { entries: [entry], facts: [] });
    },
  },
  {
    name: 'lets any process read, and end a pending call, but write nothing else',
    async run(bench) {
      const held = await bench.take();
      await held.store.append(held.key, [createLedgerEntry()]);
      const before = await bench.read(held);
      const store = bench.other.store();
      const listed = await store.listSessions(held.key.projectKey);
      assert.ok(
        listed.some(({ sessionId, mtime }) => sessionId === held.sessionId && Number.isFinite(mtime)),
        'listSessions() must name every conversation that has a transcript',
      );
      await assert.rejects(
        async () => await store.append(held.key, [createLedgerEntry()]),
        'append() without a fence',
      );
      await assert.rejects(
        async () => await store.calls(held.key).add(createLedgerFact()),
        'add() without a fence',
      );
      const ended: CallFact = { type: 'ended', callKey: 'call-1', result: { content: [] }, at: 1 };
      await assert.rejects(
        async () => await store.calls(held.key).add(ended),
        'add() of an end that completes nothing',
      );
      assert.deepEqual(await bench.read(held), before);
      const completion = { ...ended, by: 'webhook', completion: 'c-1' } as CallFact;
      await store.calls(held.key).add(completion);
      assert.deepEqual(await held.store.calls(held.key).load(), [completion]);
    },
  },
  {
    name: 'forgets a conversation, and does not let it be written under an older fence',
    async run(bench) {
      const name = uniqueKey();
      const old = await bench.take(name);
      await old.store.append(old.key, [createLedgerEntry()]);
      await old.store.calls(old.key).add(createLedgerFact());
      await bench.other.forget(name);
      assert.deepEqual(await bench.read(old), { entries: null, facts: [] });
      assert.equal(await bench.ledger.holds(old.fence), false);
      const fresh = await bench.take(name);
      assert.notEqual(fresh.sessionId, old.sessionId, 'a conversation that begins again has another session');
      for (const [what, write] of listWrites(bench.ledger, old.fence, old.key))
        await refusesLost(write, what);
      assert.deepEqual(await bench.read(fresh), { entries: null, facts: [] });
    },
  },
];
