// Listens to the notifications of the database, over one connection for all listeners of a journal in this process. It
// reconnects by itself, and then tells that everything may have changed, because it may have missed changes in between.
import type { Client, QueryConfig } from 'pg';
import { BackOff } from '@inboard/core/util/back-off.js';
import { callListener, warnOfCallback } from '@inboard/core/util/call-listener.js';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { warnOnce } from '@inboard/core/util/warn-once.js';
import type { JournalChange } from '../journal/journal.js';
import { ConversationKeys, type KnownKeys } from './conversation-keys.js';
import { chooseParser, type Database, type Row } from './database.js';
import { describeFault, leavesConnection } from './database-faults.js';
import { quoteName } from './journal-options.js';

type OnChange = (change: JournalChange) => void;

const KINDS: ReadonlyArray<JournalChange['kind']> = [
  'inbox',
  'stop',
  'answer',
  'question',
  'events',
  'ended',
];
// The pauses vary, because all workers of a cluster lose their connections at the same time.
const PAUSES = { firstMs: 100, longestMs: 3_000, between: [0.5, 1.5] } as const;
// Milliseconds between two checks of the connection. A cut network gives no sign of its own.
const LONGEST_PING_MS = 4_000;
// Milliseconds that the feed's own test notification may take through a pooler. If it does not arrive, the feed tells every
// `POLL_MS` that everything may have changed.
const ECHO_MS = 5_000;
const POLL_MS = 1_000;
const ECHO = 'echo';
const NUMBER = /^[1-9]\d{0,17}$/;

/** Tells listeners of changes. */
export class ChangeFeed {
  readonly #database: Database;
  readonly #listeners = new Set<{ onChange: OnChange }>();
  readonly #known: KnownKeys = new Map();
  #connection: Connection | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #backOff = new BackOff(PAUSES);
  /** Whether listeners may have missed something since a connection ended. */
  #hasMissed = false;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Resolves once changes are heard. Rejects if the database is away. */
  async listen(onChange: OnChange): Promise<AsyncDisposable> {
    await this.#database.open();
    const listener = { onChange };
    this.#listeners.add(listener);
    try {
      this.#connection ??= this.#connect();
      await this.#connection.ready.promise;
    } catch (error) {
      this.#listeners.delete(listener);
      this.#endIfUnused();
      throw describeFault(error);
    }
    return {
      [Symbol.asyncDispose]: () => {
        this.#listeners.delete(listener);
        this.#endIfUnused();
        return Promise.resolve();
      },
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#endIfUnused();
  }

  #connect(): Connection {
    const connection = new Connection(this.#database, this.#known, (change) => this.#tell(change));
    connection.ready.promise.then(
      () => {
        this.#backOff.reset();
        const hasMissed = this.#hasMissed;
        this.#hasMissed = false;
        if (hasMissed) tellAll((change) => this.#tell(change));
      },
      () => {},
    );
    void connection.ended.promise.then(() => {
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      if (this.#listeners.size === 0 || this.#isClosed) return;
      this.#hasMissed = true;
      this.#connectLater();
    });
    return connection;
  }

  #connectLater(): void {
    clock.clearTimeout(this.#retry);
    this.#retry = clock.setTimeout(() => {
      if (this.#connection === undefined && this.#listeners.size > 0) this.#connection = this.#connect();
    }, this.#backOff.next());
  }

  #tell(change: JournalChange): void {
    for (const { onChange } of this.#listeners)
      callListener(
        () => onChange(change),
        (cause) => warnOfCallback('listen', cause),
      );
  }

  #endIfUnused(): void {
    if (this.#listeners.size > 0) return;
    clock.clearTimeout(this.#retry);
    this.#hasMissed = false;
    this.#connection?.end();
    this.#connection = undefined;
  }
}

/** One connection that listens. */
class Connection {
  readonly ready: Deferred<void> = createDeferred();
  readonly ended: Deferred<void> = createDeferred();
  readonly #tell: OnChange;
  readonly #database: Database;
  readonly #keys: ConversationKeys;
  readonly #timeoutMs: number;
  #client: Client | undefined;
  #ping: NodeJS.Timeout | undefined;
  #echo: { word: string; timer: NodeJS.Timeout } | undefined;
  #poll: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(database: Database, known: KnownKeys, tell: OnChange) {
    this.#tell = tell;
    this.#database = database;
    this.#timeoutMs = Math.min(LONGEST_PING_MS, database.settings.statementTimeoutMs);
    this.#keys = new ConversationKeys({ known, tell, look: (numbers) => this.#readKeys(numbers) });
    this.ready.promise.catch(() => {});
    this.#run().catch((error: unknown) => {
      this.ready.reject(error);
      this.end();
    });
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clock.clearInterval(this.#ping);
    clock.clearInterval(this.#poll);
    clock.clearTimeout(this.#echo?.timer);
    this.#keys.close();
    // Not awaited, because the server does not answer if the network is cut.
    this.#client?.end().catch(() => {});
    this.ready.reject(new Error('The connection has ended'));
    this.ended.resolve();
  }

  async #run(): Promise<void> {
    const client = await this.#database.createClient();
    this.#client = client;
    // The connection was ended while it was being made.
    if (this.#isEnded) return;
    client.on('error', () => this.end());
    client.on('end', () => this.end());
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''));
    await client.connect();
    const { schema, settings } = this.#database;
    const [found] = await this.#ask(`select ${schema}.notice_channel($1) as channel`, [settings.schema]);
    const channel = found?.['channel'] as string;
    await this.#ask(`listen ${quoteName(channel)}`);
    if (this.#isEnded) {
      await client.end();
      return;
    }
    this.ready.resolve();
    this.#ping = clock.setInterval(() => {
      this.#ask('select 1').catch(() => this.end());
    }, this.#timeoutMs);
    // This fails if the connection is lost or the pool is busy. The next connection checks again.
    this.#checkHearing(channel).catch(() => {});
  }

  async #ask(text: string, values: unknown[] = []): Promise<Row[]> {
    const types = { getTypeParser: chooseParser };
    const query = { text, values, types, query_timeout: this.#timeoutMs } as QueryConfig;
    const result = await (this.#client as Client).query<Row>(query);
    return result.rows;
  }

  /** Reads the keys of conversations over this connection, which is otherwise idle. The pool may be busy. */
  async #readKeys(numbers: readonly string[]): Promise<ReadonlyMap<string, string>> {
    try {
      const rows = await this.#ask(
        `select number::text as number, key from ${this.#database.schema}.conversations where number = any ($1::bigint[])`,
        [numbers],
      );
      return new Map(rows.map((row) => [row['number'] as string, row['key'] as string]));
    } catch (error) {
      // After the next connection, listeners are told that everything may have changed.
      if (!leavesConnection(error)) this.end();
      throw error;
    }
  }

  /**
   * Checks whether notifications arrive. A pooler that shares connections accepts the `listen`, but passes nothing on. If
   * nothing arrives, the feed tells again and again that everything may have changed.
   */
  async #checkHearing(channel: string): Promise<void> {
    const { processID } = this.#client as Client & { processID?: number | null };
    if (typeof processID !== 'number') return;
    const [found] = await this.#ask('select pg_backend_pid() as pid');
    // If the process ids differ, there is a pooler in between, because poolers invent the id that they report.
    if (this.#isEnded || found?.['pid'] === processID) return;
    const word = randomUUID();
    this.#echo = { word, timer: clock.setTimeout(() => this.#goDeaf(), ECHO_MS).unref() };
    await this.#database.query('select pg_notify($1, $2)', [channel, `${ECHO} ${word}`]);
  }

  #goDeaf(): void {
    warnOnce(
      'The journal reaches PostgreSQL through a pooler that does not pass on notifications: the journal polls every second instead, and its session settings affect others who share the connections. Give postgresJournal() the address of PostgreSQL itself as "listenConnectionString".',
      'JOURNAL_NOT_HEARD',
    );
    this.#poll = clock.setInterval(() => tellAll(this.#tell), POLL_MS);
  }

  #hear(payload: string): void {
    const [kind, about = ''] = payload.split(' ', 2) as [JournalChange['kind'], string?];
    if (payload === `${ECHO} ${this.#echo?.word ?? ''}`) clock.clearTimeout(this.#echo?.timer);
    // Other notifications are ignored. A newer version may send more kinds, and every role of the database can send anything.
    if (KINDS.includes(kind) && NUMBER.test(about)) this.#keys.hear(kind, about);
  }
}

/** Tells that anything may have changed. */
function tellAll(tell: OnChange): void {
  for (const kind of KINDS) tell({ kind });
}
