// The end of a dispatcher: its workers are closed. A handler that ignores its signal does not hold up the end for ever.
import { clock } from '@inboard/core/util/system/clock.js';
import type { DispatcherWork } from './dispatcher.js';

/** How long the end of a dispatcher waits for handlers. */
const PATIENCE_MS = 5_000;

/** Closes workers; resolves when their handlers have ended, or after five seconds. */
export async function endWork(works: Iterable<DispatcherWork>): Promise<void> {
  await waitAtMost(Promise.allSettled(Array.from(works, (work) => work.close())), PATIENCE_MS);
}

/** Resolves when something has ended well or badly, or after some milliseconds; true when it has ended. */
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
