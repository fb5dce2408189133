// A ledger in PostgreSQL. Every write is one call of a function in the database (`ledger-tables.ts`), which checks the fence.
import type { Pool } from 'pg';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { checkOptionsObject, refuseFurtherArguments } from '@inboard/core/util/options-object.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import type { CallRecords } from '@inboard/core/wire/protocol/config/call-records.js';
import type { SessionKey } from '@inboard/core/wire/protocol/config/session-store.js';
import { checkTake, encodeLedgerFact, refuseUnfenced } from '@inboard/durable/ledger/check-ledger-input.js';
import type { Ledger, LedgerFence, LedgerStore } from '@inboard/durable/ledger/ledger.js';
import { Database } from '../database.js';
import { readJournalSettings } from '../journal-options.js';
import { readEntryRow, readFactRow } from './ledger-rows.js';
import { prepareLedger } from './prepare-ledger.js';

/** Where a ledger's database is, and how it is used. */
export interface PostgresLedgerOptions {
  /** `postgres://user@host/database`. Default: from the variables `PGHOST`, `PGUSER` and so on. */
  connectionString?: string | undefined;
  /** Your own pool, in place of `connectionString`. `close()` of the ledger does not end it. */
  pool?: Pool | undefined;
  /** The schema with the tables. Default `inboard_ledger`. */
  schema?: string | undefined;
  /** Whether the tables are created and brought up to date on first use. Default true. */
  migrate?: boolean | undefined;
  /** The maximum number of connections. Default 10. */
  maxConnections?: number | undefined;
  /** Milliseconds after which a statement without an answer counts as failed. Default 10 000. */
  statementTimeoutMs?: number | undefined;
  /** Milliseconds to wait for a connection. Default 5 000. */
  connectTimeoutMs?: number | undefined;
}

/** A ledger in PostgreSQL. Its maker closes it. */
export interface PostgresLedger extends Ledger {
  /** Ends the connections that the ledger made. */
  close(): Promise<void>;
}

const LEDGER_CALL = {
  of: 'createPostgresLedger()',
  example: 'createPostgresLedger({ connectionString: "postgres://…" })',
  known: [
    'connectionString',
    'pool',
    'schema',
    'migrate',
    'maxConnections',
    'statementTimeoutMs',
    'connectTimeoutMs',
  ],
};

/** A ledger in PostgreSQL, given by its address or by options. Needs the package `pg`. Does not connect until it is used. */
export function createPostgresLedger(input?: string | PostgresLedgerOptions): PostgresLedger;
export function createPostgresLedger(
  input: string | PostgresLedgerOptions = {},
  ...others: readonly unknown[]
): PostgresLedger {
  refuseFurtherArguments(others, LEDGER_CALL);
  const given: PostgresLedgerOptions = typeof input === 'string' ? { connectionString: input } : input;
  checkOptionsObject(given, [], LEDGER_CALL);
  const settings = readJournalSettings({
    ...given,
    schema: given.schema ?? 'inboard_ledger',
    applicationName: 'inboard ledger',
  });
  const database = new Database(settings, prepareLedger);
  const { schema } = database;
  return {
    take: async (key, options) => {
      checkTake(key, options);
      const { owner } = options;
      const [row] = await database.query(
        `select epoch, session_id from ${schema}.take($1, $2, $3)`,
        [key, owner, randomUUID()],
        { key },
      );
      const { epoch, session_id: sessionId } = row as { epoch: number; session_id: string };
      return { fence: { key, epoch, owner }, sessionId };
    },
    holds: (fence) => holdsFence(database, fence),
    store: (fence) => createStore(database, fence),
    dropCalls: async (fence) => {
      await database.query(`select ${schema}.drop_facts($1, $2)`, [fence.key, fence.epoch], { fence });
    },
    forget: async (key) => {
      await database.query(`delete from ${schema}.conversations where key = $1`, [key], { key });
    },
    close: () => database.close(),
  };
}

async function holdsFence(database: Database, { key, epoch }: LedgerFence): Promise<boolean> {
  const text = `select from ${database.schema}.conversations where key = $1 and epoch = $2`;
  return (await database.query(text, [key, epoch], { key })).length > 0;
}

type StoredSession = Pick<SessionKey, 'projectKey' | 'sessionId'>;

/** Reads and writes under one fence, or reads without one. */
function createStore(database: Database, fence: LedgerFence | undefined): LedgerStore {
  const { schema } = database;
  const read = async (
    columns: string,
    { projectKey, sessionId }: StoredSession,
    rest: string,
    more: unknown[] = [],
  ) =>
    await database.query(
      `select ${columns} from ${schema}.entries e join ${schema}.conversations c on c.number = e.conversation
      where ${fence ? 'c.key' : 'c.session_id'} = $1 and e.project_key = $2 and e.session_id = $3 ${rest}`,
      [fence?.key ?? sessionId, projectKey, sessionId, ...more],
    );
  const demand = (): LedgerFence => {
    if (!fence) throw refuseUnfenced();
    return fence;
  };
  return {
    append: async ({ projectKey, sessionId, subpath = '' }, entries) => {
      const own = demand();
      const texts = entries.map((entry) => stringifyDeep(entry));
      const uuids = entries.map(({ uuid }) => uuid ?? null);
      const values = [own.key, own.epoch, projectKey, sessionId, subpath, uuids, texts];
      await database.query(`select ${schema}.append_entries($1, $2, $3, $4, $5, $6, $7)`, values, {
        fence: own,
      });
    },
    load: async ({ subpath = '', ...key }) => {
      const rows = await read('e.entry', key, 'and e.subpath = $4 order by e.place', [subpath]);
      return rows.length === 0 ? null : rows.map((row) => readEntryRow(row));
    },
    delete: async ({ projectKey, sessionId, subpath }) => {
      const own = demand();
      const values = [own.key, own.epoch, projectKey, sessionId, subpath ?? null];
      await database.query(`select ${schema}.delete_entries($1, $2, $3, $4, $5)`, values, { fence: own });
    },
    listSubkeys: async (key) => {
      const rows = await read(
        'e.subpath',
        key,
        `and e.subpath <> '' group by e.subpath order by min(e.place)`,
      );
      return rows.map(({ subpath }) => String(subpath));
    },
    listSessions: async (projectKey) => {
      const rows = await database.query(
        `select c.session_id, floor(extract(epoch from c.taken_at) * 1000) as mtime from ${schema}.conversations c
        where exists (select from ${schema}.entries e where e.conversation = c.number and e.project_key = $1
          and e.session_id = c.session_id and e.subpath = '')`,
        [projectKey],
      );
      return rows.map(({ session_id: sessionId, mtime }) => ({
        sessionId: String(sessionId),
        mtime: Number(mtime),
      }));
    },
    calls: (key) => createRecords(database, fence, key),
  };
}

function createRecords(
  database: Database,
  fence: LedgerFence | undefined,
  { projectKey, sessionId }: StoredSession,
): CallRecords {
  const { schema } = database;
  return {
    add: async (fact) => {
      const text = encodeLedgerFact(fact, fence !== undefined);
      if (fence) {
        const values = [fence.key, fence.epoch, projectKey, sessionId, text];
        await database.query(`select ${schema}.add_fact($1, $2, $3, $4, $5)`, values, { fence });
        return;
      }
      const [row] = await database.query(`select ${schema}.complete_call($1, $2, $3) as taken`, [
        projectKey,
        sessionId,
        text,
      ]);
      if (row?.['taken'] !== true)
        throw new InvalidOptionsError(
          ['sessionId'],
          `The ledger has no conversation with the session ${sessionId}`,
        );
    },
    load: async () => {
      const rows = await database.query(
        `select f.fact from ${schema}.facts f join ${schema}.conversations c on c.number = f.conversation
        where ${fence ? 'c.key' : 'c.session_id'} = $1 and f.project_key = $2 and f.session_id = $3 order by f.place`,
        [fence?.key ?? sessionId, projectKey, sessionId],
      );
      return rows.map((row) => readFactRow(row));
    },
    claim: async () => {
      const own = fence;
      if (!own) throw refuseUnfenced();
      await database.query(`select ${schema}.hold($1, $2)`, [own.key, own.epoch], { fence: own });
      return { renew: () => holdsFence(database, own), release: async () => {} };
    },
  };
}
