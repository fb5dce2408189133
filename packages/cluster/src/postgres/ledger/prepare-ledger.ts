// Creates the tables of a ledger or brings them up to date, or checks that they exist. One process changes them, and the others
// wait for it.
import { ClusterError } from '@inboard/core/errors.js';
import type { Database, Run } from '../database.js';
import { LEDGER_MIGRATIONS, LEDGER_VERSION } from './ledger-tables.js';

interface LedgerTables {
  version: number;
  /** The oldest version of the code that works with these tables. */
  oldest: number;
}

/** Makes a database ready for a ledger. */
export async function prepareLedger(database: Database): Promise<void> {
  const found = await database.transaction('begin read only', (run) => findTables(run, database));
  checkAge(found);
  if (found.version === LEDGER_VERSION) return;
  if (found.version < LEDGER_VERSION && !database.settings.migrate) throw refuseToMigrate(found);
  if (found.version < LEDGER_VERSION) await database.transaction('begin', (run) => migrate(run, database));
}

async function migrate(run: Run, database: Database): Promise<void> {
  const { schema, settings } = database;
  // Without this lock, two processes that begin at the same time would create the same tables.
  await run(`select pg_advisory_xact_lock(hashtext('inboard ledger'), hashtext($1))`, [settings.schema]);
  const found = await findTables(run, database);
  checkAge(found);
  const schemas = await run('select from pg_namespace where nspname = $1', [settings.schema]);
  // `create schema if not exists` needs a right that few roles have, even if the schema exists.
  if (schemas.length === 0) await run(`create schema ${schema}`);
  await run(`set local search_path to ${schema}, pg_temp`);
  for (const { version, oldest, sql } of LEDGER_MIGRATIONS.filter((each) => each.version > found.version)) {
    await run(sql);
    await run('insert into ledger_migrations (version, oldest) values ($1, $2)', [version, oldest]);
  }
}

async function findTables(run: Run, database: Database): Promise<LedgerTables> {
  const tables = await run(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'ledger_migrations'`,
    [database.settings.schema],
  );
  if (tables.length === 0) return { version: 0, oldest: 0 };
  const [row] = await run(
    `select coalesce(max(version), 0) as version, coalesce(max(oldest), 0) as oldest from ${database.schema}.ledger_migrations`,
  );
  return { version: row?.['version'] as number, oldest: row?.['oldest'] as number };
}

function checkAge({ version, oldest }: LedgerTables): void {
  if (oldest <= LEDGER_VERSION) return;
  throw new ClusterError(
    'JOURNAL_VERSION',
    `The tables of the ledger have version ${version}, which needs a newer version of this package: this one knows versions up to ${LEDGER_VERSION}. Update the package.`,
  );
}

function refuseToMigrate({ version }: LedgerTables): ClusterError {
  return new ClusterError(
    'JOURNAL_VERSION',
    `The tables of the ledger are ${version === 0 ? 'missing' : `at version ${version}`}. Version ${LEDGER_VERSION} is needed, and with "migrate: false" the ledger does not create or update them. Open it once with "migrate: true" as a role that may do so.`,
  );
}
