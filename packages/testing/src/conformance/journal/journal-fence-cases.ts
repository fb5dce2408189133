// Conformance cases for journals: a worker that has lost its lease cannot write. This holds for every method and for
// every way to lose a lease.
import assert from 'node:assert/strict';
import type { Journal } from '@inboard/cluster/journal/journal.js';
import type { Fence } from '@inboard/cluster/journal/records.js';
import {
  createOutcome,
  createQuestion,
  expectRefused,
  SHORT_LEASE_MS,
  type JournalBench,
  type JournalCheck,
} from './journal-check.js';

/** A conversation with what it contains, and the fence that a case loses. */
interface Stage {
  key: string;
  lost: Fence;
  turn: string;
  question: string;
  callKey: string;
  sessionId: string;
}

const WRITES: Readonly<Record<string, (journal: Journal, stage: Stage) => Promise<unknown>>> = {
  next: (journal, { lost }) => journal.next(lost),
  finish: (journal, { lost, turn }) =>
    journal.finish(lost, turn, {
      outcome: createOutcome({ turnCostUsd: 9 }),
      events: [{ turn, type: 'text', text: 'stale' }],
    }),
  park: (journal, { lost, turn, question }) =>
    journal.park(lost, turn, { questions: [question], turnCostUsd: 9 }),
  ask: (journal, { lost, turn }) => journal.ask(lost, turn, createQuestion()),
  'ask again': (journal, { lost, turn, question }) =>
    journal.ask(lost, turn, createQuestion({ id: question, attempt: 9 })),
  withdraw: (journal, { lost, question }) => journal.withdraw(lost, question),
  beginCall: (journal, { lost, turn }) =>
    journal.beginCall(lost, { callKey: 'stale', turn, toolName: 'pay', input: null }),
  'beginCall again': (journal, { lost, turn, callKey }) =>
    journal.beginCall(lost, { callKey, turn, toolName: 'pay', input: null }),
  endCall: (journal, { lost, callKey }) => journal.endCall(lost, callKey, 'stale'),
  publish: (journal, { lost, turn }) => journal.publish(lost, [{ turn, type: 'text', text: 'stale' }]),
  'publish of nothing': (journal, { lost }) => journal.publish(lost, []),
  'publish again': (journal, { lost, turn }) =>
    journal.publish(lost, [{ turn, type: 'text', text: 'stale' }], 'batch'),
  'store.append': (journal, { lost, sessionId }) =>
    journal.store(lost).append({ projectKey: 'cluster', sessionId }, [{ type: 'user', text: 'stale' }]),
  'store.delete': async (journal, { lost, sessionId }) =>
    await journal.store(lost).delete?.({ projectKey: 'cluster', sessionId }),
};

type Lose = (bench: JournalBench, stage: Stage) => Promise<void>;

/** The ways to lose a lease. For each of them, `REASONS` has the reasons that a journal may give. */
const WAYS: Readonly<Record<string, Lose>> = {
  'that another worker took over': async (bench, { key }) => {
    await bench.expire(key);
    const fence = await bench.grant(key, undefined, bench.other);
    await bench.other.next(fence);
  },
  'that was given back': async (bench, { lost }) => {
    await bench.journal.release(lost);
  },
  'that was given back, and granted to another': async (bench, { lost, key }) => {
    await bench.journal.release(lost);
    await bench.other.next(await bench.grant(key, undefined, bench.other));
  },
  'of a conversation that was removed': async (bench, { key }) => {
    await bench.other.remove(key);
  },
  'of a conversation that was removed and created again': async (bench, { key, turn }) => {
    await bench.other.remove(key);
    await bench.send(key, { id: turn });
  },
  'of a conversation that was removed, created again and leased': async (bench, { key, turn }) => {
    await bench.other.remove(key);
    await bench.send(key, { id: turn });
    await bench.other.next(await bench.grant(key, undefined, bench.other));
  },
};

const REASONS: Readonly<Record<string, readonly string[]>> = {
  'that another worker took over': ['taken'],
  'that was given back': ['released'],
  'that was given back, and granted to another': ['taken'],
  'of a conversation that was removed': ['removed'],
  'of a conversation that was removed and created again': ['removed'],
  // A journal that keeps no trace of removed conversations cannot tell the two reasons apart.
  'of a conversation that was removed, created again and leased': ['taken', 'removed'],
};

/** Cases about fences. */
export const FENCE_CASES: readonly JournalCheck[] = [
  ...Object.entries(WAYS).map(([way, lose]) => ({
    name: `writes nothing under a lease ${way}`,
    async run(bench: JournalBench) {
      const stage = await setStage(bench);
      await lose(bench, stage);
      const before = await bench.snapshot(stage.key);
      for (const [name, write] of Object.entries(WRITES)) {
        const error = await expectRefused(() => write(bench.journal, stage), 'LEASE_LOST', name);
        const { reason } = error as { reason?: string };
        assert.ok(reason === undefined || REASONS[way]?.includes(reason), `${name} was refused as ${reason}`);
        assert.deepEqual(await bench.snapshot(stage.key), before, `${name} changed something`);
      }
      assert.equal(await bench.journal.release(stage.lost), false);
      assert.equal((await bench.journal.renew([stage.lost], 60_000))[0]?.held, false);
      assert.deepEqual(await bench.snapshot(stage.key), before);
    },
  })),
  {
    name: 'lets a worker whose lease has expired write, as long as nobody else was given the conversation',
    async run(bench) {
      const stage = await setStage(bench);
      await bench.expire(stage.key);
      await bench.journal.endCall(stage.lost, stage.callKey, 'late');
      await bench.journal
        .store(stage.lost)
        .append({ projectKey: 'cluster', sessionId: stage.sessionId }, [{ type: 'user', text: 'late' }]);
      assert.equal(await bench.journal.finish(stage.lost, stage.turn, { outcome: createOutcome() }), true);
    },
  },
  {
    name: 'either hands a conversation over or lets its owner write, never both',
    async run(bench) {
      for (let round = 0; round < 8; round += 1) {
        const { key, lost, turn } = await setStage(bench);
        await bench.expire(key);
        const [finished, taken] = await Promise.allSettled([
          bench.journal.finish(lost, turn, { outcome: createOutcome() }),
          bench.other.lease(key, { owner: 'second', ms: 60_000 }),
        ]);
        assert.ok(taken.status === 'fulfilled');
        const found = await bench.journal.turn(key, turn);
        if (finished.status === 'fulfilled') assert.equal(found?.state, 'ended');
        else assert.deepEqual([found?.state, taken.value.state], ['running', 'granted']);
      }
    },
  },
];

async function setStage(bench: JournalBench): Promise<Stage> {
  const { key, fence: lost, turn } = await bench.run(SHORT_LEASE_MS);
  const question = createQuestion();
  const callKey = 'call';
  await bench.journal.ask(lost, turn.id, question);
  await bench.journal.beginCall(lost, { callKey, turn: turn.id, toolName: 'pay', input: null });
  await bench.journal.publish(lost, [{ turn: turn.id, type: 'text', text: 'x' }], 'batch');
  const { sessionId } = (await bench.journal.conversation(key)) ?? { sessionId: '' };
  await bench.journal
    .store(lost)
    .append({ projectKey: 'cluster', sessionId }, [{ type: 'user', text: 'kept' }]);
  return { key, lost, turn: turn.id, question: question.id, callKey, sessionId };
}
