// Reads the numbers of the whole cluster for metrics. With very many conversations a read takes longer than a scrape may wait, and
// costs the database much. So one read is under way at a time, its result is kept, and one that is late serves the next scrape.
import { settleInTime } from '@inboard/core/util/settle-in-time.js';
import { clock } from '@inboard/core/util/system/clock.js';
import type { ClusterNumbers, KnownNumbers } from './measure.js';

/** Milliseconds after a read during which its numbers are used instead of another read. */
const STATS_KEPT_MS = 5000;
/** The age in milliseconds up to which numbers are used while a newer read is late. */
const STATS_OLDEST_MS = 120_000;

/** What a read came to. `kept`: none was needed. `late`: `known` has the numbers of an earlier one, unless they are too old. */
export type StatsRead =
  | { state: 'done' | 'kept'; known: KnownNumbers }
  | { state: 'late'; known: KnownNumbers | undefined }
  | { state: 'failed'; error: unknown };

interface Kept {
  numbers: ClusterNumbers;
  begunAt: number;
  endedAt: number;
}

/** The numbers of one cluster, for one process. */
export class StatsReader {
  readonly #ask: () => Promise<ClusterNumbers>;
  #reading: Promise<Kept> | undefined;
  #kept: Kept | undefined;

  constructor(ask: () => Promise<ClusterNumbers>) {
    this.#ask = ask;
  }

  /** Answers within so many milliseconds. Never rejects. */
  async read(timeoutMs: number): Promise<StatsRead> {
    if (this.#kept && clock.performance.now() - this.#kept.endedAt < STATS_KEPT_MS)
      return { state: 'kept', known: toKnown(this.#kept) };
    const read = await settleInTime(this.#readOnce(), timeoutMs);
    if (read.state === 'failed') return read;
    if (read.state === 'done') return { state: 'done', known: toKnown(read.value) };
    const known = this.#kept && toKnown(this.#kept);
    return { state: 'late', known: known && known.ageMs <= STATS_OLDEST_MS ? known : undefined };
  }

  #readOnce(): Promise<Kept> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readNow(): Promise<Kept> {
    const begunAt = clock.performance.now();
    try {
      const numbers = await this.#ask();
      return (this.#kept = { numbers, begunAt, endedAt: clock.performance.now() });
    } catch (error) {
      // Old numbers would hide the failure.
      this.#kept = undefined;
      throw error;
    }
  }
}

function toKnown({ numbers, begunAt }: Kept): KnownNumbers {
  return { numbers, ageMs: clock.performance.now() - begunAt };
}
