// Conformance cases for journals with retention: a dry run removes nothing, a run removes what is old, and nothing of a
// conversation with open work is touched. A journal without the method `retain` passes.
import assert from 'node:assert/strict';
import type { AuditFilter } from '@inboard/cluster/journal/audit-entry.js';
import type { RetentionReport } from '@inboard/cluster/journal/retention.js';
import {
  createOutcome,
  createQuestion,
  expectRefused,
  grantedOf,
  LONG_LEASE_MS,
  type JournalBench,
  type JournalCheck,
} from './journal-check.js';

const ALL = { conversationsMs: 0, transcriptsMs: 0, callsMs: 0, eventsMs: 0, auditMs: 0 };

/** A conversation with one ended turn that has left something of each kind; its lease is given back. */
async function settle(bench: JournalBench): Promise<string> {
  const { key, fence, turn } = await bench.run();
  const { journal } = bench;
  const { sessionId = '' } = (await journal.conversation(key)) ?? {};
  await journal.beginCall(fence, { callKey: `call of ${key}`, turn: turn.id, toolName: 't', input: {} });
  await journal.publish(fence, [{ turn: turn.id, type: 'text', text: 'x' }]);
  await journal.store(fence).append({ projectKey: 'p', sessionId }, [{ type: 'user' }]);
  await journal.finish(fence, turn.id, { outcome: createOutcome() });
  await journal.release(fence);
  return key;
}

const kindsOf = (report: RetentionReport | undefined) => Object.keys(report?.kinds ?? {}).toSorted();

/** Cases about retention. They remove from the whole journal what is old, but never what other cases have open. */
export const RETENTION_CASES: readonly JournalCheck[] = (
  [
    {
      name: 'counts what is old, and removes it only if asked to',
      async run(bench) {
        const key = await settle(bench);
        await bench.journal.closeConversation(key);
        const before = await bench.journal.history(key);
        const counted = await bench.journal.retain?.(ALL);
        assert.deepEqual(await bench.journal.history(key), before, 'a dry run removes nothing');
        assert.deepEqual([counted?.applied, counted?.isWhole], [false, true]);
        for (const { rows, bytes } of Object.values(counted?.kinds ?? {})) assert.ok(rows > 0 && bytes > 0);
        assert.deepEqual(kindsOf(counted), ['audit', 'calls', 'conversations', 'events', 'transcripts']);
        const young = await bench.journal.retain?.({ eventsMs: 3_600_000_000 }, { apply: true });
        assert.deepEqual(young?.kinds, { events: { rows: 0, bytes: 0 } });
        const done = await bench.other.retain?.(
          { eventsMs: 0, callsMs: 0, transcriptsMs: 0 },
          { apply: true },
        );
        assert.deepEqual(kindsOf(done), ['calls', 'events', 'transcripts'], 'only what the policy names');
        const after = await bench.journal.history(key);
        assert.deepEqual([after?.events, after?.calls, after?.entries], [[], [], []]);
        assert.equal(after?.turns.length, 1);
        await bench.other.retain?.({ conversationsMs: 0 }, { apply: true, by: 'Ann' });
        assert.equal(await bench.journal.conversation(key), undefined);
        const noted = await bench.journal.audit?.({ what: 'pruned', by: 'Ann' });
        assert.ok(!noted || noted.entries.length > 0);
      },
    },
    {
      name: 'keeps the entries of the audit under the key when the conversation goes, without what was asked and answered',
      async run(bench) {
        const { journal, other, tenant } = bench;
        if (!journal.audit) return;
        const read = async (filter: AuditFilter) => (await other.audit?.(filter))?.entries ?? [];
        const { key, fence, turn } = await bench.run();
        // Half of a surrogate pair and a NUL: what no JSON type of a database takes.
        const question = { ...createQuestion(), input: { secret: `${key}\ud800\u0000` } };
        await journal.ask(fence, turn.id, question);
        const result = { behavior: 'allow', updatedInput: { secret: 'another' } } as const;
        await other.answer(question.id, { result, answeredAt: 0, by: 'Ann' });
        const plain = createQuestion();
        await journal.ask(fence, turn.id, plain);
        const message = 'a secret';
        await other.answer(plain.id, { result: { behavior: 'deny', message }, answeredAt: 0, by: 'Bob' });
        await journal.finish(fence, turn.id, { outcome: createOutcome() });
        await journal.release(fence);
        const before = await read({ key });
        await other.retain?.({ conversationsMs: 0 }, { apply: true });
        assert.equal(await journal.conversation(key), undefined);
        const left = await read({ key });
        assert.deepEqual(
          left.map(({ seq, at, by, what, conversation, turn: of }) => ({
            seq,
            at,
            by,
            what,
            conversation,
            of,
          })),
          before.map(({ seq, at, by, what, turn: of }) => ({ seq, at, by, what, conversation: key, of })),
        );
        assert.ok(before.some(({ input }) => input !== undefined));
        assert.ok(!JSON.stringify(left).includes('secret'), JSON.stringify(left));
        assert.deepEqual([left[1]?.question, left[2]?.question], [question.id, plain.id]);
        assert.equal(left[2]?.toolName, plain.toolName);
        assert.deepEqual(await read({ tenant, key }), left);
        // A new conversation under the key, and of somebody else.
        const start = { agent: 'support', data: null, tenant: `${tenant}-2` };
        await bench.send(key, { start });
        assert.equal((await read({ key })).length, left.length + 1);
        assert.equal(await other.remove(key, { by: 'Dee' }), true);
        assert.deepEqual(await read({ key }), left, 'not those of another tenant');
        assert.equal(await other.remove(key, { by: 'Eve' }), true, 'a person asks for what is left');
        assert.deepEqual(await read({ key }), []);
        assert.equal(await other.remove(key, { by: 'Eve' }), false);
        const [gone] = (await read({ tenant })).toReversed();
        assert.deepEqual([gone?.what, gone?.by, gone?.conversation], ['forgotten', 'Eve', undefined]);
        assert.equal(gone?.conversationNumber, left[0]?.conversationNumber);
        // And the age of the entries themselves.
        const again = await settle(bench);
        await other.retain?.({ conversationsMs: 0 }, { apply: true });
        assert.ok((await read({ key: again })).length > 0);
        await other.retain?.({ auditMs: 0 }, { apply: true });
        assert.deepEqual(await read({ key: again }), []);
      },
    },
    {
      name: 'forgets a tenant whose conversations are gone because of their age',
      async run(bench) {
        const { journal, other, tenant } = bench;
        if (!journal.audit) return;
        const key = await settle(bench);
        const open = bench.key();
        await bench.send(open);
        await other.retain?.({ conversationsMs: 0 }, { apply: true });
        const read = async (filter: AuditFilter) => (await other.audit?.(filter))?.entries ?? [];
        const [first] = await read({ key });
        assert.ok(first);
        await other.forgetTenant(tenant, { by: 'Dee' });
        assert.deepEqual(await read({ key }), []);
        assert.deepEqual(
          (await read({ tenant })).map(({ conversation }) => conversation),
          [open],
          'one that is there is forgotten by itself',
        );
        const whole = await read({ after: first.seq - 1, limit: 1 });
        assert.deepEqual([whole[0]?.what, whole[0]?.turn, whole[0]?.tenant], ['sent', undefined, undefined]);
      },
    },
    {
      name: 'removes nothing of a conversation with open work, however old',
      async run(bench) {
        const queued = bench.key();
        await bench.send(queued);
        const running = (await bench.run()).key;
        const parked = (await bench.park()).key;
        const asked = await bench.run();
        await bench.journal.ask(asked.fence, asked.turn.id, createQuestion());
        const held = await bench.run();
        await bench.journal.finish(held.fence, held.turn.id, { outcome: createOutcome() });
        const again = await settle(bench);
        await bench.send(again);
        const keys = [queued, running, parked, asked.key, held.key, again];
        const read = () => Promise.all(keys.map((key) => bench.journal.history(key)));
        const readAudit = () =>
          Promise.all(keys.map(async (key) => (await bench.journal.audit?.({ key }))?.entries));
        const [before, deeds] = [await read(), await readAudit()];
        await bench.other.retain?.(ALL, { apply: true });
        assert.deepEqual(await read(), before);
        assert.deepEqual(await readAudit(), deeds);
      },
    },
    {
      name: 'keeps the transcript of a conversation that is idle, which it needs to go on',
      async run(bench) {
        const key = await settle(bench);
        await bench.other.retain?.({ transcriptsMs: 0 }, { apply: true });
        assert.equal((await bench.journal.history(key))?.entries.length, 1);
      },
    },
    {
      name: 'keeps the newest lease of each worker, as files may be on its disk',
      async run(bench) {
        const key = bench.key();
        for (const owner of ['first', 'second', 'first', 'second']) {
          await bench.send(key);
          const { fence } = grantedOf(await bench.journal.lease(key, { owner, ms: LONG_LEASE_MS }));
          const turn = await bench.journal.next(fence);
          await bench.journal.finish(fence, turn?.id ?? '', { outcome: createOutcome() });
          await bench.journal.release(fence);
        }
        await bench.other.retain?.({ eventsMs: 0 }, { apply: true });
        const { leases = [] } = (await bench.journal.history(key)) ?? {};
        assert.deepEqual(
          leases.map(({ owner }) => owner),
          ['first', 'second'],
        );
      },
    },
    {
      name: 'keeps the events of the last turn that has run, which tell the next how it ended',
      async run(bench) {
        const key = await settle(bench);
        const { turn, fence } = await bench.run(LONG_LEASE_MS, key);
        const question = createQuestion();
        await bench.journal.ask(fence, turn.id, question);
        await bench.journal.park(fence, turn.id, { questions: [question.id], turnCostUsd: 0 });
        await bench.journal.release(fence);
        await bench.journal.interrupt(key);
        await bench.send(key, { id: 'never runs' });
        await bench.journal.cancel(key, 'never runs');
        const counted = await bench.journal.retain?.({ eventsMs: 0 });
        const done = await bench.other.retain?.({ eventsMs: 0 }, { apply: true });
        assert.deepEqual(done?.kinds, counted?.kinds);
        const { events = [] } = (await bench.journal.history(key)) ?? {};
        assert.deepEqual(
          new Set(events.map((event) => event.turn)),
          new Set([turn.id, 'never runs']),
          'only events of turns before are gone',
        );
        assert.ok(
          events.some(
            (event) =>
              event.turn === turn.id && event.type === 'turn' && event.state === 'ended' && event.epoch === 0,
          ),
        );
        await bench.journal.closeConversation(key);
        await bench.other.retain?.({ eventsMs: 0 }, { apply: true });
        assert.deepEqual((await bench.journal.history(key))?.events, []);
      },
    },
    {
      name: 'refuses a policy that names nothing, and ages that are none',
      async run(bench) {
        for (const policy of [{}, { eventsMs: -1 }, { events: 1 } as object])
          await expectRefused(
            async () => await bench.journal.retain?.(policy, { apply: true }),
            'INVALID_OPTIONS',
            'a wrong policy',
          );
      },
    },
  ] satisfies readonly JournalCheck[]
).map((check) => ({
  name: check.name,
  run: async (bench) => {
    if (bench.journal.retain) await check.run(bench);
  },
}));
