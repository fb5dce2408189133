// One CLI that waits in a pool: told apart as unfit when it grows too old, stops answering, or is gone.
import { ControlTimeoutError, InboardError } from '../../errors.js';
import { LONGEST_TIMER_MS } from '../../util/timers.js';
import type { LiveCli } from '../../live/live-cli.js';

export interface WarmSlotOptions {
  session: LiveCli;
  /** 0 for any age. */
  maxAgeMs: number;
  /** 0 for no checks. */
  checkEveryMs: number;
  checkTimeoutMs: number;
  /** Called at most once, with the reason unless it is age alone. */
  onUnfit: (reason: Error | undefined) => void;
}

/** Cheap for the CLI, and known to every version. */
const CHECK = { subtype: 'mcp_status' };

/** Watches its session until it is released. */
export class WarmSlot {
  readonly session: LiveCli;
  readonly #options: WarmSlotOptions;
  #age: NodeJS.Timeout | undefined;
  #nextCheck: NodeJS.Timeout | undefined;
  #givingUp = new AbortController();
  #isReleased = false;

  constructor(options: WarmSlotOptions) {
    this.#options = options;
    this.session = options.session;
    void options.session.over.then(() => this.#complainOfEnd());
    // Nothing waits longer than a timer can be set to, so whoever gives more means "for ever".
    if (options.maxAgeMs > 0 && options.maxAgeMs <= LONGEST_TIMER_MS) {
      this.#age = setTimeout(() => this.#complain(undefined), options.maxAgeMs);
      this.#age.unref();
    }
    this.#planCheck();
  }

  /** Nothing more is watched: the session is somebody else's. */
  release(): void {
    this.#isReleased = true;
    clearTimeout(this.#age);
    clearTimeout(this.#nextCheck);
    this.#givingUp.abort();
  }

  #complain(reason: Error | undefined): void {
    if (this.#isReleased) return;
    this.release();
    this.#options.onUnfit(reason);
  }

  async #complainOfEnd(): Promise<void> {
    if (this.#isReleased) return;
    const cause = await findEnding(this.session);
    this.#complain(new InboardError('WARM_CLI_ENDED', 'A CLI that waited in the pool ended', { cause }));
  }

  #planCheck(): void {
    if (this.#isReleased || this.#options.checkEveryMs <= 0) return;
    const everyMs = Math.min(this.#options.checkEveryMs, LONGEST_TIMER_MS);
    this.#nextCheck = setTimeout(() => void this.#check(), everyMs);
    this.#nextCheck.unref();
  }

  async #check(): Promise<void> {
    const { checkTimeoutMs } = this.#options;
    const timeout = setTimeout(
      () => this.#complain(new ControlTimeoutError(CHECK.subtype, checkTimeoutMs)),
      Math.min(checkTimeoutMs, LONGEST_TIMER_MS),
    );
    try {
      await this.session.request(CHECK, { signal: this.#givingUp.signal });
      this.#planCheck();
    } catch (error) {
      this.#complain(error instanceof Error ? error : new Error(String(error)));
    } finally {
      clearTimeout(timeout);
    }
  }
}

/** Why a session that is over ended; undefined when it left tidily. */
async function findEnding({ messages }: LiveCli): Promise<unknown> {
  try {
    for (let step = await messages.next(); !step.done; step = await messages.next());
  } catch (error) {
    return error;
  }
  return undefined;
}
