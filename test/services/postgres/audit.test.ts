// The audit in PostgreSQL: entries come and go with their deeds, none is missing from what was read, deeds of older code are noted,
// and names in it are never SQL.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { readAuditEntries } from '../../../packages/cluster/src/audit.js';
import type { ClusterAuditFilter } from '../../../packages/cluster/src/cluster.js';
import type { AuditEntry } from '../../../packages/cluster/src/journal/audit-entry.js';
import type { Journal } from '../../../packages/cluster/src/journal/journal.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';
import { connect, createTablesOf } from '../support/strangers.js';

const START = { agent: 'a', data: null };

async function readAll(journal: Journal, filter: ClusterAuditFilter = {}): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for await (const entry of readAuditEntries(async () => journal, filter)) found.push(entry);
  return found;
}

const name = ({ what, by }: AuditEntry) => [what, by];

it('waits for an entry with a lower number that is not committed yet', async () => {
  const schema = nameSchema('audit');
  const journal = openJournal({ schema });
  await journal.enqueue({ key: 'first', id: 'one', content: 'x', start: START });
  const slow = await connect(undefined, 'slow');
  await slow.query(`begin; set local search_path to "${schema}"`);
  await slow.query(`select enqueue_by('slow', 'one', 'u', '"x"', 0, null, 'a', 'null', null, 's', '"Slow"')`);
  await journal.enqueue({ key: 'fast', id: 'one', content: 'x', start: START }, { by: 'Fast' });
  let isRead = false;
  const reading = readAll(journal).finally(() => (isRead = true));
  const waits = async () =>
    (
      await runSql(
        `select from pg_stat_activity where query like '%audit_settled%' and wait_event = 'PgSleep'`,
      )
    ).length;
  await expect.poll(waits, { interval: 5, timeout: 10_000 }).toBeGreaterThan(0);
  expect(isRead).toBe(false);
  await slow.query('commit');
  expect((await reading).map(name)).toEqual([
    ['sent', undefined],
    ['sent', 'Slow'],
    ['sent', 'Fast'],
  ]);
});

it('says so if such a transaction does not end, and leaves nothing out', async () => {
  const schema = nameSchema('audit');
  const journal = openJournal({ schema, statementTimeoutMs: 400 });
  await journal.enqueue({ key: 'first', id: 'one', content: 'x', start: START });
  const stuck = await connect(undefined, 'stuck');
  await stuck.query(
    `begin; set local search_path to "${schema}"; select note_deed('sent', null, null, null, null, null, null)`,
  );
  await expect(journal.audit?.()).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
  await stuck.query('rollback');
  expect((await readAll(journal)).map(name)).toEqual([['sent', undefined]]);
});

it('has no entry of a deed whose transaction was rolled back', async () => {
  const schema = nameSchema('audit');
  const journal = openJournal({ schema });
  await journal.enqueue({ key: 'k', id: 'one', content: 'x', start: START });
  const client = await connect(undefined, 'rolls back');
  await client.query(`begin; set local search_path to "${schema}"`);
  await client.query(`select remove_conversation_by('k', '"Eve"')`);
  await client.query('rollback');
  expect(await journal.conversation('k')).toBeDefined();
  expect(await readAll(journal)).toMatchObject([{ what: 'sent', conversation: 'k' }]);
});

it('has one entry for each of many deeds at a time, and a reader who goes on misses none', async () => {
  const schema = nameSchema('audit');
  const [journal, other] = [openJournal({ schema }), openJournal({ schema })];
  await journal.open();
  const seen: AuditEntry[] = [];
  let isDone = false;
  const follow = async (): Promise<void> => {
    for (let isLast = false; !isLast;) {
      isLast = isDone;
      const after = seen.at(-1)?.seq;
      seen.push(...(await readAll(other, after === undefined ? {} : { after })));
    }
  };
  const following = follow();
  const send = async (at: number): Promise<void> => {
    for (let turn = 0; turn < 6; turn += 1) {
      const key = `k${(at + turn) % 5}`;
      const by = `${at}-${turn}`;
      const by2 = { by };
      await journal.enqueue({ key, id: by, content: 'x', start: START }, by2);
      if (turn % 2 === 0) await journal.cancel(key, by, by2);
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, at) => send(at)));
  isDone = true;
  await following;
  const all = await readAll(journal);
  expect(seen.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
  expect(all.filter(({ what }) => what === 'sent')).toHaveLength(120);
  expect(all.filter(({ what }) => what === 'cancelled')).toHaveLength(60);
  for (const key of ['k0', 'k1', 'k2', 'k3', 'k4']) {
    const turns = await journal.turns(key);
    const entries = all.filter(({ conversation }) => conversation === key);
    expect(entries.filter(({ what }) => what === 'sent').map(({ turn }) => turn)).toEqual(
      turns.map(({ id }) => id),
    );
    const cancelled = turns.filter(({ outcome }) => outcome?.kind === 'cancelled').map(({ id }) => id);
    expect(entries.flatMap(({ what, turn = '' }) => (what === 'cancelled' ? [turn] : [])).toSorted()).toEqual(
      cancelled.toSorted(),
    );
  }
});

it('notes the deeds of code of version 4, without names but for answers', async () => {
  const schema = nameSchema('audit');
  await createTablesOf(4, schema);
  const old = await connect(undefined, 'version 4');
  await old.query(`set search_path to "${schema}"`);
  const enqueue = `select * from enqueue($1, $2, $3, '"x"', 0, null, 'a', 'null', null, 's')`;
  await old.query(enqueue, ['k', 'before', randomUUID()]);
  const journal = openJournal({ schema });
  await journal.open();
  for (const id of ['one', 'two']) await old.query(enqueue, ['k', id, randomUUID()]);
  const outcome = '{"ok":false,"kind":"cancelled","text":""';
  await old.query(`select cancel_turn('k', 'two', $1)`, [outcome]);
  const fence = await journal.lease('k', { owner: 'w', ms: 60_000 });
  if (fence.state !== 'granted') throw new Error(fence.state);
  await journal.next(fence.fence);
  await journal.ask(fence.fence, 'before', {
    id: 'q',
    kind: 'permission',
    attempt: 1,
    askedAt: 0,
    input: { a: 1 },
  });
  await old.query('select answer_question($1, $2, $3)', [
    'q',
    JSON.stringify({ result: { behavior: 'allow', updatedInput: { a: 2 } }, by: 'Ann' }),
    JSON.stringify({ type: 'answer', question: 'q', behavior: 'allow', by: 'Ann' }),
  ]);
  await old.query(`select interrupt_turn('k', $1)`, [outcome]);
  await old.query(`select close_conversation('k', $1, $1)`, [outcome]);
  expect((await readAll(journal)).map(({ what, by, turn }) => [what, by, turn])).toEqual([
    ['sent', undefined, 'one'],
    ['sent', undefined, 'two'],
    ['cancelled', undefined, 'two'],
    ['edited', 'Ann', 'before'],
    ['interrupted', undefined, 'before'],
    ['closed', undefined, undefined],
  ]);
  await old.query(`select remove_conversation('k')`);
  expect((await readAll(journal)).at(-1)).toMatchObject({ what: 'forgotten' });
  await old.query(`select forget_tenant('nobody')`);
  expect((await readAll(journal)).at(-1)).toMatchObject({ what: 'forgotten' });
});

it('takes names for texts, whatever is in them', async () => {
  const schema = nameSchema('audit');
  const journal = openJournal({ schema });
  const names = [
    `'; drop table "${schema}".audit; --`,
    `$1 || (select 1)`,
    '\u0000\u001b[2J\u202e',
    '\ud800',
    'x'.repeat(1000),
    '{"by":"x"}',
  ];
  for (const [at, by] of names.entries())
    await journal.enqueue({ key: `k${at}`, id: 'one', content: 'x', start: START }, { by });
  expect((await readAll(journal)).map(({ by }) => by)).toEqual(names);
  for (const by of names) expect((await readAll(journal, { by })).map((entry) => entry.by)).toEqual([by]);
});

it('reads a large audit in pages of bounded size', async () => {
  const schema = nameSchema('audit');
  const journal = openJournal({ schema });
  await journal.open();
  // More than one statement looks at, with one entry that is asked for near the end.
  await runSql(
    `insert into "${schema}".audit (at, what, who, tenant) select now(), 'sent', case when n = 24000 then '"Ann"' end, 't' from generate_series(1, 25000) n`,
  );
  const first = await journal.audit?.({ by: 'Ann' });
  expect(first?.entries).toEqual([]);
  expect(first?.next).toBeGreaterThan(0);
  expect(await readAll(journal, { by: 'Ann' })).toHaveLength(1);
  expect(await readAll(journal, { tenant: 't' })).toHaveLength(25_000);
  expect(await readAll(journal, { since: Date.now() + 3_600_000 })).toEqual([]);
  // Pages of large entries are smaller.
  await runSql(
    `insert into "${schema}".audit (at, what, question) select now(), 'denied', '{"input":{"x":"' || repeat('y', 1000000) || '"}}' from generate_series(1, 9) n`,
  );
  const page = await journal.audit?.({ what: 'denied', after: 25_000 });
  expect(page?.entries).toHaveLength(3);
  expect(await readAll(journal, { what: 'denied' })).toHaveLength(9);
});

it('reads large inputs of the entries of a page alone', async () => {
  const schema = nameSchema('audit');
  const journal = openJournal({ schema });
  await journal.open();
  // Stored apart from its row, in pieces of about 2,000 characters.
  await runSql(`alter table "${schema}".audit alter column question set storage external`);
  await runSql(
    `insert into "${schema}".audit (at, what, question) select now(), 'denied', '{"input":{"x":"' || repeat('y', 20000) || '"}}' from generate_series(1, 300) n`,
  );
  const countPieces = async () =>
    (
      await runSql(
        `select coalesce(sum(idx_tup_fetch), 0)::int as read from pg_stat_all_tables where relid = (select reltoastrelid from pg_class where oid = '"${schema}".audit'::regclass)`,
      )
    )[0]?.['read'];
  const before = Number(await countPieces());
  expect((await journal.audit?.({ what: 'denied', limit: 2 }))?.entries).toHaveLength(2);
  // A connection tells what it has read at its end.
  await journal.close();
  await expect.poll(countPieces, { interval: 5, timeout: 10_000 }).toBeGreaterThan(before);
  expect(Number(await countPieces()) - before).toBeLessThan(100);
});
