// A pool of CLIs that are started and have shaken hands before anybody asks: a query takes one and begins at
// once, and another is started in its place. How many, how old, and whether they still answer is decided here.
import { InvalidOptionsError, SessionClosedError } from '../../errors.js';
import { checkOptions } from '../../options/check/check-options.js';
import { createDeferred, type Deferred } from '../../util/deferred.js';
import { onAbort } from '../../util/on-abort.js';
import type { Launch } from '../../live/launch.js';
import { LiveCli } from '../../live/live-cli.js';
import { nameTools, type QueryOptions } from '../../live/tooling/name-tools.js';
import { readPrompt, type PromptItem } from '../../live/input/prompt-source.js';
import { createQuery, presentQuery, type Query, type QueryInput } from '../query/query.js';
import { awaitHandshake } from './startup.js';
import { applyLateOptions, checkPoolOptions, planLateOptions } from './warm-options.js';
import { WarmSlot } from './warm-slot.js';
import { WarningReporter } from '../../options/check/warning-reporter.js';

/** How a pool is kept. */
export interface WarmPoolInput {
  /** What every CLI of the pool is started with. */
  options?: QueryOptions;
  /** How many wait, from 1. Default 1. */
  size?: number;
  /** Milliseconds after which one that was not used is replaced. Default 600 000; 0 for never. */
  maxAgeMs?: number;
  /** Asks those that wait from time to time whether they still answer, and replaces those that do not. Default every 30 s, with 5 s to answer; false for never. */
  healthCheck?: false | { everyMs?: number; timeoutMs?: number };
  /** Milliseconds before the next start when one failed; doubled each time, up to 60 s. Default 1000. */
  backoffMs?: number;
}

/** What there is at the moment, and what there was. */
export interface WarmPoolStats {
  /** CLIs that wait for a query. */
  ready: number;
  /** CLIs that are being started. */
  starting: number;
  /** Queries that began at once. */
  warm: number;
  /** Queries that had to start a CLI themselves. */
  cold: number;
  /** CLIs that were never used: too old, gone, or silent. */
  discarded: number;
  /** Starts that failed. */
  failures: number;
  /** Why the last start failed; undefined after one that did not. */
  lastError: unknown;
}

/** Started CLIs. Whoever makes a pool closes it. */
export interface WarmPool extends AsyncDisposable {
  /** A query on a CLI that is ready, or on one that is started for it. Options beyond the pool's: `model`, `permissionMode`, `maxThinkingTokens`, `abortController`; others that differ throw. */
  query(input: QueryInput): Query;
  /** Resolves when the pool is full; rejects when a start fails first, with its error. */
  ready(): Promise<void>;
  stats(): WarmPoolStats;
  /** Ends what waits; resolves when it is gone. Queries that were begun are their callers'. */
  close(): Promise<void>;
}

const DEFAULT_MAX_AGE_MS = 600_000;
const DEFAULT_CHECK_EVERY_MS = 30_000;
const DEFAULT_CHECK_TIMEOUT_MS = 5_000;
const DEFAULT_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/** Starts filling a pool at once. Wrong options throw here. */
export function createWarmPool(input: WarmPoolInput = {}): WarmPool {
  return new Pool(input);
}

/** The same with a launcher of one's own. */
export function createPool(input: WarmPoolInput & { launch?: Launch }): WarmPool {
  return new Pool(input);
}

class Pool implements WarmPool {
  readonly #options: QueryOptions;
  readonly #size: number;
  readonly #input: WarmPoolInput & { launch?: Launch };
  readonly #warnings: WarningReporter;
  /** Oldest first. */
  readonly #slots = new Set<WarmSlot>();
  readonly #starting = new Set<Promise<void>>();
  /** Those that have not shaken hands yet. */
  readonly #shaking = new Set<LiveCli>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #counts = { warm: 0, cold: 0, discarded: 0, failures: 0 };
  #full: Deferred<void> | undefined;
  #failuresInARow = 0;
  #lastError: unknown;
  #backoff: NodeJS.Timeout | undefined;
  #isClosing = false;
  #closed: Promise<void> | undefined;

  constructor(input: WarmPoolInput & { launch?: Launch }) {
    const { options = {}, size = 1 } = input;
    if (!Number.isInteger(size) || size < 1)
      throw new InvalidOptionsError(
        ['size'],
        `The "size" of a pool is a whole number from 1, not ${String(size)}`,
      );
    checkTimes(input);
    checkPoolOptions(options);
    const named = nameTools(options);
    checkOptions(named);
    this.#options = options;
    this.#size = size;
    this.#input = input;
    this.#warnings = new WarningReporter(named);
    this.#refill();
  }

  query({ prompt, options = {} }: QueryInput): Query {
    if (this.#closed) throw new SessionClosedError('The pool is closed');
    const requests = planLateOptions(this.#options, options);
    const source = readPrompt(prompt);
    const items = { [Symbol.asyncIterator]: () => source };
    const slot = this.#take();
    if (!slot) {
      this.#counts.cold += 1;
      const { launch } = this.#input;
      return createQuery({
        prompt: items,
        options: { ...this.#options, ...options },
        ...(launch ? { launch } : {}),
      });
    }
    this.#counts.warm += 1;
    const { session } = slot;
    const signal = options.abortController?.signal;
    if (signal) {
      const forget = onAbort(signal, () => void session.close({ kind: 'aborted', reason: signal.reason }));
      void session.over.then(forget);
    }
    session.begin(requests.length === 0 ? items : applyFirst(session, requests, items));
    return presentQuery(session);
  }

  ready(): Promise<void> {
    if (this.#closed) return Promise.reject(new SessionClosedError('The pool is closed'));
    if (this.#slots.size >= this.#size) return Promise.resolve();
    // Whoever asks while the next start is put off learns why, and need not wait for it.
    if (this.#backoff !== undefined) return Promise.reject(this.#lastError);
    this.#full ??= createDeferred();
    this.#full.promise.catch(() => {});
    return this.#full.promise;
  }

  stats(): WarmPoolStats {
    const { size: ready } = this.#slots;
    return { ready, starting: this.#starting.size, ...this.#counts, lastError: this.#lastError };
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#backoff);
    this.#tellWaiting(new SessionClosedError('The pool was closed before it was full'));
    for (const slot of this.#slots) this.#sendAway(slot);
    for (const session of this.#shaking) void session.close({ kind: 'closed' });
    await Promise.all([...this.#leaving, ...this.#starting]);
  }

  /** The oldest that waits: it is the one to be replaced next. */
  #take(): WarmSlot | undefined {
    for (const slot of this.#slots) {
      // It is about to complain of its end.
      if (slot.session.isEnding) continue;
      this.#remove(slot);
      return slot;
    }
    return undefined;
  }

  #remove(slot: WarmSlot): boolean {
    slot.release();
    const wasThere = this.#slots.delete(slot);
    if (wasThere) this.#refill();
    return wasThere;
  }

  #discard(slot: WarmSlot): void {
    if (this.#sendAway(slot)) this.#counts.discarded += 1;
  }

  /** Out of the pool, and gone. */
  #sendAway(slot: WarmSlot): boolean {
    if (!this.#remove(slot)) return false;
    const leaving = slot.session.close({ kind: 'closed' }).finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
    return true;
  }

  /** One start for each place that is empty; none while the next is being put off. */
  #refill(): void {
    if (this.#isClosing || this.#backoff !== undefined) return;
    while (this.#slots.size + this.#starting.size < this.#size) {
      const starting = this.#startOne().finally(() => {
        this.#starting.delete(starting);
        if (this.#slots.size >= this.#size) this.#tellWaiting(undefined);
        this.#refill();
      });
      this.#starting.add(starting);
    }
  }

  async #startOne(): Promise<void> {
    const { launch } = this.#input;
    let session: LiveCli | undefined;
    try {
      session = new LiveCli({ prompt: undefined, options: this.#options, ...(launch ? { launch } : {}) });
      this.#shaking.add(session);
      await awaitHandshake(session);
      this.#failuresInARow = 0;
      this.#lastError = undefined;
      if (this.#isClosing) await session.close({ kind: 'closed' });
      else this.#slots.add(this.#keep(session));
    } catch (error) {
      this.#noteFailure(error);
    } finally {
      if (session) this.#shaking.delete(session);
    }
  }

  #keep(session: LiveCli): WarmSlot {
    const { maxAgeMs = DEFAULT_MAX_AGE_MS, healthCheck = {} } = this.#input;
    const { everyMs = DEFAULT_CHECK_EVERY_MS, timeoutMs = DEFAULT_CHECK_TIMEOUT_MS } = healthCheck || {
      everyMs: 0,
    };
    const slot = new WarmSlot({
      session,
      maxAgeMs,
      checkEveryMs: everyMs,
      checkTimeoutMs: timeoutMs,
      onUnfit: (reason) => {
        if (reason) this.#warnings.report(reason);
        this.#discard(slot);
      },
    });
    return slot;
  }

  #noteFailure(error: unknown): void {
    if (this.#isClosing) return;
    this.#counts.failures += 1;
    this.#lastError = error;
    this.#warnings.report(error instanceof Error ? error : new Error(String(error)));
    this.#tellWaiting(error);
    // Starts that failed side by side failed of the same thing.
    if (this.#backoff !== undefined) return;
    this.#failuresInARow += 1;
    const { backoffMs = DEFAULT_BACKOFF_MS } = this.#input;
    const delay = Math.min(backoffMs * 2 ** (this.#failuresInARow - 1), MAX_BACKOFF_MS);
    this.#backoff = setTimeout(() => {
      this.#backoff = undefined;
      this.#refill();
    }, delay);
    // A pool that cannot be filled keeps no host alive.
    this.#backoff.unref();
  }

  #tellWaiting(error: unknown): void {
    if (error === undefined) this.#full?.resolve();
    else this.#full?.reject(error);
    this.#full = undefined;
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
    `${wrong.map((name) => `"${name}"`).join(', ')} of a pool must be milliseconds: a number from 0, and a timeout above 0`,
  );
}

/** The prompt, behind what must be asked first; a refusal ends the query with its error. */
async function* applyFirst(
  session: LiveCli,
  requests: readonly { subtype: string }[],
  items: AsyncIterable<PromptItem>,
): AsyncGenerator<PromptItem, void> {
  try {
    await applyLateOptions(session, requests);
  } catch (error) {
    await items[Symbol.asyncIterator]().return?.();
    throw error;
  }
  yield* items;
}
