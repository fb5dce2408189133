// Connections to the database of a journal: each statement on one of its own, its errors as those of the package, and
// values as plain text and numbers, whatever else the program taught `pg`.
import type { Client, ClientBase, Pool, PoolClient } from 'pg';
import { ClusterError } from '@inboard/core/errors.js';
import { describeFault, isConflict, leavesConnection, type StatementSubject } from './database-faults.js';
import { quoteName, type JournalSettings } from './journal-options.js';
import { loadPg } from './pg-library.js';

/** A row as it comes. */
export type Row = Record<string, unknown>;

/** How a statement is run. */
export interface StatementOptions extends StatementSubject {
  /** Milliseconds to wait for it, where that is less than for others. */
  timeoutMs?: number | undefined;
  /** Does not wait for others: on connections that only such statements use. */
  isUrgent?: boolean | undefined;
}

/** Runs statements one after the other on one connection. */
export type Run = (text: string, values?: readonly unknown[]) => Promise<Row[]>;

// Two that wait for each other: PostgreSQL ends one of them.
const MAX_TRIES = 5;
const KEEP_ALIVE_MS = 2_000;
// One that hangs must not keep the next from being sent.
const URGENT_CONNECTIONS = 3;

/** The database of one journal. */
export class Database {
  /** The schema, quoted. */
  readonly schema: string;
  readonly settings: JournalSettings;
  #pool: Promise<Pool> | undefined;
  #urgentPool: Pool | undefined;
  readonly #prepare: (database: Database) => Promise<void>;
  #opening: Promise<void> | undefined;
  #isClosed = false;

  /** `prepare` makes it ready before the first statement, and is tried again after it failed. */
  constructor(settings: JournalSettings, prepare: (database: Database) => Promise<void>) {
    this.settings = settings;
    this.#prepare = prepare;
    this.schema = quoteName(settings.schema);
  }

  /** Resolves once it is ready. */
  async open(): Promise<void> {
    this.checkOpen();
    this.#opening ??= this.#prepare(this);
    try {
      await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  /** The rows of one statement, which PostgreSQL does as a whole or not at all. Rejects with errors of the package. */
  async query(text: string, values: readonly unknown[] = [], options: StatementOptions = {}): Promise<Row[]> {
    await this.open();
    const limit = this.settings.statementTimeoutMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#withClient(
          (client) => this.#send(client, text, values, Math.min(options.timeoutMs ?? Infinity, limit)),
          options.isUrgent,
        );
      } catch (error) {
        if (!isConflict(error) || tries === MAX_TRIES) throw describeFault(error, options);
      }
    }
  }

  /** Several statements in one transaction; `begin` says which kind. Does not wait until it is ready. */
  async transaction<T>(
    begin: string,
    work: (run: Run) => Promise<T>,
    timeoutMs: number = this.settings.statementTimeoutMs,
  ): Promise<T> {
    try {
      return await this.#withClient(async (client) => {
        const run: Run = (text, values = []) => this.#send(client, text, values, timeoutMs);
        await run(begin);
        try {
          const result = await work(run);
          await run('commit');
          return result;
        } catch (error) {
          // A connection that is gone has undone it already.
          await run('rollback').catch(() => {});
          throw error;
        }
      });
    } catch (error) {
      throw describeFault(error);
    }
  }

  /** A connection to listen on, outside the pool, not connected yet. */
  async createClient(): Promise<Client> {
    const pool = await this.#connectPool();
    const { Client: Made } = pool as unknown as { Client: new (config: object) => Client };
    const { listenConnectionString } = this.settings;
    if (listenConnectionString === undefined) return new Made(pool.options);
    return new Made({ ...pool.options, connectionString: listenConnectionString });
  }

  /** Ends connections that this made; statements under way come to their end. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const pool = await this.#pool?.catch(() => undefined);
    await this.#urgentPool?.end();
    if (pool && this.settings.pool === undefined) await pool.end();
  }

  /** Throws when it is closed. */
  checkOpen(): void {
    if (this.#isClosed) throw new ClusterError('CLUSTER_CLOSED', 'The journal is closed.');
  }

  async #withClient<T>(work: (client: ClientBase) => Promise<T>, isUrgent = false): Promise<T> {
    this.checkOpen();
    const pool = await this.#connectPool();
    this.checkOpen();
    const client: PoolClient = await (isUrgent ? this.#chooseUrgent(pool) : pool).connect();
    let fault: Error | undefined;
    // Without a listener the loss of a connection in use would end the process.
    const onError = (error: Error): void => {
      fault = error;
    };
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      if (!leavesConnection(error)) fault ??= error as Error;
      throw error;
    } finally {
      client.off('error', onError);
      client.release(fault ?? false);
    }
  }

  async #send(
    client: ClientBase,
    text: string,
    values: readonly unknown[],
    timeoutMs: number,
  ): Promise<Row[]> {
    const query = {
      text,
      values: [...values],
      types: { getTypeParser: chooseParser },
      // On this side too: a network that is cut in two says nothing.
      query_timeout: timeoutMs + 500,
    };
    const result = await client.query<Row>(query);
    return result.rows;
  }

  #connectPool(): Promise<Pool> {
    this.#pool ??= this.#makePool();
    this.#pool.catch(() => {
      this.#pool = undefined;
    });
    return this.#pool;
  }

  /** A pool like the other, in which only urgent statements wait. */
  #chooseUrgent({ constructor, options }: Pool): Pool {
    if (this.#urgentPool) return this.#urgentPool;
    const Made = constructor as new (config: object) => Pool;
    // Pools hide the password from code that lists their options.
    const { password } = options;
    const hidden = password === undefined ? {} : { password };
    const pool = new Made({ ...options, ...hidden, min: 0, max: URGENT_CONNECTIONS });
    pool.on('error', () => {});
    this.#setUp(pool);
    this.#urgentPool = pool;
    return pool;
  }

  async #makePool(): Promise<Pool> {
    const { settings } = this;
    if (settings.pool) return settings.pool;
    const { Pool: Made } = await loadPg();
    const pool = new Made({
      ...(settings.connectionString !== undefined && { connectionString: settings.connectionString }),
      application_name: settings.applicationName,
      max: settings.maxConnections,
      connectionTimeoutMillis: settings.connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      allowExitOnIdle: true,
    });
    // An error of a connection that is not in use; the next statement gets another one.
    pool.on('error', () => {});
    this.#setUp(pool);
    return pool;
  }

  /** By statements and not with the connection's start: PgBouncer refuses a start with settings that it does not know. */
  #setUp(pool: Pool): void {
    const { listenConnectionString, pool: given, statementTimeoutMs } = this.settings;
    // What is set on a connection that is shared stays there, for others.
    if (listenConnectionString !== undefined) return;
    const limits = `; set statement_timeout to ${statementTimeoutMs}; set idle_in_transaction_session_timeout to ${statementTimeoutMs}`;
    pool.on('connect', (client) => {
      client.query(`${COMMIT_AT_ONCE}${given ? '' : limits}`).catch(() => {});
    });
  }
}

// A message that was taken must not be lost with the machine, whatever the server's default is. A process that is stopped in a
// transaction must not keep its locks.
const COMMIT_AT_ONCE = 'set synchronous_commit to on';

const BOOLEAN = 16;
// int8, int2, int4, float4, float8, numeric.
const NUMBERS = new Set([20, 21, 23, 700, 701, 1700]);

/** How a value of a type is read. */
export function chooseParser(type: number): (text: string) => unknown {
  if (type === BOOLEAN) return (text) => text === 't';
  return NUMBERS.has(type) ? Number : (text) => text;
}
