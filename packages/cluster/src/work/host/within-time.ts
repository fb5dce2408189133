// Limits the time of work that may hang: requests over a dead connection, and the user's code. The caller goes on, and may ask
// again later.
import { ClusterError } from '@inboard/core/errors.js';
import { clock } from '@inboard/core/util/system/clock.js';

/** The value of a promise. Rejects after a time limit, by default with JOURNAL_UNAVAILABLE. */
export async function withinTime<T>(
  waiting: Promise<T>,
  ms: number,
  createError: () => Error = () =>
    new ClusterError('JOURNAL_UNAVAILABLE', `The journal did not answer within ${ms} ms.`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = clock.setTimeout(() => reject(createError()), ms);
  });
  try {
    return await Promise.race([waiting, late]);
  } finally {
    clock.clearTimeout(timer);
  }
}
