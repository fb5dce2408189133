// Watches one CLI that waits in a pool. Reports it as unfit when it is too old, stops answering, or ends. `warm-stock` replaces
// it.
import { ControlTimeoutError, InboardError } from '../../errors.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import type { LiveCli } from '../../live/live-cli.js';
import { clock } from '../../util/system/clock.js';

/** The limits of a waiting CLI. */
export interface SlotLimits {
  /** The longest time that the CLI may wait, in milliseconds; 0 for no limit. */
  maxAgeMs: number;
  /** Milliseconds between two checks whether the CLI answers; 0 for no checks. */
  checkEveryMs: number;
  checkTimeoutMs: number;
}

/** Called at most once. `reason` is undefined when the CLI is only too old. */
type OnUnfit = (slot: WarmSlot, reason: Error | undefined) => void;

/** This request is cheap for the CLI, and every version knows it. */
const CHECK = { subtype: 'mcp_status' };

/** Watches its CLI until `release` is called. */
export class WarmSlot {
  readonly live: LiveCli;
  readonly #limits: SlotLimits;
  readonly #onUnfit: OnUnfit;
  readonly #released = new AbortController();
  #age: NodeJS.Timeout | undefined;
  #nextCheck: NodeJS.Timeout | undefined;

  constructor(live: LiveCli, limits: SlotLimits, onUnfit: OnUnfit) {
    this.live = live;
    this.#limits = limits;
    this.#onUnfit = onUnfit;
    void live.over.then(() => this.#reportEnd());
    // No timer can be set for longer than LONGEST_TIMER_MS, so a greater age counts as no limit.
    if (limits.maxAgeMs > 0 && limits.maxAgeMs <= LONGEST_TIMER_MS) {
      this.#age = clock.setTimeout(() => this.#report(undefined), limits.maxAgeMs);
      this.#age.unref();
    }
    this.#planCheck();
  }

  /** Stops watching, because a query uses the CLI or the stock ends it. */
  release(): void {
    clock.clearTimeout(this.#age);
    clock.clearTimeout(this.#nextCheck);
    this.#released.abort();
  }

  #report(reason: Error | undefined): void {
    if (this.#released.signal.aborted) return;
    this.release();
    this.#onUnfit(this, reason);
  }

  async #reportEnd(): Promise<void> {
    if (this.#released.signal.aborted) return;
    const cause = await findEnding(this.live);
    this.#report(new InboardError('WARM_CLI_ENDED', 'A CLI that was waiting in the pool ended', { cause }));
  }

  #planCheck(): void {
    if (this.#released.signal.aborted || this.#limits.checkEveryMs <= 0) return;
    const everyMs = Math.min(this.#limits.checkEveryMs, LONGEST_TIMER_MS);
    this.#nextCheck = clock.setTimeout(() => void this.#check(), everyMs);
    this.#nextCheck.unref();
  }

  async #check(): Promise<void> {
    const { checkTimeoutMs } = this.#limits;
    const timeout = clock.setTimeout(
      () => this.#report(new ControlTimeoutError(CHECK.subtype, checkTimeoutMs)),
      Math.min(checkTimeoutMs, LONGEST_TIMER_MS),
    );
    try {
      await this.live.request(CHECK, { signal: this.#released.signal });
      this.#planCheck();
    } catch (error) {
      this.#report(error instanceof Error ? error : new Error(String(error)));
    } finally {
      clock.clearTimeout(timeout);
    }
  }
}

/** Why a CLI ended; undefined for a clean exit. */
async function findEnding({ messages }: LiveCli): Promise<unknown> {
  try {
    for (let step = await messages.next(); !step.done; step = await messages.next());
  } catch (error) {
    return error;
  }
  return undefined;
}
