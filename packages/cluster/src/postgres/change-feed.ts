// One connection that hears of changes, for all who listen to a journal in this process. It is found again when it is lost;
// what was missed meanwhile is told as a change of everything.
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
// Varied: the workers of a cluster lose their connections together.
const PAUSES = { firstMs: 100, longestMs: 3_000, between: [0.5, 1.5] } as const;
// How often it is asked whether the connection lives: a network that is cut in two says nothing.
const LONGEST_PING_MS = 4_000;
// How long a word of our own may take to be heard behind a pooler; and how often all is taken for changed where it was not.
const ECHO_MS = 5_000;
const POLL_MS = 1_000;
const ECHO = 'echo';
const NUMBER = /^[1-9]\d{0,17}$/;

/** Tells its listeners what changed. */
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

  /** Resolves once changes are heard of; rejects where the database is away. */
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

/** A connection that listens, from its begin to its end. */
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
    // Not awaited: where the network is cut, the server does not answer.
    this.#client?.end().catch(() => {});
    this.ready.reject(new Error('The connection has ended'));
    this.ended.resolve();
  }

  async #run(): Promise<void> {
    const client = await this.#database.createClient();
    this.#client = client;
    // It was ended while it was made.
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
    // What fails here is the connection itself, or a pool that is busy: the next connection asks again.
    this.#checkHearing(channel).catch(() => {});
  }

  async #ask(text: string, values: unknown[] = []): Promise<Row[]> {
    const types = { getTypeParser: chooseParser };
    const query = { text, values, types, query_timeout: this.#timeoutMs } as QueryConfig;
    const result = await (this.#client as Client).query<Row>(query);
    return result.rows;
  }

  /** On this connection, which has nothing else to do: a pool may be busy. */
  async #readKeys(numbers: readonly string[]): Promise<ReadonlyMap<string, string>> {
    try {
      const rows = await this.#ask(
        `select number::text as number, key from ${this.#database.schema}.conversations where number = any ($1::bigint[])`,
        [numbers],
      );
      return new Map(rows.map((row) => [row['number'] as string, row['key'] as string]));
    } catch (error) {
      // The next connection takes everything for changed.
      if (!leavesConnection(error)) this.end();
      throw error;
    }
  }

  /** A pooler that shares connections takes the wish to listen, and passes nothing on. Then all is taken for changed, again and again. */
  async #checkHearing(channel: string): Promise<void> {
    const { processID } = this.#client as Client & { processID?: number | null };
    if (typeof processID !== 'number') return;
    const [found] = await this.#ask('select pg_backend_pid() as pid');
    // Poolers make up the number that a connection is known by.
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
    // A newer version may tell more; and every role of the database may tell anything.
    if (KINDS.includes(kind) && NUMBER.test(about)) this.#keys.hear(kind, about);
  }
}

/** Anything may have changed. */
function tellAll(tell: OnChange): void {
  for (const kind of KINDS) tell({ kind });
}
