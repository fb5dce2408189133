// Keeps the CLIs of steps that are over, each with its lease, for the next step of the same conversation in this process. A kept CLI
// does nothing by itself. It is ended after its time, and sooner if there is work that no step of this process takes.
import { clock } from '@inboard/core/util/system/clock.js';
import type { StepOptions } from './host/work-options.js';
import type { StepWork } from './step-work.js';

/** Milliseconds that other processes wait for work that came while the CLI was kept. */
const GIVE_UP_AFTER_MS = 1000;

interface Kept {
  readonly work: StepWork;
  readonly timers: NodeJS.Timeout[];
}

/** The kept CLIs of one cluster. The caller that makes this object closes it. */
export class KeptRuns {
  readonly #kept = new Map<string, Kept>();
  /** CLIs that are being ended. */
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  has(work: StepWork): boolean {
    return this.#kept.get(work.key)?.work === work;
  }

  /** Keeps the CLI of a step. False if it may not be kept. */
  add(work: StepWork): boolean {
    const { key, run, host } = work;
    const keepMs = host.settings.keepWarmMs;
    if (this.#isClosed || keepMs <= 0 || run?.isWarm !== true || this.#kept.has(key)) return false;
    const end = (): void => void this.#end(key, work);
    const kept: Kept = { work, timers: [clock.setTimeout(end, keepMs)] };
    this.#kept.set(key, kept);
    run.onWork = () => {
      run.onWork = undefined;
      kept.timers.push(clock.setTimeout(end, GIVE_UP_AFTER_MS));
    };
    return true;
  }

  /** The kept CLI of a conversation, if a step with these options can use it. Otherwise it is ended. */
  async take(key: string, options: StepOptions): Promise<StepWork | undefined> {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    if (!kept.work.fits(options)) {
      await this.#end(key, kept.work);
      return undefined;
    }
    this.#forget(key, kept);
    kept.work.goOn(options);
    return kept.work;
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [key, { work }] of this.#kept) void this.#end(key, work);
    await Promise.all(this.#ending);
  }

  #end(key: string, work: StepWork): Promise<void> {
    const kept = this.#kept.get(key);
    if (kept?.work !== work) return Promise.resolve();
    this.#forget(key, kept);
    // If the journal is away, the lease expires.
    const leave = async (): Promise<void> => {
      try {
        await work.leave();
      } finally {
        await work.close();
      }
    };
    const ending = leave().catch(() => {});
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
    return ending;
  }

  #forget(key: string, { work, timers }: Kept): void {
    for (const timer of timers) clock.clearTimeout(timer);
    this.#kept.delete(key);
    if (work.run) work.run.onWork = undefined;
  }
}
