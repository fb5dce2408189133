// Conformance cases for journals: lists, statistics, histories and workers, how data is removed, and how a journal
// closes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ConversationFailure } from '@inboard/cluster/journal/records.js';
import {
  createOutcome,
  createQuestion,
  expectRefused,
  LONG_LEASE_MS,
  type JournalCheck,
} from './journal-check.js';

/** Cases about lists and statistics, and about removing and closing. */
export const OVERVIEW_CASES: readonly JournalCheck[] = [
  {
    name: 'lists conversations by tenant and state, in pages',
    async run(bench) {
      const queued = [bench.key('a'), bench.key('b'), bench.key('c')];
      for (const key of queued) await bench.send(key);
      const { key: running } = await bench.run();
      const { key: parked } = await bench.park();
      const { key: idle, fence, turn } = await bench.run();
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome() });
      const { key: closed } = await bench.run();
      await bench.journal.closeConversation(closed);
      const list = async (filter: object): Promise<string[]> =>
        (await bench.other.conversations({ tenant: bench.tenant, ...filter })).map(({ key }) => key);
      const all = [...queued, running, parked, idle, closed];
      assert.deepEqual(new Set(await list({})), new Set(all));
      assert.deepEqual(await list({ state: 'queued' }), queued);
      assert.deepEqual(await list({ state: 'running' }), [running]);
      assert.deepEqual(await list({ state: 'parked' }), [parked]);
      assert.deepEqual(await list({ state: 'idle' }), [idle]);
      assert.deepEqual(await list({ state: 'closed' }), [closed]);
      const ordered = await list({});
      const [first, second] = [await list({ limit: 3 }), await list({ limit: 3, after: ordered[2] })];
      assert.deepEqual([...first, ...second], ordered.slice(0, 6));
      assert.deepEqual(await bench.other.conversations({ tenant: `${bench.tenant}-2` }), []);
      await expectRefused(
        () => bench.other.conversations({ limit: 0.5 }),
        'INVALID_OPTIONS',
        'a limit of 0.5',
      );
    },
  },
  {
    name: 'shows which turn failed last, until another is answered or interrupted',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      const list = async (failed: boolean): Promise<string[]> =>
        (await bench.other.conversations({ tenant: bench.tenant, failed })).map((found) => found.key);
      const expectFailure = async (failure: ConversationFailure | undefined): Promise<void> => {
        assert.deepEqual((await bench.other.conversation(key))?.failure, failure);
        assert.deepEqual([await list(true), await list(false)], failure ? [[key], []] : [[], [key]]);
      };
      await expectFailure(undefined);
      const outcome = createOutcome({ ok: false, kind: 'failed', error: { code: 'ODD\u0000', message: '' } });
      await bench.journal.finish(fence, turn.id, { outcome });
      const failure = { turn: turn.id, kind: 'failed', code: 'ODD\u0000' };
      await expectFailure(failure);
      // A turn that was cancelled before it ran does not change which turn failed last.
      await bench.journal.cancel(key, (await bench.send(key)).id);
      await expectFailure(failure);
      const second = await bench.send(key);
      await bench.journal.next(fence);
      await bench.journal.finish(fence, second.id, {
        outcome: createOutcome({ ok: false, kind: 'max_turns' }),
      });
      await expectFailure({ turn: second.id, kind: 'max_turns' });
      const third = await bench.send(key);
      await bench.journal.next(fence);
      await expectFailure({ turn: second.id, kind: 'max_turns' });
      await bench.journal.finish(fence, third.id, {
        outcome: createOutcome({ ok: false, kind: 'interrupted' }),
      });
      await expectFailure(undefined);
    },
  },
  {
    name: 'counts what there is',
    async run(bench) {
      const before = await bench.journal.stats();
      await bench.send(bench.key());
      const { fence, turn } = await bench.run();
      await bench.park();
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome({ turnCostUsd: 1.5 }) });
      const { key } = await bench.run();
      await bench.journal.ask(
        await stillHas(),
        (await bench.journal.turns(key))[0]?.id ?? '',
        createQuestion(),
      );
      const after = await bench.other.stats();
      const grown = (one: Record<string, number>, other: Record<string, number>): Record<string, number> =>
        Object.fromEntries(Object.entries(one).map(([name, count]) => [name, count - (other[name] ?? 0)]));
      assert.deepEqual(grown(after.conversations, before.conversations), {
        idle: 1,
        queued: 1,
        running: 1,
        parked: 1,
        closed: 0,
      });
      assert.deepEqual(grown(after.turns, before.turns), { queued: 1, running: 1, parked: 1, ended: 1 });
      assert.equal(after.questions - before.questions, 2);
      assert.ok(Math.abs(after.totalCostUsd - before.totalCostUsd - 2) < 1e-9);
      assert.ok(after.leases >= 2);
      assert.ok(after.oldestQueuedMs >= 0);

      async function stillHas() {
        const { lease } = (await bench.journal.conversation(key)) ?? {};
        assert.ok(lease);
        return { key, epoch: lease.epoch, owner: lease.owner };
      }
    },
  },
  {
    name: 'reports how long the oldest turn that could begin has waited',
    async run(bench) {
      await bench.send(bench.key());
      await bench.until('it has waited', async () => (await bench.other.stats()).oldestQueuedMs >= 20);
    },
  },
  {
    name: 'returns the whole history of a conversation',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      await bench.journal.beginCall(fence, { callKey: 'c', turn: turn.id, toolName: 'pay', input: [1] });
      const question = createQuestion();
      await bench.journal.ask(fence, turn.id, question);
      const history = await bench.other.history(key);
      assert.ok(history);
      assert.deepEqual(history.conversation, await bench.other.conversation(key));
      assert.deepEqual(history.turns, await bench.other.turns(key));
      assert.deepEqual(history.events, await bench.other.events(key));
      assert.deepEqual(history.questions, await bench.other.questions({ key, answered: true }));
      assert.deepEqual(history.calls, [
        { callKey: 'c', turn: turn.id, toolName: 'pay', input: [1], epoch: fence.epoch, begun: 1, ended: 0 },
      ]);
      const [lease] = history.leases;
      assert.ok(lease && lease.until > lease.grantedAt);
      assert.deepEqual(
        { ...lease, grantedAt: 0, until: 0 },
        { epoch: fence.epoch, owner: fence.owner, grantedAt: 0, until: 0, released: false },
      );
      assert.equal(await bench.other.history(bench.key()), undefined);
    },
  },
  {
    name: 'knows the workers that reported, by name',
    async run(bench) {
      const names = [`a-${randomUUID()}`, `b-${randomUUID()}`];
      const report = { concurrency: 4, running: 1, warm: 2, draining: false };
      for (const name of names.toReversed()) await bench.journal.reportWorker({ name, ...report });
      await bench.journal.reportWorker({ ...report, name: names[0] ?? '', draining: true });
      const found = (await bench.other.workers()).filter(({ name }) => names.includes(name));
      assert.deepEqual(
        found.map(({ name, draining }) => [name, draining]),
        [
          [names[0], true],
          [names[1], false],
        ],
      );
      assert.ok(found.every(({ seenAt, silentMs }) => seenAt > 0 && silentMs === undefined));
    },
  },
  {
    name: 'takes a worker off its list, and no other',
    async run(bench) {
      const names = [`a-${randomUUID()}`, `b-${randomUUID()}`];
      const report = { concurrency: 4, running: 0, warm: 0, draining: true };
      for (const name of names) await bench.journal.reportWorker({ name, ...report });
      for (let times = 0; times < 2; times++) await bench.other.removeWorker(names[0] ?? '');
      const found = (await bench.journal.workers()).filter(({ name }) => names.includes(name));
      assert.deepEqual(
        found.map(({ name }) => name),
        [names[1]],
      );
    },
  },
  {
    name: 'forgets a tenant, but not what was spent in all',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      await bench.journal.finish(fence, turn.id, { outcome: createOutcome({ turnCostUsd: 2 }) });
      const other = `${bench.tenant}-2`;
      await bench.journal.pause({ tenant: bench.tenant, ms: LONG_LEASE_MS, reason: 'slow down' });
      await bench.journal.pause({ tenant: other, ms: LONG_LEASE_MS, reason: 'slow down' });
      await bench.journal.remove(key);
      const spent = await bench.other.spent();
      for (let times = 0; times < 2; times++) await bench.other.forgetTenant(bench.tenant);
      assert.equal(await bench.journal.spent({ tenant: bench.tenant }), 0, 'nothing under its name');
      assert.ok((await bench.journal.spent()) >= spent, 'all of it in the sum');
      assert.ok((await bench.journal.spent({ days: 1 })) >= 2);
      const paused = (await bench.journal.pauses()).map(({ tenant }) => tenant);
      assert.deepEqual([paused.includes(bench.tenant), paused.includes(other)], [false, true]);
      await expectRefused(() => bench.journal.forgetTenant(''), 'INVALID_OPTIONS', 'no name');
    },
  },
  {
    name: 'forgets events and leases of ended turns, and continues numbering events',
    async run(bench) {
      const { key, fence, turn } = await bench.run();
      await bench.journal.publish(fence, [{ turn: turn.id, type: 'text', text: 'x' }]);
      await bench.journal.release(fence);
      const second = await bench.grant(key);
      await bench.journal.next(second);
      await bench.journal.finish(second, turn.id, { outcome: createOutcome() });
      const later = await bench.send(key);
      const { lastEventId } = (await bench.journal.conversation(key)) ?? {};
      const pruned = async (ms: number): Promise<number> => {
        const rows = await bench.other.prune(ms);
        return rows;
      };
      await pruned(3_600_000);
      assert.equal((await bench.journal.events(key)).length, lastEventId, 'what is younger stays');
      assert.ok((await pruned(0)) >= 6, 'five events and a lease are gone');
      const left = await bench.journal.events(key);
      assert.deepEqual(
        left.map(({ turn: id }) => id),
        [later.id],
        'those of a turn that has not ended stay',
      );
      const history = await bench.journal.history(key);
      assert.deepEqual(
        history?.leases.map(({ epoch }) => epoch),
        [second.epoch],
      );
      assert.equal(history?.turns.length, 2);
      assert.equal((await bench.journal.conversation(key))?.lastEventId, lastEventId);
      assert.equal((await bench.journal.next(second))?.id, later.id, 'the lease that counts stays');
      assert.equal((await bench.journal.events(key)).at(-1)?.id, (lastEventId ?? 0) + 1);
    },
  },
  {
    name: 'refuses everything once it is closed, and can be closed again',
    async run({ journal }) {
      await journal.close();
      await journal.close();
      const fence = { key: 'k', epoch: 1, owner: 'w' };
      const calls: Array<() => Promise<unknown>> = [
        () => journal.enqueue({ key: 'k', id: '1', content: '', start: { agent: 'a', data: null } }),
        () => journal.conversation('k'),
        () => journal.due(1),
        () => journal.lease('k', { owner: 'w', ms: 1000 }),
        () => journal.renew([fence], 1000),
        () => journal.next(fence),
        () => journal.answer('q', { result: { behavior: 'deny', message: '' }, answeredAt: 0 }),
        () => journal.events('k'),
        () => journal.listen(() => undefined),
        () => journal.stats(),
        () => journal.store(fence).append({ projectKey: 'p', sessionId: 's' }, []),
        () => journal.store().load({ projectKey: 'p', sessionId: 's' }),
      ];
      for (const call of calls) await expectRefused(call, 'CLUSTER_CLOSED', String(call));
    },
  },
];
