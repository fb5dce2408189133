// Who may do what with the tables, and which versions go together.
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { expect, inject, it, vi } from 'vitest';
import { TABLES_VERSION } from '../../../packages/cluster/src/postgres/schema/migrations.js';
import { grantSql, migrationSql } from '../../../packages/cluster/src/postgres/schema/print-sql.js';
import { createWorkerRole, nameSchema, openJournal, runSql } from '../support/journals.js';

it('makes nothing where it may not, and names the command', async () => {
  const journal = openJournal({ schema: nameSchema('none'), migrate: false });
  await expect(journal.open()).rejects.toMatchObject({
    code: 'JOURNAL_VERSION',
    message: expect.stringContaining('inboard cluster migrate --print') as string,
  });
});

it('works on tables that were made by the printed SQL', async () => {
  const schema = nameSchema('"printed"');
  await runSql(migrationSql({ schema }));
  const journal = openJournal({ schema, migrate: false });
  const key = randomUUID();
  await journal.enqueue({ key, id: 'one', content: 'x', start: { agent: 'a', data: null } });
  expect(await journal.due(10)).toEqual([{ key, recovered: false }]);
  expect(migrationSql({ schema, from: TABLES_VERSION })).toContain('up to date');
});

it('lets a lesser role work, and nothing more', async () => {
  const schema = nameSchema('lesser');
  const { url, role } = await createWorkerRole(schema);
  const journal = openJournal({ connectionString: url, schema });
  await journal.open();
  await journal.reportWorker({ name: 'w', concurrency: 1, running: 0, warm: 0, draining: false });
  for (const forbidden of [
    `drop table "${schema}".turns`,
    `alter table "${schema}".turns add column x int`,
    `create table "${schema}".more (x int)`,
    `create or replace function "${schema}".tell(text, text) returns void language sql as ''`,
    `insert into "${schema}".migrations values (99, 99)`,
    `truncate "${schema}".events`,
  ])
    await expect(runSql(forbidden, [], url)).rejects.toMatchObject({ code: '42501' });
  expect(grantSql({ role, schema })).not.toMatch(/all privileges|truncate/i);
});

it('says what is missing where a role may not work', async () => {
  const schema = nameSchema('barred');
  await openJournal({ schema }).open();
  const role = nameSchema('nobody');
  await runSql(`create role "${role}" login`);
  const url = inject('postgresUrl').replace('inboard@', `${role}@`);
  const error: unknown = await openJournal({ connectionString: url, schema })
    .open()
    .catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: false });
  expect((error as Error).message).toContain('grantSql()');
});

it('works on newer tables that were only added to, and refuses others', async () => {
  const schema = nameSchema('newer');
  await openJournal({ schema }).open();
  await runSql(
    `alter table "${schema}".turns add column later text; insert into "${schema}".migrations values (${TABLES_VERSION + 1}, ${TABLES_VERSION})`,
  );
  const journal = openJournal({ schema });
  await journal.enqueue({ key: 'k', id: 'one', content: 'x', start: { agent: 'a', data: null } });
  await runSql(`insert into "${schema}".migrations values (98, ${TABLES_VERSION + 1})`);
  await expect(openJournal({ schema }).open()).rejects.toMatchObject({ code: 'JOURNAL_VERSION' });
});

it('asks for commits that last, and warns where it cannot', async () => {
  const schema = nameSchema('durable');
  const role = nameSchema('careless');
  await runSql(`create role "${role}" login superuser; alter role "${role}" set synchronous_commit to off`);
  const url = inject('postgresUrl').replace('inboard@', `${role}@`);
  const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue();
  await openJournal({ connectionString: url, schema }).open();
  expect(emitWarning).not.toHaveBeenCalled();
  const pool = new Pool({ connectionString: url });
  await openJournal({ pool, schema }).open();
  expect(emitWarning).toHaveBeenCalledWith(expect.stringContaining('synchronous_commit'), {
    code: 'JOURNAL_NOT_DURABLE',
  });
  emitWarning.mockRestore();
  await pool.end();
});
