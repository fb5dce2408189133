// Locks of whole tables: what a migration waits for, and for how long, and what becomes of leases while another has a table.
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../../../scripts/support/services/postgres-server.mjs';
import { ClusterError } from '../../../packages/core/src/errors.js';
import type { Fence } from '../../../packages/cluster/src/journal/records.js';
import { TABLES_VERSION } from '../../../packages/cluster/src/postgres/schema/migrations.js';
import { migrationSql } from '../../../packages/cluster/src/postgres/schema/print-sql.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';
import { connect, createTablesOf } from '../support/strangers.js';

/** Reads a table, and keeps the lock that comes with it. */
async function read(schema: string, table: string): Promise<Client> {
  const reader = await connect(undefined, `a report of ${table}`);
  await reader.query('begin');
  await reader.query(`select count(*) from "${schema}".${table}`);
  return reader;
}

/** Resolves once a session waits for a table. */
async function waitFor(schema: string, table: string): Promise<void> {
  await expect
    .poll(() =>
      runSql('select from pg_locks where not granted and relation = $1::regclass', [`"${schema}".${table}`]),
    )
    .toHaveLength(1);
}

const readVersion = async (schema: string, url?: string): Promise<unknown> =>
  (await runSql(`select max(version) as version from "${schema}".migrations`, [], url))[0]?.['version'];

describe('a migration', () => {
  it('waits for all of its locks together no longer than for one, and changes nothing before it has them', async () => {
    const schema = nameSchema('together');
    await createTablesOf(1, schema);
    const [first, second] = [await read(schema, 'events'), await read(schema, 'entries')];
    const opening = openJournal({ schema, statementTimeoutMs: 1200 })
      .open()
      .catch((cause: unknown) => cause);
    await waitFor(schema, 'events');
    await first.query('commit');
    const error = await opening;
    expect(error).toBeInstanceOf(ClusterError);
    expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
    // The time of the statement is over before that of the second lock.
    expect(((error as Error).cause as Error).cause).toMatchObject({ code: '57014' });
    expect(await readVersion(schema)).toBe(1);
    await second.query('commit');
  });

  it('of the printed script gives up as well, whichever session keeps a table', async () => {
    const schema = nameSchema('printed');
    await createTablesOf(1, schema);
    const reader = await read(schema, 'events');
    await expect(runSql(migrationSql({ schema, from: 1 }))).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:57014|55P03)$/) as string,
    });
    expect(await readVersion(schema)).toBe(1);
    await reader.query('commit');
    const session = await connect();
    await session.query(`set statement_timeout to '77s'; set lock_timeout to '66s'`);
    await session.query(migrationSql({ schema, from: 1 }));
    expect(await readVersion(schema)).toBe(TABLES_VERSION);
    // What the session had is untouched.
    expect((await session.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '77s' }]);
    expect((await session.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '66s' }]);
  });

  it('from version 2 on does not wait for sessions that read conversations, or read or write turns, events or calls', async () => {
    const schema = nameSchema('cheap');
    await createTablesOf(2, schema);
    const worker = await connect(undefined, 'a worker');
    await worker.query('begin');
    await worker.query(
      `lock table ${['turns', 'events', 'calls', 'kept_entries', 'contents', 'content_parts', 'workers']
        .map((table) => `"${schema}".${table}`)
        .join(', ')} in row exclusive mode`,
    );
    await worker.query(`lock table "${schema}".conversations in access share mode`);
    await openJournal({ schema, statementTimeoutMs: 1500 }).open();
    expect(await readVersion(schema)).toBe(TABLES_VERSION);
    await worker.query('commit');
  });
});

describe('an autovacuum', () => {
  let postgres: PostgresServer | undefined;
  afterAll(async () => {
    await postgres?.stop();
  });

  it('is ended by PostgreSQL when a migration waits for it', async () => {
    // The slowest that can be: it begins as soon as it may, and does not come to its end by itself.
    postgres = await startPostgres({
      settings: {
        fsync: 'off',
        autovacuum_naptime: '1s',
        autovacuum_vacuum_cost_delay: '100ms',
        autovacuum_vacuum_cost_limit: 1,
        autovacuum_vacuum_threshold: 1,
        autovacuum_vacuum_scale_factor: 0,
        autovacuum_vacuum_insert_threshold: -1,
      },
    });
    const { url } = postgres;
    const schema = nameSchema('vacuumed');
    await createTablesOf(1, schema, url);
    await runSql(
      `select * from "${schema}".enqueue('k', 'one', 'u', '"x"', 0, null, 'a', 'null', null, 's')`,
      [],
      url,
    );
    await runSql(
      `insert into "${schema}".events (conversation, id, turn, at, epoch, body)
      select 1, 1000 + i, 'one', now(), 0, repeat('x', 900) from generate_series(1, 40000) i`,
      [],
      url,
    );
    await runSql(`delete from "${schema}".events where id % 2 = 0`, [], url);
    const findVacuum = (): Promise<unknown[]> =>
      runSql(
        `select a.pid from pg_stat_activity a join pg_locks l on l.pid = a.pid
        where a.backend_type = 'autovacuum worker' and l.relation = $1::regclass`,
        [`"${schema}".events`],
        url,
      );
    await expect.poll(async () => (await findVacuum()).length, { timeout: 60_000 }).toBe(1);
    const journal = openJournal({ schema, connectionString: url });
    await journal.open();
    expect(await readVersion(schema, url)).toBe(TABLES_VERSION);
    await journal.close();
  }, 120_000);
});

describe('leases', () => {
  const schema = nameSchema('table');
  const journal = openJournal({ schema });

  const send = async (): Promise<string> => {
    const key = randomUUID();
    await journal.enqueue({ key, id: 'one', content: 'x', start: { agent: 'a', data: null } });
    return key;
  };
  const take = async (): Promise<Fence> => {
    const lease = await journal.lease(await send(), { owner: 'w', ms: 60_000 });
    if (lease.state !== 'granted') throw new Error(`The lease is ${lease.state}`);
    return lease.fence;
  };

  it('are had, renewed and given back after a change of the table, for longer than a row is waited for', async () => {
    const [one, other, left] = [await take(), await take(), await take()];
    const key = await send();
    const changer = await connect(undefined, 'an administrator');
    await changer.query('begin');
    await changer.query(`lock table "${schema}".conversations in access exclusive mode`);
    const asked = Promise.all([
      journal.renew([one, other], 60_000),
      journal.renew([other], 60_000),
      journal.release(left),
      journal.lease(key, { owner: 'w', ms: 60_000 }),
    ]);
    asked.catch(() => {});
    await changer.query('select pg_sleep(0.7)');
    await changer.query('rollback');
    const [both, alone, isReleased, lease] = await asked;
    expect([...both, ...alone]).toMatchObject([{ held: true }, { held: true }, { held: true }]);
    expect([...both, ...alone].filter(({ skipped }) => skipped).length).toBeLessThanOrEqual(1);
    expect([isReleased, lease.state]).toEqual([true, 'granted']);
  });

  it('leave the settings of a session as they are, had or not', async () => {
    const [fence, locked] = [await take(), await take()];
    const holder = await connect();
    await holder.query('begin');
    await holder.query(`select from "${schema}".conversations where key = $1 for update`, [locked.key]);
    const session = await connect(inject('postgresUrl'));
    await session.query(`set lock_timeout to '7s'; set search_path to "${schema}"`);
    const renew = async ({ key, epoch }: Fence): Promise<unknown> =>
      (await session.query('select state from renew_unlocked_leases($1, $2, 60000)', [[key], [epoch]])).rows;
    await session.query('begin');
    expect(await renew(fence)).toEqual([{ state: 'renewed' }]);
    expect(await renew(locked)).toEqual([{ state: 'locked' }]);
    await session.query('select * from take_lease($1, $2, 1000)', [await send(), 'w']);
    await session.query('select give_back_lease($1, $2, null, 0, false, false, 0)', [fence.key, fence.epoch]);
    expect((await session.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '7s' }]);
    await session.query('commit');
    await holder.query('rollback');
  });
});
