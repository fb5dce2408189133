// Reads the journal for a waiter. If the database is away for a moment, it tries again instead of failing. If the watch ends,
// it returns at once, even while the database does not answer.
import { BackOff } from '@inboard/core/util/back-off.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { mayPass, type ClusterCore } from './cluster-core.js';
import type { Journal } from './journal/journal.js';
import type { JournalWatch } from './journal-hub.js';

/** Milliseconds that a journal may be away before the waiter gets the error. */
const PATIENCE_MS = 60_000;
const RETRIES = { firstMs: 100, longestMs: 2000 };

/** Reads once, and tries again for a minute while the journal is away. Undefined if the watch ends before that. */
export async function readPatiently<T>(
  core: ClusterCore,
  watch: JournalWatch,
  read: (journal: Journal) => Promise<T>,
): Promise<T | undefined> {
  const startedAt = clock.performance.now();
  const readNow = async (): Promise<T> => await read(await core.journal());
  const backOff = new BackOff(RETRIES);
  while (!watch.isOver) {
    try {
      return await unlessOver(watch, readNow());
    } catch (error) {
      if (watch.isOver) return undefined;
      if (!mayPass(error) || clock.performance.now() - startedAt > PATIENCE_MS) throw error;
      core.tell({ where: 'journal', what: 'read', error });
    }
    await pauseUnlessOver(watch, backOff.next());
  }
  return undefined;
}

/** Waits some milliseconds, or until the watch is over. */
export function pauseUnlessOver(watch: JournalWatch, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clock.clearTimeout(timer);
      resolve();
    };
    const timer = clock.setTimeout(() => {
      stop();
      resolve();
    }, ms);
    const stop = watch.whenOver(end);
  });
}

/** The value of a promise. Undefined if the watch ends first. */
function unlessOver<T>(watch: JournalWatch, given: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = watch.whenOver(() => resolve(undefined));
    given.then(resolve, reject).finally(stop);
  });
}
