// How long a migration of large tables takes, and how long a worker waits meanwhile for the renewal of a lease. Prints the figures of
// `docs/cluster.md`; they depend on the disk. INBOARD_ROWS is how many events and entries there are, a million each by default.
import { describe, expect, it } from 'vitest';
import { startPostgres } from '../../../scripts/support/services/postgres-server.mjs';
import { TABLES_VERSION } from '../../../packages/cluster/src/postgres/schema/migrations.js';
import { openJournal, runSql } from '../support/journals.js';
import { connect, createTablesOf } from '../support/strangers.js';

const ROWS = Number(process.env['INBOARD_ROWS'] ?? 1_000_000);
const SCHEMA = 'large';
const ENTRIES = { 1: 'entries', 2: 'kept_entries' };

describe.each([1, 2] as const)('tables of version %i', (version) => {
  it(`with ${ROWS} events and ${ROWS} entries are brought up to date`, { timeout: 1_200_000 }, async () => {
    const postgres = await startPostgres({ settings: { autovacuum: 'off', max_wal_size: '8GB' } });
    try {
      const run = (text: string, values: unknown[] = []): ReturnType<typeof runSql> =>
        runSql(text, values, postgres.url);
      await createTablesOf(version, SCHEMA, postgres.url);
      await run(`select * from ${SCHEMA}.enqueue('k', 'one', 'u', '"x"', 0, null, 'a', 'null', null, 's')`);
      await run(`insert into ${SCHEMA}.events (conversation, id, turn, at, epoch, body)
        select 1, 1000 + i, 'one', now(), 0, repeat('{"type":"x"}', 100) from generate_series(1, ${ROWS}) i`);
      await run(
        `insert into ${SCHEMA}.transcripts (conversation, project_key, session_id, changed_at) values (1, 'p', 's', now())`,
      );
      await run(`insert into ${SCHEMA}.${ENTRIES[version]} (transcript, seq, uuid, epoch, entry)
        select 1, i, 'u' || i, 0, repeat('{"type":"x"}', 100) from generate_series(1, ${ROWS}) i`);
      const [lease] = await run(`select * from ${SCHEMA}.take_lease('k', 'w', 600000)`);
      const worker = await connect(postgres.url, 'a worker');
      const migrated = new AbortController();
      let longest = 0;
      const renewing = (async () => {
        while (!migrated.signal.aborted) {
          const askedAt = performance.now();
          await worker.query(`select * from ${SCHEMA}.renew_leases(array['k'], $1, 600000)`, [
            [lease?.['epoch']],
          ]);
          longest = Math.max(longest, performance.now() - askedAt);
        }
      })();
      const startedAt = performance.now();
      const journal = openJournal({ schema: SCHEMA, connectionString: postgres.url });
      await journal.open();
      const took = performance.now() - startedAt;
      migrated.abort();
      await renewing;
      await worker.end();
      await journal.close();
      const [size] = await run(
        `select pg_size_pretty(sum(pg_table_size(c.oid))) as size from pg_class c where relnamespace = '${SCHEMA}'::regnamespace and relkind = 'r'`,
      );
      const [found] = await run(`select max(version) as version from ${SCHEMA}.migrations`);
      expect(found).toEqual({ version: TABLES_VERSION });
      process.stdout.write(
        `From version ${version}, ${String(size?.['size'])}: ${Math.round(took)} ms; longest renewal ${Math.round(longest)} ms\n`,
      );
    } finally {
      await postgres.stop();
    }
  });
});
