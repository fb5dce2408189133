// Keeps a number of started CLIs ready. Knows those that wait and those that are being started, and pauses after a start that
// failed. The pool decides what a query does with a CLI.
import { SessionClosedError } from '../../errors.js';
import { pauseBefore } from '../../util/back-off.js';
import { createDeferred, type Deferred } from '../../util/deferred.js';
import { settleQuietly } from '../../util/settle-quietly.js';
import type { LiveCli } from '../../live/live-cli.js';
import { clock } from '../../util/system/clock.js';
import { awaitHandshake } from './startup.js';
import { WarmSlot, type SlotLimits } from './warm-slot.js';

const MAX_BACKOFF_MS = 60_000;

export interface WarmStockOptions extends SlotLimits {
  size: number;
  /** Milliseconds between a start that failed and the next; doubled each time. */
  backoffMs: number;
  start: () => LiveCli;
  onWarning: (error: Error) => void;
}

/** What a pool has at the moment, and what became of its CLIs. */
export interface StockStats {
  /** CLIs that wait for a query. */
  ready: number;
  /** CLIs that are being started. */
  starting: number;
  /** CLIs that were ended unused, because they were too old, exited, or no longer answered. */
  discarded: number;
  /** Starts that failed. */
  failures: number;
  /** The error of the last start; undefined if it succeeded. */
  lastError: unknown;
}

/** One per pool. */
export class WarmStock {
  readonly #options: WarmStockOptions;
  /** The CLIs that wait, oldest first. */
  readonly #slots = new Set<WarmSlot>();
  readonly #starting = new Set<Promise<void>>();
  /** CLIs whose handshake is not complete. */
  readonly #unready = new Set<LiveCli>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #counts = { discarded: 0, failures: 0 };
  #full: Deferred<void> | undefined;
  #failuresInARow = 0;
  #lastError: unknown;
  #backoff: NodeJS.Timeout | undefined;
  #isClosing = false;

  /** Begins to start CLIs at once. */
  constructor(options: WarmStockOptions) {
    this.#options = options;
    this.#refill();
  }

  stats(): StockStats {
    const { size: ready } = this.#slots;
    return { ready, starting: this.#starting.size, ...this.#counts, lastError: this.#lastError };
  }

  /** Resolves when all CLIs are ready. If a start fails first, rejects with the error of that start. */
  whenFull(): Promise<void> {
    if (this.#slots.size >= this.#options.size) return Promise.resolve();
    // While the next start is delayed, the caller gets the reason at once.
    if (this.#backoff !== undefined) return Promise.reject(this.#lastError);
    this.#full ??= createDeferred();
    return settleQuietly(this.#full.promise);
  }

  /** Takes the oldest CLI, because it would be replaced next. */
  take(): LiveCli | undefined {
    for (const slot of this.#slots) {
      // This CLI is about to report its end.
      if (slot.live.isEnding) continue;
      this.#remove(slot);
      return slot.live;
    }
    return undefined;
  }

  /** Ends all CLIs that wait or are being started. Resolves when they are gone. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clock.clearTimeout(this.#backoff);
    this.#settleFull(new SessionClosedError('The pool was closed before it was full'));
    for (const slot of this.#slots) this.#end(slot);
    for (const live of this.#unready) void live.close({ kind: 'closed' });
    await Promise.all([...this.#leaving, ...this.#starting]);
  }

  #remove(slot: WarmSlot): boolean {
    slot.release();
    const wasThere = this.#slots.delete(slot);
    if (wasThere) this.#refill();
    return wasThere;
  }

  #discard(slot: WarmSlot, reason: Error | undefined): void {
    if (reason) this.#options.onWarning(reason);
    if (this.#end(slot)) this.#counts.discarded += 1;
  }

  #end(slot: WarmSlot): boolean {
    if (!this.#remove(slot)) return false;
    const leaving = slot.live.close({ kind: 'closed' }).finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
    return true;
  }

  /** Starts as many CLIs as are missing. Starts none while the next start is delayed. */
  #refill(): void {
    if (this.#isClosing || this.#backoff !== undefined) return;
    while (this.#slots.size + this.#starting.size < this.#options.size) {
      const starting = this.#startOne().finally(() => {
        this.#starting.delete(starting);
        if (this.#slots.size >= this.#options.size) this.#settleFull(undefined);
        this.#refill();
      });
      this.#starting.add(starting);
    }
  }

  async #startOne(): Promise<void> {
    let live: LiveCli | undefined;
    try {
      live = this.#options.start();
      this.#unready.add(live);
      await awaitHandshake(live);
      this.#failuresInARow = 0;
      this.#lastError = undefined;
      if (this.#isClosing) await live.close({ kind: 'closed' });
      else this.#slots.add(new WarmSlot(live, this.#options, (slot, reason) => this.#discard(slot, reason)));
    } catch (error) {
      this.#noteFailure(error);
    } finally {
      if (live) this.#unready.delete(live);
    }
  }

  #noteFailure(error: unknown): void {
    if (this.#isClosing) return;
    this.#counts.failures += 1;
    this.#lastError = error;
    this.#options.onWarning(error instanceof Error ? error : new Error(String(error)));
    this.#settleFull(error);
    // Starts that fail side by side fail for the same reason.
    if (this.#backoff !== undefined) return;
    this.#failuresInARow += 1;
    const pauses = { firstMs: this.#options.backoffMs, longestMs: MAX_BACKOFF_MS };
    const delay = pauseBefore(this.#failuresInARow - 1, pauses);
    this.#backoff = clock.setTimeout(() => {
      this.#backoff = undefined;
      this.#refill();
    }, delay);
    // A pool that cannot be filled must not keep the host alive.
    this.#backoff.unref();
  }

  #settleFull(error: unknown): void {
    if (error === undefined) this.#full?.resolve();
    else this.#full?.reject(error);
    this.#full = undefined;
  }
}
