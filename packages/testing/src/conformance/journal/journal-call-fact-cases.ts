// Conformance cases for journals: the facts that `store().calls` gives about the calls of unfinished turns. `calls` is
// optional. Without it, the outcome of a call that was cut off is unknown.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CallFact } from '@inboard/core/wire/protocol/config/call-records.js';
import type { Journal } from '@inboard/cluster/journal/journal.js';
import type { Fence } from '@inboard/cluster/journal/records.js';
import {
  createAnswer,
  createOutcome,
  createQuestion,
  SHORT_LEASE_MS,
  type JournalBench,
  type JournalCheck,
} from './journal-check.js';

/** Loads the facts about the calls of a conversation. Undefined for a journal that keeps none. */
async function loadFacts(journal: Journal, key: string, fence?: Fence): Promise<CallFact[] | undefined> {
  const { sessionId = '' } = (await journal.conversation(key)) ?? {};
  return await journal.store(fence).calls?.({ projectKey: 'any', sessionId }).load();
}

/** The facts about a call, without their times. */
function about(facts: readonly CallFact[], callKey: string): object[] {
  return facts.flatMap((fact) => {
    if (fact.type === 'covers' || fact.callKey !== callKey) return [];
    const { at, ...rest } = fact;
    assert.equal(typeof at, 'number');
    return [rest];
  });
}

/** Makes a conversation whose turn has an answered question. `when` is the state of the turn when the answer is given. */
async function answered(
  bench: JournalBench,
  when: 'parked' | 'running',
): Promise<{ key: string; question: string }> {
  if (when === 'parked') {
    const { key, question } = await bench.park();
    await bench.journal.answer(question, createAnswer());
    return { key, question };
  }
  const { key, fence, turn } = await bench.run();
  const question = createQuestion();
  await bench.journal.ask(fence, turn.id, question);
  await bench.journal.answer(question.id, createAnswer());
  return { key, question: question.id };
}

/** Cases about the facts of calls. */
export const CALL_FACT_CASES: readonly JournalCheck[] = [
  {
    name: 'tells what is kept of the calls of a turn that is not over, if it tells that: covered, begun, waiting, ended',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const call = { turn: turn.id, toolName: 'pay', input: { order: 9 } };
      const [begun, waiting, ended] = [randomUUID(), randomUUID(), randomUUID()];
      for (const callKey of [begun, waiting, ended])
        await bench.journal.beginCall(fence, { ...call, callKey });
      await bench.journal.endCall(fence, waiting, 'inboard:waiting-for-person');
      const result = { content: [{ type: 'text', text: 'x'.repeat(200_000) }] };
      await bench.journal.endCall(fence, ended, result);
      const facts = await loadFacts(bench.other, key, fence);
      if (!facts) return;
      assert.ok(facts.some((fact) => fact.type === 'covers' && fact.message === turn.uuid));
      const ran = {
        type: 'begun',
        toolName: 'pay',
        input: { order: 9 },
        ranInput: { order: 9 },
        attempt: 1,
        owner: '',
      };
      assert.deepEqual(about(facts, begun), [{ ...ran, callKey: begun }]);
      assert.deepEqual(about(facts, waiting), [
        { ...ran, callKey: waiting },
        { type: 'waiting', callKey: waiting },
      ]);
      assert.deepEqual(about(facts, ended), [
        { ...ran, callKey: ended },
        { type: 'ended', callKey: ended, result },
      ]);
      assert.deepEqual(await loadFacts(bench.other, key), facts, 'reading needs no fence');
    },
  },
  {
    name: 'tells of questions and answers, and whether the CLI that asked was gone by then: its turn was parked',
    async run(bench) {
      for (const when of ['parked', 'running'] as const) {
        const { key, question } = await answered(bench, when);
        const facts = await loadFacts(bench.other, key);
        if (!facts) return;
        const [asked, answer, ...more] = about(facts, question);
        assert.equal(more.length, 0);
        const told = { callKey: question, toolName: 'pay', input: { order: 7 }, question: {} };
        assert.deepEqual(asked, { type: 'asked', ...told });
        assert.deepEqual(answer, {
          type: 'answered',
          callKey: question,
          answer: createAnswer().result,
          by: 'ann',
          ...(when === 'parked' && { withoutCli: true }),
        });
      }
    },
  },
  {
    name: 'tells nothing of turns that are over, of other conversations, and of the questions of handlers',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const { key: other, question } = await answered(bench, 'running');
      const own = createQuestion({ kind: 'tool' });
      await bench.journal.ask(fence, turn.id, own);
      const callKey = randomUUID();
      await bench.journal.beginCall(fence, { callKey, turn: turn.id, toolName: 'pay', input: null });
      const facts = await loadFacts(bench.other, key, fence);
      if (!facts) return;
      assert.deepEqual(about(facts, own.id), []);
      assert.deepEqual(about(facts, question), []);
      assert.equal(about(facts, callKey).length, 1);
      assert.equal(about((await loadFacts(bench.other, other)) ?? [], callKey).length, 0);
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      assert.deepEqual(await loadFacts(bench.other, key, fence), []);
    },
  },
  {
    name: 'tells facts of one conversation alone, also where turns and calls of two tenants have the same names',
    async run(bench) {
      const [id, callKey] = [randomUUID(), randomUUID()];
      const run = async (tenant: string, text: string) => {
        const key = bench.key();
        await bench.send(key, { id, start: { agent: 'support', data: null, tenant } });
        const fence = await bench.grant(key);
        const turn = await bench.journal.next(fence);
        assert.ok(turn);
        await bench.journal.beginCall(fence, { callKey, turn: id, toolName: 'pay', input: { text } });
        const result = { content: [{ type: 'text', text }] };
        await bench.journal.endCall(fence, callKey, result);
        return { key, fence, message: turn.uuid, result };
      };
      const own = await run(bench.tenant, 'own');
      const other = await run(`${bench.tenant}-2`, 'other');
      for (const { key, fence, message, result } of [own, other]) {
        const facts = await loadFacts(bench.other, key, fence);
        if (!facts) return;
        assert.deepEqual(
          facts.flatMap((fact) => (fact.type === 'covers' ? [fact.message] : [])),
          [message],
        );
        assert.deepEqual(
          facts.flatMap((fact) => (fact.type === 'ended' ? [fact.result] : [])),
          [result],
        );
      }
      // A fence gives no access to the facts of another conversation.
      const { sessionId = '' } = (await bench.journal.conversation(other.key)) ?? {};
      const records = bench.other.store(own.fence).calls?.({ projectKey: 'any', sessionId });
      assert.deepEqual(await records?.load(), []);
    },
  },
  {
    name: 'tells the newest state of a call: one that went on after it had waited, and one that was begun again',
    async run(bench) {
      const { key, fence, turn } = await bench.run(SHORT_LEASE_MS);
      const [working, again] = [randomUUID(), randomUUID()];
      const call = { turn: turn.id, toolName: 'pay', input: {} };
      await bench.journal.beginCall(fence, { ...call, callKey: working });
      await bench.journal.endCall(fence, working, 'inboard:waiting-for-person');
      await bench.journal.endCall(fence, working, 'inboard:working');
      await bench.journal.beginCall(fence, { ...call, callKey: again });
      await bench.expire(key);
      const next = await bench.grant(key);
      await bench.journal.next(next);
      await bench.journal.beginCall(next, { ...call, callKey: again });
      const facts = await loadFacts(bench.other, key, next);
      if (!facts) return;
      const typesOf = (callKey: string): unknown[] =>
        about(facts, callKey).map((fact) => (fact as CallFact).type);
      assert.deepEqual(typesOf(working), ['begun'], 'it may have had effects, and has not ended');
      const [begun] = about(facts, again) as { attempt?: number }[];
      assert.equal(begun?.attempt, 2, 'in how many leases it was begun');
    },
  },
];
