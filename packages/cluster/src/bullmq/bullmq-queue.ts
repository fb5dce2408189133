// The sending half of the dispatcher. Adds wakes to a queue of BullMQ, and gives up after a bounded time if the server is away.
import { ClusterError } from '@inboard/core/errors.js';
import { digest } from '@inboard/core/util/digest.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { settleQuietly } from '@inboard/core/util/settle-quietly.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { waitAtMost } from '../dispatch/end-work.js';
import { explainClientFailure } from './bullmq-library.js';
import type { BullmqSettings } from './bullmq-options.js';
import { openAdder, type BullmqAdder, type WakeData } from './bullmq-parts.js';

/** Keys longer than this are replaced by a digest, because PostgreSQL limits the length of an indexed value. */
const LONGEST_ID = 200;
/** Wakes that are not urgent get this priority. BullMQ gives out jobs without a priority first. */
const PLAIN_PRIORITY = 1;
/** One year. BullMQ cannot store much longer delays, so a wake with a longer delay comes early. */
const LONGEST_DELAY_MS = 31_536_000_000;
const CLOSE_MS = 2_000;

/** Puts wakes into a queue. */
export class BullmqQueue {
  readonly #settings: BullmqSettings;
  readonly #pending = new Set<Promise<void>>();
  #opening: Promise<BullmqAdder> | undefined;
  #isClosed = false;

  constructor(settings: BullmqSettings) {
    this.#settings = settings;
  }

  /** Resolves when the server has the wake. Rejects with a ClusterError if connecting or adding the wake takes too long. */
  async add(wake: WakeData, afterMs: number): Promise<void> {
    if (this.#isClosed) throw unavailable('the dispatcher is closed');
    const opening = (this.#opening ??= openAdder(this.#settings, ignore));
    const adding = this.#addWithin(opening, wake, afterMs);
    this.#pending.add(adding);
    try {
      await adding;
    } catch (error) {
      // The next wake opens a new connection: a PostgreSQL client whose first connection failed never connects, and commands to
      // a silent server pile up.
      this.#letGo(opening);
      const explained = explainClientFailure(this.#settings.server, error);
      throw explained instanceof ClusterError ? explained : unavailable(messageOf(explained), explained);
    } finally {
      this.#pending.delete(adding);
    }
  }

  /**
   * Waits until the server has the wakes that were sent, then closes the connection. Takes a bounded time even if the server is
   * away.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await waitAtMost(Promise.allSettled(this.#pending), CLOSE_MS);
    const opening = this.#opening;
    if (opening !== undefined) await waitAtMost(opening.then(closeAdder), CLOSE_MS);
  }

  async #addWithin(opening: Promise<BullmqAdder>, wake: WakeData, afterMs: number): Promise<void> {
    const { wakeTimeoutMs, readyMs } = this.#settings;
    const adder = await opening;
    await endWithin(adder.waitUntilReady(), readyMs);
    await endWithin(adder.add('wake', wake, optionsOf(wake, afterMs)), wakeTimeoutMs);
  }

  #letGo(opening: Promise<BullmqAdder>): void {
    if (this.#opening === opening) this.#opening = undefined;
    void settleQuietly(opening.then(closeAdder));
  }
}

async function endWithin(ending: Promise<unknown>, ms: number): Promise<void> {
  if (await waitAtMost(ending, ms)) await ending;
  else throw unavailable(`no answer within ${ms} ms`);
}

/** Errors of the queue are ignored here, because the caller of `wake` is told of them. */
function ignore(): void {}

/** Closes with force. Otherwise BullMQ first waits for an answer of the server, which may be away. */
function closeAdder(adder: BullmqAdder): Promise<void> {
  return adder.backend.close(true);
}

/**
 * The options of a job. A job is removed when a worker takes it. Until then, BullMQ joins further wakes with the same
 * deduplication id to it. Urgent and delayed wakes have ids of their own: a plain wake that is already waiting must not swallow
 * them.
 */
function optionsOf({ key, urgent }: WakeData, afterMs: number): object {
  const kind = (urgent ? 'u' : 'p') + (afterMs > 0 ? timeSlot(afterMs) : '');
  const id = key.length > LONGEST_ID ? digest(key) : key;
  return {
    deduplication: { id: `${kind} ${id}` },
    ...(afterMs > 0 && { delay: Math.ceil(Math.min(afterMs, LONGEST_DELAY_MS)) }),
    ...(!urgent && { priority: PLAIN_PRIORITY }),
    removeOnComplete: true,
    removeOnFail: true,
  };
}

/**
 * Rounds up the time at which a delayed wake is due. Only wakes of a key that are due at about the same time are joined, so no
 * wake is put off for long.
 */
function timeSlot(afterMs: number): number {
  const width = afterMs < 5_000 ? 100 : 1_000;
  return Math.ceil((clock.Date.now() + Math.min(afterMs, LONGEST_DELAY_MS)) / width) * width;
}

function unavailable(why: string, cause?: unknown): ClusterError {
  const message = `The server of the dispatcher did not accept a wake: ${why}. The sweep of a worker will find what is to be done.`;
  return new ClusterError('DISPATCHER_UNAVAILABLE', message, {
    retryable: true,
    ...(cause === undefined ? {} : { cause }),
  });
}
