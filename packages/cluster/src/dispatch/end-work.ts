// Ends the workers of a dispatcher, and waits a limited time for handlers that ignore their signal.
import { clock } from '@inboard/core/util/system/clock.js';
import type { DispatcherWork } from './dispatcher.js';

/** How long the end of a dispatcher waits for handlers. */
const PATIENCE_MS = 5_000;

/** Closes workers. Resolves when their handlers have ended, or after five seconds. */
export async function endWork(works: Iterable<DispatcherWork>): Promise<void> {
  await waitAtMost(Promise.allSettled(Array.from(works, (work) => work.close())), PATIENCE_MS);
}

/** Resolves when a promise has settled, or after some milliseconds. True if it has settled. */
export async function waitAtMost(ending: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = clock.setTimeout(() => resolve(false), ms);
  });
  const ended = ending.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    clock.clearTimeout(timer);
  }
}
