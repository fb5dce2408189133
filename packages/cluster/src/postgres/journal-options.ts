// The options of a journal in PostgreSQL. Checks them and fills in defaults.
import type { Pool } from 'pg';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { notGiven, requireShape, wholeNumber } from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject, type ObjectTaker } from '@inboard/core/util/options-object.js';

/** Where a journal's database is, and how it is used. */
export interface PostgresJournalOptions {
  /** `postgres://user@host/database`. Default: from the variables `PGHOST`, `PGUSER` and so on. */
  connectionString?: string | undefined;
  /**
   * The address of PostgreSQL itself. Needed if `connectionString` or `pool` leads to a pooler that shares connections between
   * transactions, as PgBouncer does with `pool_mode = transaction`, because notifications do not pass through it. The journal
   * then changes no settings on the pooler's connections.
   */
  listenConnectionString?: string | undefined;
  /** Your own pool, in place of `connectionString`. `close()` of the journal does not end it. */
  pool?: Pool | undefined;
  /** The schema with the tables. Clusters that share a database each need their own. Default `inboard`. */
  schema?: string | undefined;
  /**
   * Whether `open()` creates the tables and brings them up to date. Default true. Set it to false for a role that may not do
   * so.
   */
  migrate?: boolean | undefined;
  /** The name that the database shows for these connections. Default `inboard`. */
  applicationName?: string | undefined;
  /** The maximum number of connections, besides one that listens and those that renew leases. Default 10. */
  maxConnections?: number | undefined;
  /** Milliseconds after which a statement without an answer counts as failed. Default 10 000. */
  statementTimeoutMs?: number | undefined;
  /** Milliseconds to wait for a connection. Default 5 000. */
  connectTimeoutMs?: number | undefined;
}

/** The options with all defaults filled in. */
export interface JournalSettings {
  readonly connectionString: string | undefined;
  readonly listenConnectionString: string | undefined;
  readonly pool: Pool | undefined;
  readonly schema: string;
  readonly migrate: boolean;
  readonly applicationName: string;
  readonly maxConnections: number;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/** How error messages name the call that makes a journal. */
export const JOURNAL_CALL: ObjectTaker = {
  of: 'postgresJournal()',
  example: 'postgresJournal({ connectionString: "postgres://…", schema: "…" })',
  known: [
    'connectionString',
    'listenConnectionString',
    'pool',
    'schema',
    'migrate',
    'applicationName',
    'maxConnections',
    'statementTimeoutMs',
    'connectTimeoutMs',
  ],
};

/** PostgreSQL cuts longer names to this length. */
const MAX_NAME_BYTES = 63;

/** Fills in defaults. Throws an InvalidOptionsError for a wrong option. */
export function readJournalSettings(input: string | PostgresJournalOptions = {}): JournalSettings {
  const given = typeof input === 'string' ? { connectionString: input } : input;
  if (isPool(given))
    throw new InvalidOptionsError(
      ['pool'],
      'Pass a pool of your own as an option: postgresJournal({ pool })',
    );
  checkOptionsObject(given, [], JOURNAL_CALL);
  const settings: JournalSettings = {
    connectionString: given.connectionString,
    listenConnectionString: given.listenConnectionString,
    pool: given.pool,
    schema: given.schema ?? 'inboard',
    migrate: given.migrate ?? true,
    applicationName: given.applicationName ?? 'inboard',
    maxConnections: given.maxConnections ?? 10,
    statementTimeoutMs: given.statementTimeoutMs ?? 10_000,
    connectTimeoutMs: given.connectTimeoutMs ?? 5_000,
  };
  for (const name of ['connectionString', 'listenConnectionString'] as const)
    if (settings[name] !== undefined) checkAddress(name, settings[name]);
  if (settings.connectionString !== undefined && settings.pool !== undefined)
    throw new InvalidOptionsError(
      ['connectionString', 'pool'],
      'Give "connectionString" or "pool", not both',
    );
  checkSchema(settings.schema);
  for (const name of ['maxConnections', 'statementTimeoutMs', 'connectTimeoutMs'] as const)
    requireShape(name, settings[name], wholeNumber(1), { end: notGiven });
  return settings;
}

function isPool(given: unknown): boolean {
  return typeof (given as Partial<Pool> | null)?.connect === 'function';
}

/** Quotes a name for SQL, whatever characters it has. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Refuses a schema name that PostgreSQL would change or refuse. */
export function checkSchema(schema: string): void {
  const fault =
    typeof schema !== 'string' || schema === ''
      ? 'must be a name'
      : Buffer.byteLength(schema) > MAX_NAME_BYTES
        ? `must have at most ${MAX_NAME_BYTES} bytes, because PostgreSQL cuts longer names`
        : schema.includes('\0')
          ? 'must not contain a NUL character'
          : schema.startsWith('pg_')
            ? 'must not begin with "pg_", which PostgreSQL reserves for itself'
            : schema === '$user'
              ? 'must not be "$user", which PostgreSQL takes for the name of the role'
              : undefined;
  if (fault !== undefined) throw new InvalidOptionsError(['schema'], `"schema" ${fault}`);
}

// The message never quotes the address, because it may contain a password.
function checkAddress(name: string, address: unknown): void {
  if (typeof address === 'string' && /^postgres(?:ql)?:\/\//.test(address)) return;
  throw new InvalidOptionsError(
    [name],
    'The address of the database must look like "postgres://user@host:5432/database"',
  );
}
