// What a login role of the same database can do to a journal that it was granted nothing of: neither stop nor read it.
import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import type { JournalChange } from '../../../packages/cluster/src/journal/journal.js';
import { createWorkerRole, nameSchema, openJournal, runSql } from '../support/journals.js';
import { connect, createStranger, createTablesOf, findChannel, listenOn } from '../support/strangers.js';

const send = async (journal: ReturnType<typeof openJournal>, key: string): Promise<void> => {
  await journal.enqueue({ key, id: randomUUID(), content: 'hi', start: { agent: 'a', data: null } });
};

it('stops neither recovery nor migrations with advisory locks', async () => {
  const { url } = await createStranger();
  const schema = nameSchema('locked');
  await createTablesOf(1, schema);
  const stranger = await connect(url);
  await stranger.query(`select pg_advisory_lock(hashtext('inboard due'), hashtext($1))`, [schema]);
  await stranger.query(`select pg_advisory_lock(hashtext('inboard migrate'), hashtext($1))`, [schema]);
  const journal = openJournal({ schema, statementTimeoutMs: 2000 });
  await journal.open();
  await send(journal, 'one');
  expect(await journal.due(10)).toEqual([{ key: 'one', recovered: false }]);
  // Also for code of version 1, which goes on with these tables.
  expect(await runSql(`select * from "${schema}".due_conversations(10)`)).toEqual([
    { key: 'one', recovered: false },
  ]);
});

it('cannot lock what those lock who look for due conversations, or who migrate', async () => {
  const schema = nameSchema('barred');
  await createWorkerRole(schema);
  const { url } = await createStranger();
  for (const statement of [
    `begin; lock table "${schema}".due_lock in share update exclusive mode`,
    `begin; lock table "${schema}".due_lock in access share mode`,
    `begin; lock table "${schema}".migrations in access share mode`,
    `select * from "${schema}".due_conversations_2(1, true)`,
    `select "${schema}".report_worker('w', '{}')`,
    `select "${schema}".forget_tenant('t')`,
  ])
    await expect(runSql(statement, [], url)).rejects.toMatchObject({ code: '42501' });
});

it('does not let a worker lock the table that a migration locks first, so that it cannot keep one from beginning', async () => {
  const schema = nameSchema('worker');
  const { url } = await createWorkerRole(schema);
  await expect(
    runSql(`begin; lock table "${schema}".migrations in share update exclusive mode`, [], url),
  ).rejects.toMatchObject({ code: '42501' });
});

it('finds what is due although another who looks hangs, and says where this role may not look', async () => {
  const schema = nameSchema('apart');
  const { url, role } = await createWorkerRole(schema);
  const journal = openJournal({ connectionString: url, schema, migrate: false });
  expect(await journal.due(10)).toEqual([]);
  await send(journal, 'one');
  const other = await connect(url);
  await other.query('begin');
  await other.query(`select * from "${schema}".due_conversations_2(1, false)`);
  expect(await journal.due(10)).toEqual([]);
  // A session that hangs does not stop others for long, not even if it may have the lock.
  const clock = vi.spyOn(performance, 'now');
  const now = performance.now();
  clock.mockImplementation(() => now + 6000);
  expect(await journal.due(10)).toEqual([{ key: 'one', recovered: false }]);
  clock.mockRestore();
  await other.query('commit');
  expect(await journal.due(10)).toEqual([{ key: 'one', recovered: false }]);
  await runSql(`revoke all on "${schema}".due_lock from "${role}"`);
  await expect(journal.due(10)).rejects.toMatchObject({
    code: 'JOURNAL_UNAVAILABLE',
    retryable: false,
    message: expect.stringContaining('run what grantSql() prints') as string,
  });
});

it('writes nothing while it looks in vain', async () => {
  const schema = nameSchema('quiet');
  const journal = openJournal({ schema });
  await journal.open();
  const looker = await connect();
  const { rows } = await looker
    .query<{ id: string | null }>(
      `begin; select * from "${schema}".due_conversations_2(1, false); select pg_current_xact_id_if_assigned()::text as id; commit`,
    )
    .then(
      (results) => (results as unknown as Array<{ rows: Array<{ id: string | null }> }>)[2] ?? { rows: [] },
    );
  expect(rows).toEqual([{ id: null }]);
});

it('hears numbers and no names, on every channel of a journal, in each of two schemas', async () => {
  const { url } = await createStranger();
  const schemas = [nameSchema('secret'), nameSchema('secret')];
  const heard = await Promise.all(
    schemas.map(async (schema) => {
      const journal = openJournal({ schema });
      await journal.open();
      const stranger = await connect(url);
      const numbers = await listenOn(stranger, await findChannel(schema));
      const names = await listenOn(stranger, schema);
      const changes: JournalChange[] = [];
      await journal.listen((change) => changes.push(change));
      return { schema, journal, numbers, names, changes };
    }),
  );
  const [first, second] = heard as [(typeof heard)[0], (typeof heard)[0]];
  await first.journal.reportWorker({ name: 'w', concurrency: 1, running: 0, warm: 0, draining: false });
  await send(first.journal, 'ann@example.org');
  await expect.poll(() => first.changes).toContainEqual({ kind: 'inbox', key: 'ann@example.org' });
  await first.journal.remove('ann@example.org');
  await expect.poll(() => first.changes).toContainEqual({ kind: 'stop', key: 'ann@example.org' });
  await expect.poll(() => first.numbers.length).toBeGreaterThanOrEqual(5);
  for (const payload of first.numbers) expect(payload).toMatch(/^[a-z]+ [1-9]\d*$/);
  expect(first.names).toEqual([]);
  expect([second.numbers, second.changes]).toEqual([[], []]);
});

it('does no harm by telling anything', async () => {
  const schema = nameSchema('forged');
  const journal = openJournal({ schema });
  await journal.open();
  await send(journal, 'real');
  const channel = await findChannel(schema);
  const changes: JournalChange[] = [];
  await journal.listen((change) => changes.push(change));
  const stranger = await connect((await createStranger()).url);
  for (const payload of [
    '',
    ' ',
    'inbox',
    'inbox x',
    'inbox 0',
    'inbox -1',
    'inbox 1e3',
    'inbox 99999999999999999999999',
    `inbox 1;drop table`,
    'nothing 1',
    'inbox 999999999999999999',
    'inbox 999999999999999998',
  ])
    await stranger.query('select pg_notify($1, $2)', [channel, payload]);
  await stranger.query('select pg_notify($1, $2)', [channel, 'events 1']);
  await expect.poll(() => changes).toContainEqual({ kind: 'events', key: 'real' });
  // For unknown numbers, all waiting listeners look once.
  await expect.poll(() => changes.filter(({ key }) => key === undefined)).toEqual([{ kind: 'inbox' }]);
});

it('hears of a conversation that is gone before its number was known', async () => {
  const schema = nameSchema('gone');
  const [one, other] = [openJournal({ schema }), openJournal({ schema })];
  await one.open();
  await send(one, 'short');
  const changes: JournalChange[] = [];
  await other.listen((change) => changes.push(change));
  await one.remove('short');
  const isTold = (kind: string): boolean =>
    changes.some((change) => change.kind === kind && (change.key === undefined || change.key === 'short'));
  await expect.poll(() => ['stop', 'events', 'answer'].every(isTold)).toBe(true);
});

it('hears of many new conversations at a time, each by its key', async () => {
  const schema = nameSchema('many');
  const [one, other] = [openJournal({ schema }), openJournal({ schema })];
  await one.open();
  const heard = new Set<string>();
  await other.listen(({ key }) => key !== undefined && heard.add(key));
  const keys = Array.from({ length: 200 }, (_, at) => `chat ${at}`);
  await Promise.all(keys.map((key) => send(one, key)));
  await expect.poll(() => [...heard].toSorted()).toEqual(keys.toSorted());
});
