// A limit for what may hang: questions to a journal whose connection is dead, and code of the user. The caller goes on, and asks
// again later.
import { ClusterError } from '@inboard/core/errors.js';
import { clock } from '@inboard/core/util/system/clock.js';

/** What a promise gives, if it does so within some milliseconds; else rejects, by default with JOURNAL_UNAVAILABLE. */
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
