// Owns pools of CLIs that are started before they are needed. A query takes one and begins at once, and another is started in
// its place. `warm-stock` keeps the CLIs ready.
import { AsyncResource } from 'node:async_hooks';
import { InvalidOptionsError, SessionClosedError } from '../../errors.js';
import { refuseMisplacedOptions } from '../../options/check/misplaced-options.js';
import { checkOptions } from '../../options/check/check-options.js';
import { HiddenValue } from '../../util/hidden-value.js';
import { notGiven, requireShape, wholeNumber } from '../../util/option-shapes.js';
import { onAbort } from '../../util/on-abort.js';
import type { McpServers, WithContext } from '../../live/tooling/context-option.js';
import type { AnySchema } from '../../answer/schema/infer.js';
import type { OutputOf } from '../../live/output/structured-output.js';
import type { Launch } from '../../live/launch.js';
import type { LiveCli } from '../../live/live-cli.js';
import { startLiveCli } from '../../live/session-observer.js';
import { nameTools, type QueryOptions } from '../../live/tooling/name-tools.js';
import { readPrompt, type PromptItem } from '../../live/input/prompt-source.js';
import { INSPECT_TARGET, type SessionsTarget } from '../../live/watch/session-registry.js';
import { presentQuery, type Query, type QueryInput } from '../query/query.js';
import { readQueryInput } from '../query/query-input.js';
import { checkPoolOptions, planLateOptions } from './warm-options.js';
import { WarmStock, type StockStats } from './warm-stock.js';
import { WarningReporter } from '../../options/check/warning-reporter.js';

/** How many CLIs a pool keeps, and how. */
export interface WarmPoolInput<Schema extends AnySchema = AnySchema> {
  /** Options of every CLI of the pool. */
  options?: QueryOptions<Schema> | undefined;
  /** How many CLIs are kept waiting, at least 1. Default 1. */
  size?: number | undefined;
  /** Milliseconds after which a CLI that was not used is replaced. Default 600 000; 0 for never. */
  maxAgeMs?: number | undefined;
  /**
   * Checks from time to time whether waiting CLIs still answer, and replaces those that do not. Default every 30 s, with 5 s to
   * answer; false for never.
   */
  healthCheck?: false | { everyMs?: number | undefined; timeoutMs?: number | undefined } | undefined;
  /** Milliseconds between a start that failed and the next; doubled each time, up to 60 s. Default 1000. */
  backoffMs?: number | undefined;
}

/** What a pool has at the moment, and how its queries were served. */
export interface WarmPoolStats extends StockStats {
  /** Queries that began at once. */
  warm: number;
  /** Queries that had to start a CLI themselves. */
  cold: number;
}

/** CLIs that are started before they are needed. The caller that creates a pool closes it. */
export interface WarmPool<Output = unknown> extends AsyncDisposable {
  /**
   * Starts a query on a CLI that is ready, or on one started for it. The query may set `model`, `permissionMode`,
   * `maxThinkingTokens` and `abortController`. Throws for any other option that differs from the pool's.
   */
  query(input: QueryInput): Query<Output>;
  /** Resolves when the pool is full. If a start fails first, rejects with the error of that start. */
  ready(): Promise<void>;
  /** What the pool holds at the moment, and how its queries were served. */
  stats(): WarmPoolStats;
  /** Ends the waiting CLIs and resolves when they are gone. Queries that have begun are not ended. */
  close(): Promise<void>;
}

const DEFAULT_MAX_AGE_MS = 600_000;
const DEFAULT_CHECK_EVERY_MS = 30_000;
const DEFAULT_CHECK_TIMEOUT_MS = 5_000;
const DEFAULT_BACKOFF_MS = 1_000;

/**
 * Creates a pool of CLIs that are started ahead of time, so that a query need not wait for one. The pool starts the first CLIs
 * at once. Throws for wrong options.
 */
export function createWarmPool<
  const Schema extends AnySchema = undefined,
  Servers extends McpServers = McpServers,
>(input: WarmPoolInput<Schema> & WithContext<Servers> = {}): WarmPool<OutputOf<Schema>> {
  return new Pool(input) as WarmPool as WarmPool<OutputOf<Schema>>;
}

/** `createWarmPool` with a launcher of the caller, for tests. */
export function createPool(input: WarmPoolInput & { launch?: Launch }): WarmPool {
  return new Pool(input);
}

/** The state behind a pool. */
interface PoolState {
  options: QueryOptions;
  launch: Launch | undefined;
  stock: WarmStock;
  /** Stands for the pool in the list of sessions. */
  origin: object;
  warm: number;
  cold: number;
  closed?: Promise<void>;
}

const pools = new HiddenValue<PoolState>('pool');

/** All methods are on this one prototype and work with any receiver that leads to the pool. */
class Pool implements WarmPool {
  constructor(input: WarmPoolInput & { launch?: Launch }) {
    refuseMisplacedOptions('createWarmPool', input);
    const { options = {}, size = 1, launch } = input;
    requireShape('size', size, wholeNumber(1), { called: 'The "size" of a pool', end: notGiven });
    checkTimes(input);
    checkPoolOptions(options);
    const named = nameTools(options);
    checkOptions(named);
    const warnings = new WarningReporter(named);
    const { maxAgeMs = DEFAULT_MAX_AGE_MS, backoffMs = DEFAULT_BACKOFF_MS, healthCheck = {} } = input;
    const { everyMs = DEFAULT_CHECK_EVERY_MS, timeoutMs = DEFAULT_CHECK_TIMEOUT_MS } = healthCheck || {
      everyMs: 0,
    };
    const origin = {};
    const stock = new WarmStock({
      size,
      maxAgeMs,
      backoffMs,
      checkEveryMs: everyMs,
      checkTimeoutMs: timeoutMs,
      // `bind` keeps a new CLI out of the async context of the query that took the last one. Otherwise the spans of the new
      // CLI would be attached to that query.
      start: AsyncResource.bind(() => startLiveCli({ prompt: undefined, options, launch }, origin)),
      onWarning: (error) => warnings.report(error),
    });
    pools.set(this, { options, launch, stock, origin, warm: 0, cold: 0 });
  }

  query(input: QueryInput): Query {
    const { prompt, options } = readQueryInput('query', input);
    const pool = pools.of(this);
    if (pool.closed) throw new SessionClosedError('The pool is closed');
    const requests = planLateOptions(pool.options, options);
    const source = readPrompt(prompt);
    const items = { [Symbol.asyncIterator]: () => source };
    const live = pool.stock.take();
    if (!live) {
      pool.cold += 1;
      const given = { prompt: items, options: { ...pool.options, ...options }, launch: pool.launch };
      return presentQuery(startLiveCli(given, pool.origin));
    }
    pool.warm += 1;
    const signal = options.abortController?.signal;
    if (signal) {
      const forget = onAbort(signal, () => void live.close({ kind: 'aborted', reason: signal.reason }));
      void live.over.then(forget);
    }
    live.begin(requests.length === 0 ? items : applyFirst(live, requests, items));
    return presentQuery(live);
  }

  ready(): Promise<void> {
    const { stock, closed } = pools.of(this);
    return closed ? Promise.reject(new SessionClosedError('The pool is closed')) : stock.whenFull();
  }

  stats(): WarmPoolStats {
    const { stock, warm, cold } = pools.of(this);
    return { ...stock.stats(), warm, cold };
  }

  close(): Promise<void> {
    const pool = pools.of(this);
    pool.closed ??= pool.stock.close();
    return pool.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [INSPECT_TARGET](): SessionsTarget {
    return { origin: pools.of(this).origin, present: [] };
  }
}

function checkTimes({ maxAgeMs = 0, backoffMs = 0, healthCheck }: WarmPoolInput): void {
  const { everyMs = 0, timeoutMs = 1 } = healthCheck || {};
  const wrong = Object.entries({ maxAgeMs, backoffMs, 'healthCheck.everyMs': everyMs })
    .filter(([, ms]) => !(ms >= 0))
    .map(([name]) => name);
  if (!(timeoutMs > 0)) wrong.push('healthCheck.timeoutMs');
  if (wrong.length === 0) return;
  throw new InvalidOptionsError(
    wrong,
    `${wrong.map((name) => `"${name}"`).join(', ')} of a pool must be milliseconds: a number of at least 0, or above 0 for a timeout`,
  );
}

/** The prompt, held back until the CLI has answered the requests. If it refuses one, the query ends with that error. */
async function* applyFirst(
  live: LiveCli,
  requests: readonly { subtype: string }[],
  items: AsyncIterable<PromptItem>,
): AsyncGenerator<PromptItem, void> {
  try {
    for (const request of requests) await live.request(request);
  } catch (error) {
    await items[Symbol.asyncIterator]().return?.();
    throw error;
  }
  yield* items;
}
