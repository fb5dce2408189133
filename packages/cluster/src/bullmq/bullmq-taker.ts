// The taking half: asks BullMQ for one wake after the other while there is room. A job is acknowledged before its handler runs. So
// BullMQ's lock, which on PostgreSQL goes by the clocks of workers, protects nothing and holds nothing up.
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

/** What a taker needs of its worker. */
export interface TakerParts {
  /** How many more may run. */
  room: () => number;
  /** A wake was taken. */
  run: (wake: WakeData) => void;
  /** Called for a wake that was taken after the worker had stopped. */
  putBack: (wake: WakeData) => void;
  /** The server is away; told once until it is back. */
  onTrouble: (error: unknown) => void;
}

const CLOSE_MS = 2_000;
/** To take note of a job. Without that it comes again when its lock has run out. */
const ACKNOWLEDGE_MS = 1_000;
/** BullMQ's longest wait on Redis is 10 s. On PostgreSQL it is an hour, in which a connection may be lost unnoticed. */
const LONGEST_WAIT_MS = 30_000;
const PAUSES = { firstMs: 100, longestMs: 2_000 };

/** Takes wakes until it is stopped, over as many connections as that needs. */
export class BullmqTaker {
  readonly #settings: BullmqSettings;
  readonly #parts: TakerParts;
  readonly #stopping = createDeferred<void>();
  #hasRoom: Deferred<void> | undefined;
  /** Jobs that are taken, and not yet taken note of. */
  #acknowledging = 0;
  #isStopped = false;
  #isInTrouble = false;
  #ended: Promise<void> | undefined;

  constructor(settings: BullmqSettings, parts: TakerParts) {
    this.#settings = settings;
    this.#parts = parts;
  }

  /** Begins. Rejects where BullMQ or its client is missing, or refuses its options; not where a server is away. */
  async start(): Promise<void> {
    const worker = await this.#open();
    try {
      // A client that is not installed is told at once; a server that is away, later or never.
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

  /** There may be room for one more. */
  tellRoom(): void {
    this.#hasRoom?.resolve();
  }

  /** Takes no more; resolves in bounded time, also where the server is away. */
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
      if (!this.#isStopped) await waitAtMost(this.#stopping.promise, backOff.next());
    }
    if (worker !== undefined) await waitAtMost(worker.close(true), CLOSE_MS);
  }

  /** Until it is stopped, or the connection is worth making anew. */
  async #takeFrom(worker: BullmqWorker, onAnswer: () => void): Promise<void> {
    await Promise.race([settleQuietly(worker.waitUntilReady()), this.#stopping.promise]);
    if (this.#isStopped) return;
    onAnswer();
    await worker.startStalledCheckTimer();
    while (!this.#isStopped) {
      await this.#waitForRoom();
      if (this.#isStopped) return;
      const token = randomUUID();
      const asking = settleQuietly(worker.getNextJob(token).then((job) => this.#take(job, token)));
      const isAnswered = await waitAtMost(Promise.race([asking, this.#stopping.promise]), LONGEST_WAIT_MS);
      if (this.#isStopped || !isAnswered) return;
      await asking;
      onAnswer();
    }
  }

  #take(job: Job<Partial<WakeData>> | undefined, token: string): void {
    if (job === undefined) return;
    const { key, urgent } = job.data;
    this.#acknowledging += 1;
    // Where this fails the job comes again when its lock has run out, which is once too often, and no harm.
    void waitAtMost(job.moveToCompleted(null, token, false), ACKNOWLEDGE_MS).then(() => {
      this.#acknowledging -= 1;
      // Otherwise a job of another program, which does not belong into this queue.
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
      await Promise.race([this.#hasRoom.promise, this.#stopping.promise]);
    }
  }

  #tell(error: unknown): void {
    if (this.#isInTrouble || this.#isStopped) return;
    this.#isInTrouble = true;
    this.#parts.onTrouble(error);
  }
}
