// Makes the tables of a journal, or checks that they are there: once, whoever comes first.
import { ClusterError } from '../../../errors.js';
import { warnOnce } from '../../../util/warn-once.js';
import type { Database, Run } from '../database.js';
import { TABLES_VERSION, writeMigrations } from './migrations.js';

interface TablesFound {
  version: number;
  /** The oldest version of the code that works with them. */
  oldest: number;
}

/** Makes a database ready for a journal. */
export async function prepareDatabase(database: Database): Promise<void> {
  const { migrate } = database.settings;
  const found = await database.transaction('begin read only', (run) => findTables(run, database));
  checkVersion(found);
  if (found.version < TABLES_VERSION) {
    if (!migrate) throw missing(found);
    await database.transaction('begin', (run) => bringUpToDate(run, database));
  }
  await checkDurability(database);
}

async function bringUpToDate(run: Run, database: Database): Promise<void> {
  // Longer than for other statements: another process may be at it.
  await run('set local statement_timeout to 0');
  await run('set local synchronous_commit to on');
  await run(`select pg_advisory_xact_lock(hashtext('inboard migrate'), hashtext($1))`, [
    database.settings.schema,
  ]);
  const found = await findTables(run, database);
  checkVersion(found);
  if (found.version >= TABLES_VERSION) return;
  // Also where it exists, "create schema if not exists" asks for a right that few roles have.
  const schemas = await run('select from pg_namespace where nspname = $1', [database.settings.schema]);
  if (schemas.length === 0) await run(`create schema ${database.schema}`);
  for (const statement of writeMigrations(database.settings.schema, found.version)) await run(statement);
}

async function findTables(run: Run, database: Database): Promise<TablesFound> {
  // By reading the catalog itself: what a session remembers of it may be from before the lock was had.
  const tables = await run(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'migrations'`,
    [database.settings.schema],
  );
  if (tables.length === 0) return { version: 0, oldest: 0 };
  const [row] = await run(
    `select coalesce(max(version), 0) as version, coalesce(max(oldest), 0) as oldest from ${database.schema}.migrations`,
  );
  return { version: row?.['version'] as number, oldest: row?.['oldest'] as number };
}

function checkVersion({ version, oldest }: TablesFound): void {
  if (oldest <= TABLES_VERSION) return;
  throw new ClusterError(
    'JOURNAL_VERSION',
    `The tables of the journal have version ${version}, which needs a newer version of this package: this one knows versions up to ${TABLES_VERSION}. Update the package.`,
  );
}

function missing({ version }: TablesFound): ClusterError {
  return new ClusterError(
    'JOURNAL_VERSION',
    `The tables of the journal are ${version === 0 ? 'missing' : `at version ${version}`}. Version ${TABLES_VERSION} is needed, and with "migrate: false" the journal does not create or update them. ` +
      'Run "inboard cluster migrate" as the role that owns them, or give that role\'s administrator the output of "inboard cluster migrate --print".',
  );
}

// Connections of our own ask for it; what comes with a pool of the user's is theirs to set.
async function checkDurability(database: Database): Promise<void> {
  const [row] = await database.transaction('begin read only', (run) => run('show synchronous_commit'));
  if (row?.['synchronous_commit'] !== 'off') return;
  warnOnce(
    'The database of the journal has "synchronous_commit = off": messages that were accepted can be lost when its machine fails. Set it to on for the role or the pool of the journal.',
    'JOURNAL_NOT_DURABLE',
  );
}
