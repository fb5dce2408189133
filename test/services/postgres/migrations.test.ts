// From version 1 of the tables to the newest: who waits for whom, who may go on, and what the printed script does under psql.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { ClusterError } from '../../../packages/core/src/errors.js';
import { MIGRATIONS, TABLES_VERSION } from '../../../packages/cluster/src/postgres/schema/migrations.js';
import { grantSql, migrationSql } from '../../../packages/cluster/src/postgres/schema/print-sql.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';
import { connect, createStranger, createTablesOf } from '../support/strangers.js';

const run = promisify(execFile);
const START = { agent: 'a', data: null };

const readVersion = async (schema: string): Promise<unknown> =>
  (await runSql(`select max(version) as version from "${schema}".migrations`))[0]?.['version'];

async function refused(opening: Promise<void>): Promise<ClusterError> {
  const error: unknown = await opening.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ClusterError);
  return error as ClusterError;
}

describe('a migration that has to wait', () => {
  it('ends in time, says whom it waited for, and can be tried again', async () => {
    const schema = nameSchema('held');
    await createTablesOf(1, schema);
    const holder = await connect(undefined, 'somebody in psql');
    await holder.query('begin');
    await holder.query(`lock table "${schema}".migrations in share update exclusive mode`);
    const journal = openJournal({ schema, statementTimeoutMs: 1200 });
    const error = await refused(journal.open());
    expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
    const [{ pid } = {}] = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
    expect(error.message).toContain(
      `locked by the session with the process id ${pid} of the role "inboard" (application "somebody in psql")`,
    );
    expect(await readVersion(schema)).toBe(1);
    await holder.query('rollback');
    await journal.open();
    expect(await readVersion(schema)).toBe(TABLES_VERSION);
  });

  it('does so for the very first one, before there is a table to lock', async () => {
    const schema = nameSchema('first');
    const holder = await connect(undefined, 'another first');
    await holder.query(`begin; create schema "${schema}"`);
    const journal = openJournal({ schema, statementTimeoutMs: 1200 });
    const error = await refused(journal.open());
    expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
    expect(error.message).toContain('(application "another first")');
    await holder.query('commit');
    await journal.open();
  });

  it('goes on as soon as it may, and lets those who work go on meanwhile', async () => {
    const schema = nameSchema('patient');
    await createTablesOf(1, schema);
    const reader = await connect(undefined, 'a long report');
    await reader.query('begin');
    // What a dump does: every statement that changes the table waits for it, and all others wait behind that.
    await reader.query(`select count(*) from "${schema}".workers`);
    const opening = openJournal({ schema, statementTimeoutMs: 30_000 }).open();
    // Each within a part of the time that the migration may take: PostgreSQL would end one that waits for longer.
    const worker = await connect();
    await worker.query(`set statement_timeout to '5s'; set search_path to "${schema}"`);
    for (let times = 0; times < 5; times += 1)
      await worker.query(`insert into workers values ($1, '{}', now())`, [`old ${times}`]);
    await reader.query('commit');
    await opening;
    expect(await readVersion(schema)).toBe(TABLES_VERSION);
  });

  it('is made once, however many come at a time, from nothing and from each version', async () => {
    const schemas = [
      nameSchema('fresh'),
      nameSchema('one'),
      nameSchema('two'),
      nameSchema('three'),
      nameSchema('four'),
    ] as const;
    await createTablesOf(1, schemas[1]);
    await createTablesOf(2, schemas[2]);
    await createTablesOf(3, schemas[3]);
    await createTablesOf(4, schemas[4]);
    const journals = schemas.flatMap((schema) =>
      Array.from({ length: 6 }, () => openJournal({ schema, maxConnections: 2 })),
    );
    await Promise.all(journals.map((journal) => journal.open()));
    for (const schema of schemas)
      expect(await runSql(`select version from "${schema}".migrations order by 1`)).toEqual(
        MIGRATIONS.map(({ version }) => ({ version })),
      );
  });
});

describe('roles that were granted version 1', () => {
  it('go on after a migration, and others get nothing by it', async () => {
    const schema = nameSchema('granted');
    await createTablesOf(1, schema);
    const [worker, reader] = [await createStranger(), await createStranger()];
    await runSql(grantSql({ role: worker.role, schema }));
    await runSql(
      `grant usage on schema "${schema}" to "${reader.role}"; grant select on "${schema}".conversations to "${reader.role}"`,
    );
    await openJournal({ schema }).open();
    const journal = openJournal({ schema, connectionString: worker.url, migrate: false });
    const key = randomUUID();
    await journal.enqueue({ key, id: 'one', content: 'x', start: START });
    expect(await journal.due(10)).toEqual([{ key, recovered: false }]);
    expect(await runSql(`select key from "${schema}".due_conversations(1)`, [], worker.url)).toEqual([
      { key },
    ]);
    await journal.reportWorker({ name: 'w', concurrency: 1, running: 0, warm: 0, draining: false });
    const granted = await runSql(
      `select c.relname from pg_class c, aclexplode(c.relacl) a
      where c.relnamespace = $1::regnamespace and a.grantee = $2::regrole`,
      [`"${schema}"`, `"${reader.role}"`],
    );
    expect(granted).toEqual([{ relname: 'conversations' }]);
    expect(
      await runSql(`select has_table_privilege($1, $2, 'insert') as may`, [
        worker.role,
        `"${schema}".migrations`,
      ]),
    ).toEqual([{ may: false }]);
  });

  it('are told to run grantSql() again where that is needed', async () => {
    const schema = nameSchema('partly');
    await createTablesOf(1, schema);
    const { role, url } = await createStranger();
    await runSql(grantSql({ role, schema }));
    // Not what grantSql() says, so that nothing is passed on.
    await runSql(`revoke delete on "${schema}".counters from "${role}"`);
    await openJournal({ schema }).open();
    const journal = openJournal({ schema, connectionString: url, migrate: false });
    await expect(journal.due(1)).rejects.toMatchObject({
      code: 'JOURNAL_UNAVAILABLE',
      message: expect.stringMatching(/grantSql\(\).*again after each migration/) as string,
    });
    await runSql(grantSql({ role, schema }));
    expect(await journal.due(1)).toEqual([]);
  });
});

describe('the printed script, under psql,', () => {
  const psql = async (script: string): Promise<void> => {
    const child = run('psql', [inject('postgresUrl'), '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', '-']);
    child.child.stdin?.end(script);
    await child;
  };

  it.each([
    'a$do$b',
    '$do$; create table public.broken_out (x int); do $do$',
    '$$',
    `quo'te"d`,
    '"; create table public.broken_out (x int); --',
    'back\\slash \\! false',
    ':"name" :name',
    'two\nlines',
    'Größe',
  ])('makes the tables in the schema %j, and nothing elsewhere', async (name) => {
    const schema = `${name.slice(0, 54)} ${randomUUID().slice(0, 8)}`;
    const { role, url } = await createStranger();
    await psql(`${migrationSql({ schema })}\n${grantSql({ role, schema })}`);
    expect(await runSql(`select from pg_class where relname = 'broken_out'`)).toEqual([]);
    const journal = openJournal({ schema, connectionString: url, migrate: false });
    const changes: unknown[] = [];
    await journal.listen((change) => changes.push(change));
    await journal.enqueue({ key: 'k', id: 'one', content: 'x', start: START });
    expect(await journal.due(1)).toEqual([{ key: 'k', recovered: false }]);
    await expect.poll(() => changes).toContainEqual({ kind: 'inbox', key: 'k' });
  });

  it('grants to a role of any name', async () => {
    const schema = nameSchema('roles');
    const role = `$do$ "x" ${randomUUID().slice(0, 8)}`;
    await runSql(`create role "${role.replaceAll('"', '""')}" login`);
    await psql(`${migrationSql({ schema })}\n${grantSql({ role, schema })}`);
    expect(() => grantSql({ role: undefined as unknown as string })).toThrow('"role" must be the name');
    expect(() => migrationSql({ schema: '$user' })).toThrow('must not be "$user"');
  });

  it.each([1, 2, 3, 4] as const)('brings version %i up to date, once', async (version) => {
    const schema = nameSchema('by_hand');
    await createTablesOf(version, schema);
    await psql(migrationSql({ schema, from: version }));
    await openJournal({ schema, migrate: false }).open();
    await expect(psql(migrationSql({ schema, from: version }))).rejects.toThrow(
      /already exists|duplicate key/,
    );
  });

  it.each([1, 2, 3, 4] as const)('makes of version %i what it makes of nothing', async (version) => {
    const [fresh, old] = [nameSchema('same'), nameSchema('same')];
    await psql(migrationSql({ schema: fresh }));
    await createTablesOf(version, old);
    await psql(migrationSql({ schema: old, from: version }));
    const describeFunctions = async (schema: string): Promise<unknown> =>
      JSON.parse(
        JSON.stringify(
          await runSql(
            `select p.oid::regprocedure::text as name, p.prosrc, p.proconfig from pg_proc p
            where p.pronamespace = $1::regnamespace order by 1`,
            [`"${schema}"`],
          ),
        ).replaceAll(schema, 'schema'),
      );
    expect(await describeFunctions(old)).toEqual(await describeFunctions(fresh));
  });
});
