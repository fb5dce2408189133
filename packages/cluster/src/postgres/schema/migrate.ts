// Creates the tables of a journal or brings them up to date, or checks that they exist. One process changes the tables, and the
// others wait. The wait is limited. If the session that holds the locks is found, the error names it.
import { ClusterError } from '@inboard/core/errors.js';
import { varyPause } from '@inboard/core/util/back-off.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { sleep } from '@inboard/core/util/timers.js';
import { warnOnce } from '@inboard/core/util/warn-once.js';
import type { Database, Run } from '../database.js';
import { readSqlState } from '../database-faults.js';
import { describeHolders, findHolders } from './lock-holders.js';
import { limitLockWait } from './lock-limits.js';
import { LOCK_MIGRATIONS, TABLES_VERSION, writeMigrations } from './migrations.js';

interface TablesFound {
  version: number;
  /** The oldest version of the code that works with these tables. */
  oldest: number;
}

/** Milliseconds between two attempts. In this time, sessions that waited behind this one get the tables. */
const PAUSE_MS = 250;
// The limit for a statement of a migration. Rewriting data of all conversations takes time.
const LONGEST_STATEMENT_MS = 600_000;
/** Another process created the same schema, table or row of the catalog at the same time. */
const MADE_BY_ANOTHER = /^(?:23505|42P06|42P07)$/;
/** A lock was not available in time, or PostgreSQL ended this transaction because two transactions waited for each other. */
const LOCK_NOT_HAD = /^(?:55P03|40P01)$/;
/** A statement took too long. A statement that only takes locks was waiting for them. */
const OUT_OF_TIME = '57014';
const NOT_ALLOWED = '42501';
const MAX_TRIES = 5;

/** Makes a database ready for a journal. */
export async function prepareDatabase(database: Database): Promise<void> {
  const found = await lookForTables(database);
  if (found.version < TABLES_VERSION) {
    if (!database.settings.migrate)
      throw missing(found, 'with "migrate: false" the journal does not create or update them');
    await migrate(database, found);
  }
  await checkDurability(database);
}

/** Finds the version of the tables. Rejects if this code is too old for them. */
export async function lookForTables(database: Database): Promise<TablesFound> {
  const found = await database.transaction('begin read only', (run) => findTables(run, database));
  checkOldest(found.oldest, found.version);
  return found;
}

/** Throws if this code is older than the version that the tables need. */
export function checkOldest(oldest: number, version: number = oldest): void {
  if (oldest <= TABLES_VERSION) return;
  throw new ClusterError(
    'JOURNAL_VERSION',
    `The tables of the journal have version ${version}, which needs a newer version of this package: this one knows versions up to ${TABLES_VERSION}. Update the package.`,
  );
}

async function migrate(database: Database, found: TablesFound): Promise<void> {
  const waitMs = database.settings.statementTimeoutMs;
  const startedAt = clock.performance.now();
  for (let tries = 1; ;) {
    const attempt = new Attempt(database);
    try {
      await attempt.run();
      return;
    } catch (error) {
      const state = readSqlState((error as Error).cause) ?? '';
      if (state === NOT_ALLOWED) throw missing(found, 'this role may not create or update them', error);
      if (LOCK_NOT_HAD.test(state) || (attempt.isLocking && state === OUT_OF_TIME)) {
        if (clock.performance.now() - startedAt >= waitMs) throw locked(waitMs, attempt.holders, error);
      } else if (!MADE_BY_ANOTHER.test(state) || tries === MAX_TRIES) throw error;
      else tries += 1;
    }
    await sleep(varyPause(PAUSE_MS, [0.5, 1.5]));
  }
}

/** One attempt to bring the tables up to date. */
class Attempt {
  readonly #database: Database;
  /** The sessions that kept it waiting, in words. */
  holders: string | undefined;
  /** Whether it is only taking locks at the moment. */
  isLocking = false;

  constructor(database: Database) {
    this.#database = database;
  }

  async run(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.#database.transaction(
        'begin',
        async (run) => {
          const [row] = await run('select pg_backend_pid() as pid');
          await run(`set local statement_timeout to ${LONGEST_STATEMENT_MS}`);
          const [limit] = await run(limitLockWait(this.#database.settings.statementTimeoutMs));
          // The holders are looked up during the wait, because PostgreSQL does not tell them afterwards.
          timer = clock.setTimeout(
            () => void this.#noteHolders(row?.['pid'] as number),
            (limit?.['ms'] as number) / 2,
          );
          await this.#bringUpToDate(run);
        },
        LONGEST_STATEMENT_MS,
      );
    } finally {
      clock.clearTimeout(timer);
    }
  }

  async #bringUpToDate(run: Run): Promise<void> {
    const { schema, settings } = this.#database;
    await run('set local synchronous_commit to on');
    // Code of version 1 waits for this lock. Every role can take it, so this code neither waits for it nor relies on it.
    await run(`select pg_try_advisory_xact_lock(hashtext('inboard migrate'), hashtext($1))`, [
      settings.schema,
    ]);
    let found = await findTables(run, this.#database);
    if (found.version > 0) {
      await run(`set local search_path to ${schema}`);
      await run(LOCK_MIGRATIONS);
      // Another process may have migrated in the meantime.
      found = await findTables(run, this.#database);
    }
    checkOldest(found.oldest, found.version);
    // `create schema if not exists` needs a right that few roles have, even if the schema exists.
    const schemas = await run('select from pg_namespace where nspname = $1', [settings.schema]);
    if (schemas.length === 0) await run(`create schema ${schema}`);
    const { locks, changes } = writeMigrations(settings.schema, found.version, settings.statementTimeoutMs);
    this.isLocking = true;
    for (const statement of locks) await run(statement);
    this.isLocking = false;
    for (const statement of changes) await run(statement);
  }

  async #noteHolders(pid: number): Promise<void> {
    try {
      const holders = await findHolders(this.#database, pid);
      if (holders.length > 0) this.holders = describeHolders(holders);
    } catch {
      // Without an answer, the message does not name them.
    }
  }
}

async function findTables(run: Run, database: Database): Promise<TablesFound> {
  // Reads the catalog itself, because the session's cached copy may be older than the lock.
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

function missing({ version }: TablesFound, why: string, cause?: unknown): ClusterError {
  return new ClusterError(
    'JOURNAL_VERSION',
    `The tables of the journal are ${version === 0 ? 'missing' : `at version ${version}`}. Version ${TABLES_VERSION} is needed, and ${why}. ` +
      'Run "inboard cluster migrate" as the role that owns them, or give that role\'s administrator the output of "inboard cluster migrate --print".',
    cause === undefined ? {} : { cause },
  );
}

function locked(waitMs: number, holders: string | undefined, cause: unknown): ClusterError {
  return new ClusterError(
    'JOURNAL_UNAVAILABLE',
    `The tables of the journal could not be brought up to date within ${waitMs} ms, because they are locked by ${holders ?? 'another session'}. ` +
      'Nothing was changed. Try again when that transaction has ended.',
    { cause, retryable: true },
  );
}

// Warns if commits are not durable. The journal makes them durable on its own connections, but not on the user's own pool or
// behind a pooler.
async function checkDurability(database: Database): Promise<void> {
  const [row] = await database.transaction('begin read only', (run) => run('show synchronous_commit'));
  if (row?.['synchronous_commit'] !== 'off') return;
  warnOnce(
    'The database of the journal has "synchronous_commit = off": messages that were accepted can be lost when its machine fails. Set it to on for the role or the pool of the journal.',
    'JOURNAL_NOT_DURABLE',
  );
}
