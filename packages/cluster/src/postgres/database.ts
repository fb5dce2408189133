// The connections to the database of a journal. Each statement gets a connection from a pool. Errors become errors of this
// package. Values are read as text, numbers and booleans, whatever parsers the program has set for `pg`.
import type { Client, ClientBase, Pool, PoolClient } from 'pg';
import { ClusterError } from '@inboard/core/errors.js';
import { describeFault, isConflict, leavesConnection, type StatementSubject } from './database-faults.js';
import { quoteName, type JournalSettings } from './journal-options.js';
import { loadPg } from './pg-library.js';

/** A row of a result. */
export type Row = Record<string, unknown>;

/** The options of a statement. */
export interface StatementOptions extends StatementSubject {
  /** Milliseconds to wait for the statement, if that is less than the limit for all statements. */
  timeoutMs?: number | undefined;
  /** Gives the statement one of the connections for urgent statements, so that it does not wait for other statements. */
  isUrgent?: boolean | undefined;
}

/** Runs statements one after the other on one connection. */
export type Run = (text: string, values?: readonly unknown[]) => Promise<Row[]>;

// How often to try a statement that PostgreSQL ended because two transactions waited for each other.
const MAX_TRIES = 5;
const KEEP_ALIVE_MS = 2_000;
// More than one, so that an urgent statement that hangs does not hold up the next.
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

  /** `prepare` makes the database ready before the first statement. If it fails, the next statement tries it again. */
  constructor(settings: JournalSettings, prepare: (database: Database) => Promise<void>) {
    this.settings = settings;
    this.#prepare = prepare;
    this.schema = quoteName(settings.schema);
  }

  /** Resolves once the database is ready. */
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

  /**
   * Runs one statement and returns its rows. The statement takes effect completely or not at all. Rejects with errors of this
   * package.
   */
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

  /**
   * Runs several statements in one transaction. `begin` is the statement that starts it. Does not wait until the database is
   * ready.
   */
  async transaction<T>(
    begin: string,
    work: (run: Run) => Promise<T>,
    timeoutMs: number = this.settings.statementTimeoutMs,
  ): Promise<T> {
    try {
      return await this.#withClient(async (client) => {
        let isLost = false;
        const run: Run = async (text, values = []) => {
          try {
            return await this.#send(client, text, values, timeoutMs);
          } catch (error) {
            isLost ||= !leavesConnection(error);
            throw error;
          }
        };
        await run(begin);
        try {
          const result = await work(run);
          await run('commit');
          return result;
        } catch (error) {
          // A connection that is gone, or gave no answer, is ended, and PostgreSQL rolls back. To ask it once more would take as long again.
          if (!isLost) await run('rollback').catch(() => {});
          throw error;
        }
      });
    } catch (error) {
      throw describeFault(error);
    }
  }

  /** Creates a client to listen with. It is outside of the pool and not connected yet. */
  async createClient(): Promise<Client> {
    const pool = await this.#connectPool();
    const { Client: Made } = pool as unknown as { Client: new (config: object) => Client };
    const { listenConnectionString } = this.settings;
    if (listenConnectionString === undefined) return new Made(pool.options);
    return new Made({ ...pool.options, connectionString: listenConnectionString });
  }

  /** Ends the connections that this object made. Statements under way finish first. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const pool = await this.#pool?.catch(() => undefined);
    await this.#urgentPool?.end();
    if (pool && this.settings.pool === undefined) await pool.end();
  }

  /** Throws once the database is closed. */
  checkOpen(): void {
    if (this.#isClosed) throw new ClusterError('CLUSTER_CLOSED', 'The journal is closed.');
  }

  async #withClient<T>(work: (client: ClientBase) => Promise<T>, isUrgent = false): Promise<T> {
    this.checkOpen();
    const pool = await this.#connectPool();
    this.checkOpen();
    const client: PoolClient = await (isUrgent ? this.#chooseUrgent(pool) : pool).connect();
    let fault: Error | undefined;
    // Without a listener, the loss of a connection in use would end the process.
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
      // This process limits the wait as well, because a cut network gives no sign.
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

  /** A second pool with the same options, only for urgent statements. */
  #chooseUrgent({ constructor, options }: Pool): Pool {
    if (this.#urgentPool) return this.#urgentPool;
    const Made = constructor as new (config: object) => Pool;
    // Pools make the password non-enumerable, so that spreading their options leaves it out.
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
    // An idle connection was lost. The next statement gets another one.
    pool.on('error', () => {});
    this.#setUp(pool);
    return pool;
  }

  /**
   * Sets up each connection with statements instead of startup options, because PgBouncer refuses options that it does not
   * know.
   */
  #setUp(pool: Pool): void {
    const { listenConnectionString, pool: given, statementTimeoutMs } = this.settings;
    // The connections of a pooler are shared, and settings would stay there for others.
    if (listenConnectionString !== undefined) return;
    const limits = `; set statement_timeout to ${statementTimeoutMs}; set idle_in_transaction_session_timeout to ${statementTimeoutMs}`;
    pool.on('connect', (client) => {
      client.query(`${COMMIT_AT_ONCE}; ${SEE_LATEST}${given ? '' : limits}`).catch(() => {});
    });
  }
}

// An accepted message must not be lost with the server's machine, whatever the server's default is. The timeouts above keep a
// stopped process from holding its locks.
const COMMIT_AT_ONCE = 'set synchronous_commit to on';
// A transaction that has waited for another must see what that one has done: no two may reserve the same money.
const SEE_LATEST = `set default_transaction_isolation to 'read committed'`;

const BOOLEAN = 16;
// int8, int2, int4, float4, float8, numeric.
const NUMBERS = new Set([20, 21, 23, 700, 701, 1700]);

/** How values of a PostgreSQL type are read. */
export function chooseParser(type: number): (text: string) => unknown {
  if (type === BOOLEAN) return (text) => text === 't';
  return NUMBERS.has(type) ? Number : (text) => text;
}
