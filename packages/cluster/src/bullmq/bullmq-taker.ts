// The taking half of the dispatcher. It asks BullMQ for one wake after the other while there is room. It acknowledges a job
// before the handler runs, so nothing depends on BullMQ's lock. On PostgreSQL that lock goes by the clocks of the workers.
import type { Job } from 'bullmq';
import { ClusterError } from '@inboard/core/errors.js';
import { BackOff } from '@inboard/core/util/back-off.js';
import { createDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { settleQuietly } from '@inboard/core/util/settle-quietly.js';
import { waitAtMost } from '../dispatch/end-work.js';
import { explainClientFailure } from './bullmq-library.js';
import type { BullmqSettings } from './bullmq-options.js';
import { openWorker, type BullmqWorker, type WakeData } from './bullmq-parts.js';

/** The functions that a taker calls. */
export interface TakerParts {
  /** How many more handlers may run. */
  room: () => number;
  /** Called with a wake that was taken. */
  run: (wake: WakeData) => void;
  /** Called instead of `run` if the taker has been stopped by then. */
  putBack: (wake: WakeData) => void;
  /** Called with an error of the server or its client, and not again until the server has answered. */
  onTrouble: (error: unknown) => void;
}

const CLOSE_MS = 2_000;
/** Milliseconds to acknowledge a job. A job that is not acknowledged comes again when its lock has run out. */
const ACKNOWLEDGE_MS = 1_000;
/**
 * The longest wait for a job, in milliseconds. BullMQ itself waits up to 10 s on Redis, but up to an hour on PostgreSQL, and
 * could miss a lost connection for that long.
 */
const LONGEST_WAIT_MS = 30_000;
const PAUSES = { firstMs: 100, longestMs: 2_000 };

/** Takes wakes until it is stopped. Opens a new connection whenever one is lost. */
export class BullmqTaker {
  readonly #settings: BullmqSettings;
  readonly #parts: TakerParts;
  /** Ends the wait under way. Each wait has its own, because a promise that lives as long as the taker would keep every wait. */
  #stopping: Deferred<void> = createDeferred();
  #hasRoom: Deferred<void> | undefined;
  /** Jobs that were taken and are not acknowledged yet. */
  #acknowledging = 0;
  #isStopped = false;
  #isInTrouble = false;
  #ended: Promise<void> | undefined;

  constructor(settings: BullmqSettings, parts: TakerParts) {
    this.#settings = settings;
    this.#parts = parts;
  }

  /** Begins to take wakes. Rejects if BullMQ or its client is missing or refuses its options, but not if the server is away. */
  async start(): Promise<void> {
    const worker = await this.#open();
    try {
      // BullMQ reports at once that a client is not installed. It reports later or never that a server is away.
      await Promise.race([
        settleQuietly(worker.waitUntilReady()),
        new Promise((resolve) => clock.setImmediate(resolve)),
      ]);
    } catch (error) {
      const explained = explainClientFailure(this.#settings.server, error);
      if (explained instanceof ClusterError) throw explained;
    }
    this.#ended = this.#takeAlways(worker);
  }

  /** Call this when there may be room for one more wake. */
  tellRoom(): void {
    this.#hasRoom?.resolve();
  }

  /** Takes no more wakes. Resolves within a bounded time, even if the server is away. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopping.resolve();
    await this.#ended;
  }

  #open(): Promise<BullmqWorker> {
    return openWorker(this.#settings, (error) => this.#tell(error));
  }

  async #takeAlways(first: BullmqWorker): Promise<void> {
    let worker: BullmqWorker | undefined = first;
    const backOff = new BackOff(PAUSES);
    while (!this.#isStopped) {
      try {
        worker ??= await this.#open();
        await this.#takeFrom(worker, () => {
          backOff.reset();
          this.#isInTrouble = false;
        });
      } catch (error) {
        this.#tell(explainClientFailure(this.#settings.server, error));
      }
      if (worker !== undefined) await waitAtMost(worker.close(true), CLOSE_MS);
      worker = undefined;
      if (!this.#isStopped) await waitAtMost(this.#untilStopped(), backOff.next());
    }
    if (worker !== undefined) await waitAtMost(worker.close(true), CLOSE_MS);
  }

  /** Takes wakes until the taker is stopped, or until it needs a new connection. */
  async #takeFrom(worker: BullmqWorker, onAnswer: () => void): Promise<void> {
    await Promise.race([settleQuietly(worker.waitUntilReady()), this.#untilStopped()]);
    if (this.#isStopped) return;
    onAnswer();
    await worker.startStalledCheckTimer();
    while (!this.#isStopped) {
      await this.#waitForRoom();
      if (this.#isStopped) return;
      const token = randomUUID();
      const asking = settleQuietly(worker.getNextJob(token).then((job) => this.#take(job, token)));
      const isAnswered = await waitAtMost(Promise.race([asking, this.#untilStopped()]), LONGEST_WAIT_MS);
      if (this.#isStopped || !isAnswered) return;
      await asking;
      onAnswer();
    }
  }

  #take(job: Job<Partial<WakeData>> | undefined, token: string): void {
    if (job === undefined) return;
    const { key, urgent } = job.data;
    this.#acknowledging += 1;
    // If this fails, the job comes again when its lock has run out. A superfluous wake does no harm.
    void waitAtMost(job.moveToCompleted(null, token, false), ACKNOWLEDGE_MS).then(() => {
      this.#acknowledging -= 1;
      // A job without a key comes from another program, and is dropped.
      if (typeof key === 'string') this.#pass(urgent ? { key, urgent } : { key });
      this.tellRoom();
    });
  }

  #pass(wake: WakeData): void {
    if (this.#isStopped) this.#parts.putBack(wake);
    else this.#parts.run(wake);
  }

  async #waitForRoom(): Promise<void> {
    while (this.#parts.room() <= this.#acknowledging && !this.#isStopped) {
      this.#hasRoom = createDeferred();
      await Promise.race([this.#hasRoom.promise, this.#untilStopped()]);
    }
  }

  /** For one wait. There is one at a time, so the previous promise is let go. */
  #untilStopped(): Promise<void> {
    this.#stopping = createDeferred();
    if (this.#isStopped) this.#stopping.resolve();
    return this.#stopping.promise;
  }

  #tell(error: unknown): void {
    if (this.#isInTrouble || this.#isStopped) return;
    this.#isInTrouble = true;
    this.#parts.onTrouble(error);
  }
}
