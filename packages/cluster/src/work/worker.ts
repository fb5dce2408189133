// A worker process. It takes wakes, works on conversations under leases, keeps some warm, sweeps, reports itself, and ends in order.
import { ClusterError } from '@inboard/core/errors.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { warnOnce } from '@inboard/core/util/warn-once.js';
import { spreadPause } from '../limits/backoff.js';
import type { DispatcherWork } from '../dispatch/dispatcher.js';
import { ConversationRun, type RunEnd } from './turns/conversation-run.js';
import type { HostParts } from './host/host-parts.js';
import { Slots } from './slots.js';
import { Sweep } from './sweep.js';
import { untilSignal } from './until-signal.js';
import { WarmRuns } from './warm-runs.js';
import { withinTime } from './host/within-time.js';
import { WorkHost } from './host/work-host.js';
import type { ClusterWorker, WorkOptions, WorkerStats } from './host/work-options.js';

/** Milliseconds between two reports. A worker that misses two of them counts as silent (`mark-silence.ts`). */
const REPORT_MS = 5000;
/** Milliseconds that a warm conversation waits for a place before it is left to other workers. */
const WARM_WAIT_MS = 1000;

/** Makes this process a worker. `onEnded` is called once it has ended, for whatever reason. */
export async function startWorker(
  parts: HostParts,
  options: WorkOptions = {},
  onEnded: () => void = () => {},
): Promise<ClusterWorker> {
  const host = new WorkHost(parts, options);
  const worker = new Worker(host, onEnded);
  try {
    await worker.start();
    return worker;
  } catch (error) {
    // The worker did not start, so no caller could close what it has opened.
    await host.close();
    throw error;
  }
}

/** Whether this code is too old for the tables. The error about missing tables has a cause: such tables may come back. */
function isOutdated(error: unknown): error is ClusterError {
  return error instanceof ClusterError && error.code === 'JOURNAL_VERSION' && error.cause === undefined;
}

class Worker implements ClusterWorker {
  readonly #host: WorkHost;
  readonly #slots: Slots;
  readonly #warm: WarmRuns;
  readonly #sweep: Sweep;
  readonly #runs = new Map<string, ConversationRun>();
  /** Work under way that ends by itself. */
  readonly #busy = new Set<Promise<unknown>>();
  #work: DispatcherWork | undefined;
  #sweeps: NodeJS.Timeout | undefined;
  #reports: NodeJS.Timeout | undefined;
  #hasJustReported = false;
  /** The last report, pending or written. */
  #reported: Promise<void> = Promise.resolve();
  #running = 0;
  #isDraining = false;
  #isOver = false;
  #ending: Promise<void> | undefined;
  /** Rejects once the worker has ended because this code is too old for the journal. */
  readonly #outdated: Deferred<never> = createQuietDeferred();
  readonly #onEnded: () => void;

  constructor(host: WorkHost, onEnded: () => void) {
    const { concurrency, recoveryConcurrency, keepWarmMs } = host.settings;
    this.#host = host;
    this.#onEnded = onEnded;
    this.#slots = new Slots(concurrency, recoveryConcurrency);
    this.#warm = new WarmRuns({
      keepMs: keepWarmMs,
      limit: concurrency,
      onWork: (run) => this.#begun(this.#resume(run), run.key),
      onCold: (run) => this.#begun(this.#leave(run), run.key),
    });
    this.#sweep = new Sweep({
      host,
      hasRoom: (recovered) => {
        const { free, freeForRecovered } = this.#slots;
        return !this.#isDraining && (recovered ? freeForRecovered : free) > 0;
      },
      look: (key, recovered) => this.#begun(this.#look(key, recovered), key),
      sweep: () => this.#begun(this.#sweep.look()),
    });
  }

  get name(): string {
    return this.#host.settings.name;
  }

  async start(): Promise<void> {
    const { parts, settings, hub, emit } = this.#host;
    await parts.journal.open();
    await hub.open();
    this.#work = await parts.dispatcher.work((key) => this.#track(this.#look(key)), {
      concurrency: settings.concurrency,
      onError: (error) => emit({ type: 'trouble', where: 'dispatcher', error }),
    });
    emit({ type: 'started' });
    this.#sweeps = clock.setInterval(() => this.#lookAround(), settings.sweepMs);
    this.#reports = clock.setInterval(() => {
      this.#hasJustReported = true;
      this.#reported = this.#report();
    }, REPORT_MS);
    this.#reported = this.#report();
    await this.#reported;
  }

  stats(): WorkerStats {
    return { running: this.#running, warm: this.#warm.size, ...this.#host.counts };
  }

  drain(): Promise<void> {
    this.#ending ??= this.#end(this.#host.settings.drainMs).finally(this.#onEnded);
    return this.#ending;
  }

  untilSignal(): Promise<void> {
    return untilSignal(() => this.drain(), this.#outdated.promise);
  }

  close(): Promise<void> {
    const ending = this.#ending;
    this.#ending ??= this.#end(0).finally(this.#onEnded);
    // The worker is already draining. Turns under way get no more time.
    if (ending) for (const run of this.#runs.values()) run.handOver();
    return this.#ending;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Looks at a conversation that may have work. Rejects if the journal is away, and then the dispatcher wakes again. */
  async #look(key: string, recovered = false): Promise<void> {
    if (this.#isDraining) return;
    const known = this.#find(key);
    if (known) {
      known.onWork?.();
      return;
    }
    if (!(recovered && this.#slots.takeForRecovered())) await this.#slots.take();
    try {
      // Another look may have been faster while this one waited for a place.
      if (!this.#isDraining && !this.#find(key)) await this.#begin(key);
    } finally {
      this.#slots.giveBack();
    }
  }

  async #begin(key: string): Promise<void> {
    const taken = await this.#host.keeper.take(key);
    if (taken.state === 'idle' && taken.afterMs !== undefined)
      await this.#host.wake(key, { afterMs: taken.afterMs });
    if (taken.state === 'paused') await this.#host.wake(key, { afterMs: spreadPause(taken.forMs) });
    if (taken.state !== 'granted') return;
    const run = new ConversationRun(this.#host, taken);
    this.#runs.set(key, run);
    await this.#workOn(run);
  }

  /** Works on a warm conversation that has something to do. */
  async #resume(run: ConversationRun): Promise<void> {
    if (!(await this.#slots.take(WARM_WAIT_MS))) {
      await this.#leave(run);
      await this.#host.wake(run.key, { urgent: true });
      return;
    }
    try {
      await this.#workOn(run);
    } finally {
      this.#slots.giveBack();
    }
  }

  async #workOn(run: ConversationRun): Promise<void> {
    this.#running += 1;
    let end: RunEnd;
    try {
      if (this.#isDraining) run.drain();
      end = await run.work();
    } finally {
      this.#running -= 1;
    }
    if (end !== 'idle') this.#forget(run);
    else if (this.#isDraining || !run.isWarm || !this.#warm.add(run)) await this.#leave(run);
  }

  async #leave(run: ConversationRun): Promise<void> {
    await run.leave();
    this.#forget(run);
  }

  /** The run of a conversation, unless it is over. A run that is over may already have woken this same worker again. */
  #find(key: string): ConversationRun | undefined {
    const run = this.#runs.get(key);
    return run?.isOver ? undefined : run;
  }

  #forget(run: ConversationRun): void {
    if (this.#runs.get(run.key) === run) this.#runs.delete(run.key);
  }

  #lookAround(): void {
    // A report replaces the next look, so that an idle worker sends the journal no extra requests. It never replaces every
    // look.
    const isLeftOut = this.#hasJustReported && this.#host.settings.sweepMs <= REPORT_MS / 2;
    this.#hasJustReported = false;
    if (!isLeftOut) this.#begun(this.#sweep.look());
  }

  async #report(): Promise<void> {
    const { parts, settings } = this.#host;
    try {
      const reporting = parts.journal.reportWorker({
        name: settings.name,
        concurrency: settings.concurrency,
        running: this.#running,
        warm: this.#warm.size,
        draining: this.#isDraining,
      });
      await withinTime(reporting, settings.leaseMs);
      parts.onReported?.();
    } catch (error) {
      // An outdated version is told once, because a worker that is ending goes on reporting.
      if (this.#isOver || (isOutdated(error) && this.#isDraining)) return;
      this.#tellTrouble(error);
      if (isOutdated(error)) this.#endOutdated(error);
    }
  }

  /** Ends the worker, because this code must not write to tables of this version. Workers with newer code go on. */
  #endOutdated(error: ClusterError): void {
    const { isHeard, settings } = this.#host;
    const code = 'INBOARD_CLUSTER_TROUBLE';
    if (!isHeard)
      warnOnce(`The worker "${settings.name}" ends: ${error.message}`, code, `${code} ${settings.name}`);
    // Rejects once the worker has drained, even if that failed.
    this.drain().then(
      () => this.#outdated.reject(error),
      () => this.#outdated.reject(error),
    );
  }

  /** Takes the worker off the list. Otherwise it would fall silent there and count as dead. */
  async #leaveList(): Promise<void> {
    const { parts, settings } = this.#host;
    // A report under way would put the worker back on the list.
    await this.#reported;
    try {
      await withinTime(parts.journal.removeWorker(settings.name), settings.leaseMs);
    } catch (error) {
      this.#tellTrouble(error);
    }
  }

  async #end(drainMs: number): Promise<void> {
    this.#isDraining = true;
    clock.clearInterval(this.#sweeps);
    this.#sweep.end();
    this.#host.emit({ type: 'draining' });
    const tell = (error: unknown): void => this.#tellTrouble(error);
    const paused = this.#work?.pause().catch(tell);
    this.#reported = this.#report();
    const handOverAll = (): void => {
      for (const run of this.#runs.values()) run.handOver();
    };
    if (drainMs > 0) for (const run of this.#runs.values()) run.drain();
    else handOverAll();
    this.#warm.close();
    const timer = clock.setTimeout(handOverAll, drainMs);
    await paused;
    while (this.#busy.size > 0) await Promise.allSettled(this.#busy);
    clock.clearTimeout(timer);
    await this.#work?.close().catch(tell);
    // Up to this point the worker reports that it is alive.
    clock.clearInterval(this.#reports);
    await this.#leaveList();
    await this.#host.close();
    this.#isOver = true;
    this.#host.emit({ type: 'ended' });
  }

  #tellTrouble(error: unknown, key?: string): void {
    this.#host.emit({ type: 'trouble', key, where: 'journal', error });
  }

  /** Starts work in the background. Only the end of the worker waits for it. */
  #begun(work: Promise<void>, key?: string): void {
    void this.#track(work.catch((error: unknown) => this.#tellTrouble(error, key)));
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#busy.add(work);
    const forget = (): unknown => this.#busy.delete(work);
    work.then(forget, forget);
    return work;
  }
}
