// Conformance cases for journals that keep an audit: each deed has one entry, and what was refused or changed nothing has
// none. A journal without the method `audit` passes.
import assert from 'node:assert/strict';
import type { AuditEntry, AuditFilter } from '@inboard/cluster/journal/audit-entry.js';
import {
  createOutcome,
  createQuestion,
  expectRefused,
  type JournalBench,
  type JournalCheck,
} from './journal-check.js';

/** All entries that fit, read in small pages. */
async function readAll(bench: JournalBench, filter: AuditFilter): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let after: number | undefined; ;) {
    const page = await bench.other.audit?.({ ...filter, limit: 2, ...(after !== undefined && { after }) });
    assert.ok(page && page.entries.length <= 2, 'no more than the limit');
    found.push(...page.entries);
    if (page.next === undefined) return found;
    assert.ok(after === undefined || page.next > after, 'each page begins behind the one before');
    after = page.next;
  }
}

const short = ({ what, by, turn }: AuditEntry) => [what, by, turn].filter((fact) => fact !== undefined);

/** Cases about the audit. */
export const AUDIT_CASES: readonly JournalCheck[] = (
  [
    {
      name: 'notes who did what in a conversation, in order, and nothing that was refused or changed nothing',
      async run(bench) {
        const { journal, other } = bench;
        const key = bench.key();
        const start = { agent: 'support', data: null, tenant: bench.tenant };
        const scope = { tenant: bench.tenant };
        await journal.enqueue({ key, id: 'one', content: 'x', start }, { by: 'Ann' });
        await other.enqueue({ key, id: 'one', content: 'x', start }, { by: 'Bob' });
        await other.enqueue({ key, id: 'two', content: 'x' }, { ...scope, by: 'Bob' });
        await journal.enqueue({ key, id: 'three', content: 'x' });
        assert.equal(await other.cancel(key, 'two', { by: 'Cy' }), true);
        assert.equal(await journal.cancel(key, 'two', { by: 'Ann' }), false);
        assert.equal(await journal.cancel(key, 'unknown', { by: 'Ann' }), false);
        assert.equal(await journal.interrupt(key, { by: 'Ann' }), false, 'no turn is under way');
        await expectRefused(
          () => other.enqueue({ key, id: 'x', content: 'x' }, { tenant: `${bench.tenant}-2`, by: 'Eve' }),
          'CONVERSATION_UNKNOWN',
          'another tenant',
        );
        const fence = await bench.grant(key);
        await journal.next(fence);
        assert.equal(await other.interrupt(key, { ...scope, by: 'Dee' }), true);
        assert.equal(await other.interrupt(key, { by: 'Ann' }), true, 'is still asked to end');
        await journal.finish(fence, 'one', { outcome: createOutcome() });
        await other.closeConversation(key, { by: 'Fay' });
        await journal.closeConversation(key, { by: 'Ann' });
        await expectRefused(
          () => journal.enqueue({ key, id: 'late', content: 'x' }, { by: 'Ann' }),
          'CONVERSATION_CLOSED',
          'a closed conversation',
        );
        const entries = await readAll(bench, { key });
        assert.deepEqual(entries.map(short), [
          ['sent', 'Ann', 'one'],
          ['sent', 'Bob', 'two'],
          ['sent', 'three'],
          ['cancelled', 'Cy', 'two'],
          ['interrupted', 'Dee', 'one'],
          ['closed', 'Fay'],
        ]);
        for (const [at, entry] of entries.entries()) {
          assert.ok(at === 0 || entry.seq > (entries[at - 1]?.seq ?? 0), 'numbers grow');
          assert.deepEqual([entry.tenant, entry.conversation], [bench.tenant, key]);
        }
        assert.equal(new Set(entries.map((entry) => entry.conversationNumber)).size, 1);
      },
    },
    {
      name: 'notes what was decided about a question, and both inputs of one that was edited',
      async run(bench) {
        const { journal, other } = bench;
        const { key, fence, turn } = await bench.run();
        const input = { order: 'A-1', amount: 7, note: '\u0000 "by":"Eve"}' };
        const ask = async (more: object = {}): Promise<string> => {
          const question = { ...createQuestion(), toolName: 'refund', input, ...more };
          await journal.ask(fence, turn.id, question);
          return question.id;
        };
        const edited = { ...input, amount: 5 };
        const rules = [
          { type: 'addRules', rules: [{ toolName: 'refund' }], behavior: 'allow', destination: 'session' },
        ] as const;
        const answeredAt = 0;
        const answers = [
          { result: { behavior: 'allow', updatedInput: edited, updatedPermissions: rules }, by: 'Ann' },
          { result: { behavior: 'allow', updatedInput: { ...input } }, by: 'a "b"}\\\n\u0000' },
          { result: { behavior: 'deny', message: 'No receipt' } },
        ] as const;
        const ids: string[] = [];
        for (const answer of answers) {
          const id = await ask();
          ids.push(id);
          const given = { ...answer, answeredAt } as unknown as Parameters<typeof other.answer>[1];
          assert.equal((await other.answer(id, given)).taken, true);
          assert.equal((await other.answer(id, { ...given, by: 'Late' })).taken, false);
        }
        const pending = await ask({
          id: `pending_${key}`.slice(0, 200),
          kind: 'pending',
          pending: { callKey: key },
        });
        const result = { content: [{ type: 'text' as const, text: 'a secret' }] };
        await other.answer(pending, { result: { behavior: 'allow' }, answeredAt, by: 'bank', ended: result });
        const entries = (await readAll(bench, { tenant: bench.tenant })).filter(
          ({ what }) => what !== 'sent',
        );
        const about = { turn: turn.id, toolName: 'refund', input };
        assert.deepEqual(
          entries.map(
            ({ seq: _s, at: _a, tenant: _t, conversation: _c, conversationNumber: _n, ...facts }) => facts,
          ),
          [
            {
              what: 'edited',
              by: 'Ann',
              question: ids[0],
              ...about,
              editedInput: edited,
              permissions: rules,
            },
            // Contents that a database cannot compare may count as edited.
            entries[1]?.what === 'edited'
              ? { what: 'edited', by: answers[1].by, question: ids[1], ...about, editedInput: input }
              : { what: 'allowed', by: answers[1].by, question: ids[1], ...about },
            { what: 'denied', question: ids[2], ...about, message: 'No receipt' },
            { what: 'completed', by: 'bank', question: pending, ...about },
          ],
        );
        assert.ok(!JSON.stringify(entries).includes('a secret'), 'results are not repeated');
      },
    },
    {
      name: 'shows a tenant its own entries of the audit, and finds entries by conversation, name, kind and time',
      async run(bench) {
        const { journal } = bench;
        const neighbour = `${bench.tenant}-2`;
        const [own, others, none] = [bench.key(), bench.key(), bench.key()];
        const send = (key: string, tenant: string | undefined, by: string) =>
          journal.enqueue(
            { key, id: 'one', content: 'x', start: { agent: 'support', data: null, tenant } },
            { by },
          );
        await send(own, bench.tenant, `Ann of ${bench.tenant}`);
        await send(others, neighbour, 'Bob');
        await send(none, undefined, 'Cy');
        await journal.closeConversation(own, { by: 'Ann' });
        const read = async (filter: AuditFilter) => (await readAll(bench, filter)).map(short);
        const [sent, closed] = [
          ['sent', `Ann of ${bench.tenant}`, 'one'],
          ['closed', 'Ann'],
        ];
        assert.deepEqual(await read({ tenant: bench.tenant }), [sent, closed]);
        assert.deepEqual(await read({ tenant: bench.tenant, key: own }), [sent, closed]);
        for (const key of [others, none]) assert.deepEqual(await read({ tenant: bench.tenant, key }), []);
        assert.deepEqual(await read({ tenant: neighbour }), [['sent', 'Bob', 'one']]);
        assert.deepEqual(await read({ key: own, what: 'closed' }), [closed]);
        assert.deepEqual(await read({ by: `Ann of ${bench.tenant}` }), [sent]);
        assert.deepEqual(await read({ by: `' or true --` }), []);
        const [first, second] = await readAll(bench, { key: own });
        assert.ok(first && second);
        assert.deepEqual(await read({ key: own, after: first.seq }), [closed]);
        assert.deepEqual(await read({ key: own, before: second.seq }), [sent]);
        const newest = async (filter: AuditFilter) =>
          await bench.other.audit?.({ tenant: bench.tenant, newestFirst: true, limit: 1, ...filter });
        const [latest, earlier] = [await newest({}), await newest({ before: second.seq })];
        assert.deepEqual(latest, { entries: [second], next: second.seq });
        assert.deepEqual(earlier, { entries: [first] });
        assert.deepEqual(await newest({ by: `Ann of ${bench.tenant}` }), { entries: [first] });
        assert.deepEqual(await newest({ limit: 2 }), { entries: [second, first] });
        assert.deepEqual(await read({ key: own, until: first.at }), []);
        assert.deepEqual(await read({ key: own, since: first.at, until: second.at + 1 }), [sent, closed]);
        assert.deepEqual(await read({ key: own, since: second.at + 60_000 }), []);
      },
    },
    {
      name: 'leaves of what is forgotten what was done, by whom and when',
      async run(bench) {
        const { journal, other } = bench;
        const { key, fence, turn } = await bench.run();
        const question = { ...createQuestion(), input: { secret: key } };
        await journal.ask(fence, turn.id, question);
        const answer = {
          result: { behavior: 'deny', message: `not ${key}` },
          answeredAt: 0,
          by: 'Ann',
        } as const;
        await other.answer(question.id, answer);
        const before = await readAll(bench, { key });
        assert.equal(await other.remove(key, { by: 'Dee' }), true);
        assert.equal(await other.remove(key, { by: 'Eve' }), false);
        await bench.send(key);
        assert.equal((await readAll(bench, { key })).length, 1, 'only those of the new conversation');
        const forgotten = async (filter: AuditFilter) => {
          const found = await readAll(bench, filter);
          return found.filter((entry) => entry.conversationNumber === before[0]?.conversationNumber);
        };
        const left = await forgotten({ tenant: bench.tenant });
        assert.deepEqual(left.map(short), [['sent'], ['denied', 'Ann'], ['forgotten', 'Dee']]);
        assert.deepEqual(
          left.slice(0, 2).map(({ seq, at }) => [seq, at]),
          before.map(({ seq, at }) => [seq, at]),
        );
        assert.ok(!JSON.stringify(left).includes(key), 'nothing that came from it');
        await other.remove(key);
        await other.forgetTenant(bench.tenant, { by: 'Fay' });
        await other.forgetTenant(bench.tenant, { by: 'Ann' });
        assert.deepEqual(await readAll(bench, { tenant: bench.tenant }), []);
        const all = await forgotten({ after: (before[0]?.seq ?? 1) - 1 });
        assert.deepEqual(
          all.map(({ what, tenant }) => [what, tenant]),
          [
            ['sent', undefined],
            ['denied', undefined],
            ['forgotten', undefined],
          ],
        );
        const gone = await readAll(bench, { what: 'tenantForgotten', after: all.at(-1)?.seq });
        assert.equal(gone.filter(({ by }) => by === 'Fay').length, 1);
        assert.ok(!JSON.stringify(gone).includes(bench.tenant));
      },
    },
    {
      name: 'refuses names for the audit that are none',
      async run(bench) {
        const key = bench.key();
        const start = { agent: 'support', data: null };
        for (const by of ['', 'x'.repeat(1001), 7 as unknown as string]) {
          await expectRefused(
            () => bench.journal.enqueue({ key, id: 'one', content: 'x', start }, { by }),
            'INVALID_OPTIONS',
            'a wrong name',
          );
          await expectRefused(
            () => bench.journal.interrupt(key, { by }),
            'INVALID_OPTIONS',
            'a wrong name of who interrupts',
          );
        }
        assert.equal(await bench.journal.conversation(key), undefined, 'nothing was stored');
        assert.deepEqual((await readAll(bench, { key })).length, 0);
      },
    },
  ] satisfies readonly JournalCheck[]
).map((check) => ({
  name: check.name,
  run: async (bench) => {
    if (bench.journal.audit) await check.run(bench);
  },
}));
