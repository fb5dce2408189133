// Conformance cases for call records: how facts are kept, and how the claim is given.
import assert from 'node:assert/strict';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';
import {
  createFacts,
  createLarge,
  createMany,
  heldOf,
  isTaken,
  LONG_CLAIM_MS,
  uniqueCallKey,
  nameOwner,
  SHORT_CLAIM_MS,
  type CallRecordsCheck,
} from './call-records-check.js';

const LARGE_CHARACTERS = 1_000_000;
const TAKERS = 24;

export const FACT_CASES: readonly CallRecordsCheck[] = [
  {
    name: 'returns all facts in the order in which they were added',
    async run(bench) {
      const facts = [...createFacts(), ...createFacts(), ...createMany(5)];
      await bench.add(facts);
      await bench.expect(facts);
    },
  },
  {
    name: 'returns no facts where none were added',
    async run(bench) {
      await bench.expect([], 'nothing');
      const claim = await bench.take();
      await bench.expect([], 'nothing, whoever has the claim');
      await claim.release();
    },
  },
  {
    name: 'returns every fact unchanged',
    async run(bench) {
      const input = {
        text: '"quotes" \\ back\\slashes \u2028 日本 😀 \r\n \u0000 \u001b[31m \u007f \ufeff',
        nested: { list: [1, 2.5, -0.1, true, false, null, [], {}], '': 'empty name', 'a.b': '$c' },
      };
      const call = { callKey: `"\n${uniqueCallKey()}`, toolName: 'pay', input };
      const result = { content: [{ type: 'text', text: '' }], structuredContent: [1, null], _meta: { a: 1 } };
      const facts: CallFact[] = [
        { type: 'begun', ...call, attempt: 3, owner: 'a b', at: 1_794_000_000_000 },
        { type: 'ended', callKey: call.callKey, result, at: 1_794_000_000_000.5 },
      ];
      await bench.add(facts);
      await bench.expect(facts);
    },
  },
  {
    name: 'leaves out what is undefined, as JSON does',
    async run(bench) {
      const callKey = uniqueCallKey();
      const answer = { behavior: 'deny', message: 'no' } as const;
      await bench.add([{ type: 'answered', callKey, answer, by: undefined, at: 1 }]);
      await bench.expect([{ type: 'answered', callKey, answer, at: 1 }]);
    },
  },
  {
    name: 'is not changed through the facts it was given, or has given',
    async run(bench) {
      const input = { list: [1] };
      const fact = {
        type: 'begun',
        callKey: uniqueCallKey(),
        toolName: 'pay',
        input,
        attempt: 1,
        owner: 'a',
        at: 1,
      };
      const asGiven = structuredClone(fact) as CallFact;
      const adding = bench.records.add(fact as CallFact);
      input.list.push(2);
      await adding;
      const [loaded] = await bench.records.load();
      assert.deepEqual(loaded, asGiven);
      (loaded as unknown as { input: { list: number[] } }).input.list.push(3);
      await bench.expect([asGiven]);
    },
  },
  {
    name: 'shows a fact to another process as soon as it is added',
    async run(bench) {
      const facts = createMany(20);
      for (const [at, fact] of facts.entries()) {
        await bench.records.add(fact);
        assert.deepEqual(await bench.other.load(), facts.slice(0, at + 1));
      }
    },
  },
  {
    name: 'loses nothing that two processes add at the same time',
    async run(bench) {
      const [one, two] = [createMany(100, 'one'), createMany(100, 'two')];
      const handles = [bench.records, bench.other];
      await Promise.all(
        [one, two].flatMap((facts, at) => facts.map(async (fact) => await handles[at]?.add(fact))),
      );
      const loaded = await bench.records.load();
      assert.equal(loaded.length, 200);
      for (const [prefix, facts] of [['one', one] as const, ['two', two] as const])
        assert.deepEqual(
          loaded.filter((fact) => 'callKey' in fact && fact.callKey.startsWith(prefix)),
          facts,
          'the facts of one process were lost or put out of order',
        );
    },
  },
  {
    name: 'shows two processes that add at the same time the same order',
    async run(bench) {
      const callKey = uniqueCallKey();
      const end = (completion: string): CallFact => ({
        type: 'ended',
        callKey,
        result: { content: [] },
        completion,
        at: 1,
      });
      await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const records = index % 2 === 0 ? bench.records : bench.other;
          await records.add(end(`${index}`));
          // The order of what was there must never change, because the first fact decides.
          const seen = await records.load();
          const later = await bench.other.load();
          assert.deepEqual(later.slice(0, seen.length), seen, 'facts must keep their order');
        }),
      );
    },
  },
  {
    name: 'tells of facts that another process adds, where it has a method for that',
    async run(bench) {
      if (!bench.records.watch) return;
      let changes = 0;
      const stop = bench.records.watch(() => (changes += 1));
      try {
        const [fact] = createMany(1);
        await bench.add([fact as CallFact], bench.other);
        await bench.until('a change is told', async () => changes > 0);
      } finally {
        stop();
      }
    },
  },
  {
    name: 'accepts a large result, and many facts',
    async run(bench) {
      const facts = [createLarge(LARGE_CHARACTERS), ...createMany(2000)];
      await bench.add(facts);
      await bench.expect(facts);
    },
  },
  {
    name: 'accepts several large results at a time',
    async run(bench) {
      const facts = Array.from({ length: 5 }, () => createLarge(LARGE_CHARACTERS / 4));
      await Promise.all(facts.map(async (fact) => await bench.records.add(fact)));
      const loaded = await bench.other.load();
      const sort = (list: readonly CallFact[]): CallFact[] =>
        list.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
      assert.deepEqual(sort(loaded), sort(facts));
    },
  },
  {
    name: 'keeps sessions apart',
    async run(bench) {
      const [own, others] = [createFacts('same'), createMany(3)];
      await bench.add(own);
      await bench.add(others, bench.stranger);
      await bench.expect(own);
      assert.deepEqual(await bench.stranger.load(), others);
      const claim = await bench.take();
      const another = await bench.take(LONG_CLAIM_MS, bench.stranger);
      assert.deepEqual([await claim.renew(), await another.renew()], [true, true]);
      await Promise.all([claim.release(), another.release()]);
    },
  },
  {
    name: 'refuses what is no fact',
    async run(bench) {
      const wrong = [{ type: 'ended', at: 1 }, {}, { type: 'begun', callKey: 'a', at: Number.NaN }];
      for (const fact of wrong)
        await assert.rejects(
          async () => await bench.records.add(fact as CallFact),
          `add() must refuse ${JSON.stringify(fact)}`,
        );
      await bench.expect([], 'nothing');
    },
  },
];

export const CLAIM_CASES: readonly CallRecordsCheck[] = [
  {
    name: 'gives the claim to one, and tells others who has it',
    async run(bench) {
      const owner = nameOwner();
      const claim = await bench.records.claim({ owner, ttlMs: LONG_CLAIM_MS });
      assert.ok(isTaken(claim), 'claim() must give a claim that nobody has');
      for (const records of [bench.records, bench.other]) {
        const held = heldOf(await records.claim({ owner: nameOwner(), ttlMs: LONG_CLAIM_MS }));
        assert.equal(held.heldBy, owner);
      }
      assert.equal(await claim.renew(), true, 'renew() of the holder');
    },
  },
  {
    name: 'gives the claim to exactly one of many that want it at the same time',
    async run(bench) {
      const handles = [bench.records, bench.other];
      const answers = await Promise.all(
        Array.from({ length: TAKERS }, async (_, at) =>
          (handles[at % 2] as typeof bench.records).claim({ owner: nameOwner(), ttlMs: LONG_CLAIM_MS }),
        ),
      );
      assert.equal(answers.filter(isTaken).length, 1, 'one must have the claim');
    },
  },
  {
    name: 'gives the claim at once when it was released',
    async run(bench) {
      const claim = await bench.take();
      await claim.release();
      const next = await bench.take(LONG_CLAIM_MS, bench.other);
      assert.equal(await claim.renew(), false, 'renew() of a claim that was released');
      // Releasing a second time must not affect the new holder.
      await claim.release();
      assert.equal(await next.renew(), true, 'renew() of the new holder');
      heldOf(await bench.records.claim({ owner: nameOwner(), ttlMs: LONG_CLAIM_MS }));
    },
  },
  {
    name: 'gives a claim that has run out to another, and the first holder finds out',
    async run(bench) {
      const lost = await bench.take(SHORT_CLAIM_MS);
      const next = await bench.takeOver();
      assert.equal(await lost.renew(), false, 'renew() of a claim that another has taken');
      await lost.release();
      assert.equal(await next.renew(), true, 'renew() of the new holder, after the first released its own');
      heldOf(await bench.records.claim({ owner: nameOwner(), ttlMs: LONG_CLAIM_MS }));
    },
  },
  {
    name: 'gives a claim that has run out to exactly one of many',
    async run(bench) {
      const lost = await bench.take(SHORT_CLAIM_MS);
      let taken = 0;
      await bench.until('one of many has the claim', async () => {
        const handles = [bench.records, bench.other];
        const answers = await Promise.all(
          Array.from({ length: TAKERS }, async (_, at) =>
            (handles[at % 2] as typeof bench.records).claim({ owner: nameOwner(), ttlMs: LONG_CLAIM_MS }),
          ),
        );
        taken += answers.filter(isTaken).length;
        return taken > 0;
      });
      assert.equal(taken, 1, 'one must have the claim');
      assert.equal(await lost.renew(), false, 'renew() of a claim that another has taken');
    },
  },
  {
    name: 'prolongs a claim when it is renewed',
    async run(bench) {
      const claim = await bench.take();
      const look = async (): Promise<{ until: number; left: number }> => {
        const { until } = heldOf(await bench.other.claim({ owner: nameOwner(), ttlMs: LONG_CLAIM_MS }));
        return { until, left: until - Date.now() };
      };
      const before = await look();
      assert.ok(before.left <= LONG_CLAIM_MS, 'until must be no later than what was asked for');
      await bench.pass();
      const passed = await look();
      assert.equal(await claim.renew(), true);
      const after = await look();
      // One of the two is enough. If the test moves the clock, perhaps only the time left has grown. On a busy machine,
      // perhaps only the end has moved.
      const hasMoved = after.until > before.until || after.left > passed.left;
      assert.ok(hasMoved, 'renew() must move the end of the claim');
    },
  },
  {
    name: 'adds facts whoever has the claim',
    async run(bench) {
      const claim = await bench.take();
      const facts = createMany(3);
      await bench.add(facts, bench.other);
      await bench.expect(facts);
      assert.equal(await claim.renew(), true);
    },
  },
  {
    name: 'refuses a claim without an owner or a time',
    async run(bench) {
      const wrong = [
        { owner: '', ttlMs: 1000 },
        { owner: 'a', ttlMs: 0 },
        { owner: 'a', ttlMs: Number.NaN },
        { owner: 'a', ttlMs: Number.POSITIVE_INFINITY },
      ];
      for (const options of wrong)
        await assert.rejects(
          async () => await bench.records.claim(options),
          `claim(${JSON.stringify(options)}) must be refused`,
        );
      assert.equal(await (await bench.take()).renew(), true);
    },
  },
];
