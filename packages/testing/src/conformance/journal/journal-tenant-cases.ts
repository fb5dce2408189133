// Conformance cases for journals: tenants are kept apart. For a call that names a tenant, the data of other tenants,
// and data without a tenant, seems not to exist.
import assert from 'node:assert/strict';
import type { ConversationFacts } from '@inboard/cluster/journal/records.js';
import {
  createAnswer,
  createOutcome,
  createQuestion,
  expectRefused,
  LONG_LEASE_MS,
  SHORT_LEASE_MS,
  type JournalBench,
  type JournalCheck,
} from './journal-check.js';

/**
 * Makes three conversations that each have a question: one of the bench's tenant, one of another tenant, and one
 * without a tenant.
 */
async function settleThree(bench: JournalBench) {
  const settle = async (tenant: string | undefined) => {
    const key = bench.key();
    const start: ConversationFacts = { agent: 'support', data: null, tenant };
    await bench.send(key, { start });
    const fence = await bench.grant(key);
    const turn = await bench.journal.next(fence);
    assert.ok(turn);
    const question = createQuestion();
    await bench.journal.ask(fence, turn.id, question);
    return { key, fence, turn, question: question.id };
  };
  const neighbour = `${bench.tenant}-2`;
  return {
    own: await settle(bench.tenant),
    others: [await settle(neighbour), await settle(undefined)],
    neighbour,
    scope: { tenant: bench.tenant },
  };
}

/** Cases about tenants. */
export const TENANT_CASES: readonly JournalCheck[] = [
  {
    name: 'with a scope, shows and changes only what belongs to the tenant',
    async run(bench) {
      const { own, others, neighbour, scope } = await settleThree(bench);
      const { other: journal } = bench;
      const message = { id: 'from the scope', content: 'x' };
      const unused = bench.key();
      for (const { key, question } of [...others, { key: unused, question: createQuestion().id }]) {
        const before = await bench.snapshot(key);
        assert.deepEqual(await journal.events(key, scope), []);
        assert.equal(await journal.readWhole?.(key, 1, scope), undefined);
        const starts: Array<ConversationFacts | undefined> = [
          undefined,
          { agent: 'support', data: null, tenant: neighbour },
        ];
        // The tenant itself may create a conversation under a key that is not in use.
        if (key !== unused) starts.push({ agent: 'support', data: null, tenant: bench.tenant });
        for (const start of starts)
          await expectRefused(
            () => journal.enqueue({ key, ...message, start }, scope),
            'CONVERSATION_UNKNOWN',
            'a message out of scope',
          );
        assert.equal(await journal.interrupt(key, scope), false);
        assert.deepEqual(await journal.answer(question, createAnswer(), scope), { taken: false });
        assert.deepEqual(await bench.snapshot(key), before, 'nothing was written');
      }
      assert.deepEqual(await journal.events(own.key, scope), await journal.events(own.key));
      assert.equal((await journal.enqueue({ key: own.key, ...message }, scope)).isNew, true);
      assert.deepEqual(await journal.answer(own.question, createAnswer(), scope), {
        taken: true,
        key: own.key,
      });
      assert.equal(await journal.interrupt(own.key, scope), true);
      assert.equal((await journal.turn(own.key, own.turn.id))?.stop, 'interrupt');
    },
  },
  {
    name: 'with a scope, creates a conversation for one of the tenants that send at the same moment, and refuses the others',
    async run(bench) {
      const key = bench.key();
      const tenants = [bench.tenant, `${bench.tenant}-2`, `${bench.tenant}-3`, `${bench.tenant}-4`];
      const sent = await Promise.allSettled(
        tenants.map((tenant, at) =>
          (at % 2 === 0 ? bench.journal : bench.other).enqueue(
            { key, id: tenant, content: tenant, start: { agent: 'support', data: null, tenant } },
            { tenant },
          ),
        ),
      );
      const taken = tenants.filter((_tenant, at) => sent[at]?.status === 'fulfilled');
      assert.equal(taken.length, 1, 'one of them has it');
      for (const result of sent)
        if (result.status === 'rejected')
          await expectRefused(() => Promise.reject(result.reason), 'CONVERSATION_UNKNOWN', 'the others');
      assert.equal((await bench.journal.conversation(key))?.tenant, taken[0]);
      const turns = await bench.journal.turns(key);
      assert.deepEqual(
        turns.map(({ id }) => id),
        taken,
        'nothing of the others was stored',
      );
    },
  },
  {
    name: 'with a scope, does not take a conversation for the one that had its key before',
    async run(bench) {
      const { own, neighbour, scope } = await settleThree(bench);
      const { other: journal } = bench;
      await journal.remove(own.key);
      await bench.send(own.key, { start: { agent: 'support', data: null, tenant: neighbour } });
      assert.deepEqual(await journal.events(own.key, scope), []);
      assert.equal(await journal.interrupt(own.key, scope), false);
      await expectRefused(
        () => journal.enqueue({ key: own.key, id: 'x', content: 'x' }, scope),
        'CONVERSATION_UNKNOWN',
        "a message to another tenant's conversation",
      );
      assert.equal((await journal.turns(own.key)).length, 1);
    },
  },
  {
    name: 'with a scope, counts only what belongs to the tenant',
    async run(bench) {
      const { own, others, neighbour, scope } = await settleThree(bench);
      const { other: journal } = bench;
      for (const { fence, turn } of others)
        await journal.finish(fence, turn.id, { outcome: createOutcome({ turnCostUsd: 100 }) });
      await bench.send(bench.key(), { start: { agent: 'support', data: null, tenant: neighbour } });
      await journal.finish(own.fence, own.turn.id, { outcome: createOutcome({ turnCostUsd: 1.5 }) });
      const { key: parked } = await bench.park();
      const { key: left } = await bench.run(SHORT_LEASE_MS);
      await bench.expire(left);
      await bench.grant(left);
      // A journal need not count what turns wait for, nor say for how long questions have waited.
      const { oldestQueuedMs, waiting, oldestQuestionMs = 0, ...stats } = await journal.stats(scope);
      assert.deepEqual(stats, {
        conversations: { idle: 1, queued: 0, running: 1, parked: 1, closed: 0 },
        turns: { queued: 0, running: 1, parked: 1, ended: 1 },
        leases: 2,
        takeovers: 1,
        questions: 1,
        totalCostUsd: 2,
      });
      const unmet = { place: 0, budget: 0, time: 0, pause: 0, lease: 0 };
      if (waiting) assert.deepEqual(waiting, { ...unmet, answer: 1 });
      assert.ok(oldestQuestionMs >= 0);
      assert.equal(oldestQueuedMs, 0, "the neighbour's turn waits, and no other");
      await bench.send(bench.key());
      await bench.until(
        'its own turn has waited',
        async () => (await journal.stats(scope)).oldestQueuedMs >= 20,
      );
      await journal.remove(parked);
      const { conversations, totalCostUsd } = await journal.stats(scope);
      assert.deepEqual([conversations.parked, totalCostUsd], [0, 2], 'the money stays spent');
      const none = await journal.stats({ tenant: `${bench.tenant}-3` });
      if (none.waiting) assert.deepEqual(none.waiting, { ...unmet, answer: 0 });
      assert.equal(none.oldestQuestionMs ?? 0, 0);
      const { waiting: _waiting, oldestQuestionMs: _oldest, ...counts } = none;
      assert.deepEqual(counts, {
        conversations: { idle: 0, queued: 0, running: 0, parked: 0, closed: 0 },
        turns: { queued: 0, running: 0, parked: 0, ended: 0 },
        oldestQueuedMs: 0,
        leases: 0,
        takeovers: 0,
        questions: 0,
        totalCostUsd: 0,
      });
    },
  },
  {
    name: 'with a scope, lists the pauses that hold back the tenant, and no others',
    async run(bench) {
      const { other: journal, tenant } = bench;
      const neighbour = `${tenant}-2`;
      await bench.journal.pause({ tenant, ms: LONG_LEASE_MS, reason: 'its own' });
      await bench.journal.pause({ tenant: neighbour, ms: LONG_LEASE_MS, reason: "the neighbour's" });
      const shown = await journal.pauses({ tenant });
      assert.deepEqual(
        shown.filter((pause) => pause.tenant !== undefined).map(({ reason }) => reason),
        ['its own'],
      );
      const all = await journal.pauses();
      assert.ok(all.some((pause) => pause.tenant === neighbour));
      assert.deepEqual(
        shown.filter((pause) => pause.tenant === undefined),
        all.filter((pause) => pause.tenant === undefined),
      );
    },
  },
];
