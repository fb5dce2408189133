// Waits for a promise, but not for ever. Late results are ignored, and so are late failures.
import { clock } from './system/clock.js';

/** How a promise stood when the waiting ended. */
export type SettledInTime<T> =
  { state: 'done'; value: T } | { state: 'failed'; error: unknown } | { state: 'late' };

/** Waits at most so many milliseconds. Never rejects. */
export async function settleInTime<T>(waiting: Promise<T>, ms: number): Promise<SettledInTime<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<SettledInTime<T>>((resolve) => {
    timer = clock.setTimeout(() => resolve({ state: 'late' }), ms);
  });
  const settled = waiting.then(
    (value): SettledInTime<T> => ({ state: 'done', value }),
    (error: unknown): SettledInTime<T> => ({ state: 'failed', error }),
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clock.clearTimeout(timer);
  }
}
