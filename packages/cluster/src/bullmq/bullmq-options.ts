// Checks the options of a BullMQ dispatcher and turns them into connection options of BullMQ. Adds time limits unless the user
// gives a client, so that requests end even if the server is away or silent.
import { pauseBefore } from '@inboard/core/util/back-off.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { requireShape, shape, type Saying, type OptionShape } from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject, type ObjectTaker } from '@inboard/core/util/options-object.js';

/** Which server keeps the wakes. */
export type BullmqServer = 'redis' | 'postgres';

/** How BullMQ is reached, and under which names it keeps wakes. */
export interface BullmqDispatcherOptions {
  /**
   * An address (`redis:`, `rediss:`, `postgres:`, `postgresql:`), or a connection as BullMQ takes it: options or a client of
   * `ioredis`, a client of `redis`, or options of `pg`. A client that you give is yours to close.
   */
  connection: string | object;
  /**
   * The kind of server, if `connection` does not show it. Default: the kind that the address names. For an object, `postgres`
   * if it is a pool of `pg` or has a `connectionString`, otherwise `redis`.
   */
  server?: BullmqServer | undefined;
  /** The name of the queue. Clusters that share a server each need their own. Default `wakes`. */
  queue?: string | undefined;
  /** On Redis, the prefix of the keys. On PostgreSQL, the name of the schema. Default `inboard_wakes`. */
  prefix?: string | undefined;
  /** Whether to create the tables on PostgreSQL and bring them up to date, which needs a role that may do so. Default true. */
  migrate?: boolean | undefined;
  /** Milliseconds after which `wake()` rejects if a connected server has not accepted the wake. Default 2000. */
  wakeTimeoutMs?: number | undefined;
}

/** The options, checked and complete. */
export interface BullmqSettings {
  server: BullmqServer;
  queue: string;
  prefix: string;
  wakeTimeoutMs: number;
  /** How long the first connection may take. */
  readyMs: number;
  /** The connection of the queue that wakes are added to. Its commands fail soon if the server is away. */
  forQueue: object;
  /** The connection of a worker, which waits for the server as long as it takes. */
  forWorker: object;
}

/** How error messages name the call that makes a dispatcher. */
export const DISPATCHER_CALL: ObjectTaker = {
  of: 'bullmqDispatcher()',
  example: 'bullmqDispatcher({ connection: "redis://…", queue: "…" })',
  known: ['connection', 'server', 'queue', 'prefix', 'migrate', 'wakeTimeoutMs'],
};

const CONNECT_MS = 2_000;
/** Far longer than any query takes: only a query to a silent server reaches this limit. */
const QUERY_MS = 10_000;
const RECONNECTS = { firstMs: 100, longestMs: 2_000 };

const QUEUE = shape(
  'a name without a colon',
  (value) => typeof value === 'string' && value !== '' && !value.includes(':'),
);
const TIMEOUT = shape('a number above 0.', (value) => (value as number) > 0);
const ADDRESS = shape(
  'an address that begins with redis:, rediss:, postgres: or postgresql:.',
  (value) => typeof value === 'string' && /^(?:rediss?|postgres(?:ql)?):/.test(value),
);
const CONNECTION = shape(
  'the address of a Redis or PostgreSQL server, or what BullMQ takes as a connection.',
  (value) => typeof value === 'object' && value !== null,
);

function demand(option: string, value: unknown, wanted: OptionShape, end?: Saying['end']): void {
  requireShape(option, value, wanted, { called: `The option "${option}"`, ...(end && { end }) });
}

/** Checks and completes the options. Throws an InvalidOptionsError that names the wrong option. */
export function readBullmqOptions(options: BullmqDispatcherOptions): BullmqSettings {
  checkOptionsObject(options, [], DISPATCHER_CALL);
  const { connection, queue = 'wakes', prefix = 'inboard_wakes', wakeTimeoutMs = 2_000 } = options;
  const server = options.server ?? findServer(connection);
  demand('queue', queue, QUEUE, (value) => `, not "${String(value)}".`);
  demand('wakeTimeoutMs', wakeTimeoutMs, TIMEOUT);
  // PostgreSQL gets more time, because tables may have to be created first. If the server is away, its client gives up
  // by itself.
  const readyMs = server === 'postgres' ? wakeTimeoutMs + QUERY_MS : wakeTimeoutMs;
  const common = { server, queue, prefix, wakeTimeoutMs, readyMs };
  if (isClient(connection)) return { ...common, forQueue: connection, forWorker: connection };
  if (server === 'postgres') {
    const given = typeof connection === 'string' ? { connectionString: connection } : connection;
    const limits = { connectionTimeoutMillis: CONNECT_MS, query_timeout: QUERY_MS, keepAlive: true };
    const tables = { schema: prefix, migrate: options.migrate ?? true };
    return {
      ...common,
      forQueue: { ...limits, max: 4, ...tables, ...given },
      forWorker: { ...limits, max: 2, ...tables, ...given },
    };
  }
  const given = typeof connection === 'string' ? { url: connection } : connection;
  const limits = { connectTimeout: CONNECT_MS, retryStrategy: delayReconnect };
  return {
    ...common,
    // One retry only. Otherwise commands given while the server is away would wait in this process, and would be sent
    // when their caller no longer waits.
    forQueue: { ...limits, maxRetriesPerRequest: 1, ...given },
    forWorker: { ...limits, ...given, maxRetriesPerRequest: null },
  };
}

function delayReconnect(attempt: number): number {
  return pauseBefore(attempt, RECONNECTS);
}

function findServer(connection: unknown): BullmqServer {
  if (typeof connection === 'string') {
    if (/^postgres(?:ql)?:/.test(connection)) return 'postgres';
    if (/^rediss?:/.test(connection)) return 'redis';
    demand('connection', connection, ADDRESS);
  }
  demand('connection', connection, CONNECTION);
  const given = connection as object;
  const isPostgres = 'connectionString' in given || isPool(given);
  return isPostgres ? 'postgres' : 'redis';
}

function isPool(connection: object): boolean {
  return ['connect', 'query', 'end'].every((name) => isFunctionOf(connection, name));
}

function isClient(connection: unknown): connection is object {
  return isRecord(connection) && isFunctionOf(connection, 'connect');
}

function isFunctionOf(connection: object, name: string): boolean {
  return typeof (connection as Record<string, unknown>)[name] === 'function';
}
