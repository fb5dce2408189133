// Notices that facts were added to the records of a session, by this process or another one.
import type { CallRecords } from '../../wire/protocol/config/call-records.js';
import { clock } from '../../util/system/clock.js';

/** The shortest and the longest time between two looks at records that report no changes. */
const FIRST_LOOK_MS = 500;
const LONGEST_LOOK_MS = 5_000;

/**
 * Calls `look` at once, and again whenever facts may have been added, until the returned function is called. Two calls never
 * overlap. Records that report no changes are looked at more and more rarely, because each look loads all facts. A look that
 * rejects is repeated.
 */
export function watchRecords(records: CallRecords, look: () => Promise<void>): () => void {
  const state = { isOver: false };
  let isLooking = false;
  let isChanged = false;
  let pauseMs = FIRST_LOOK_MS;
  let timer: NodeJS.Timeout | undefined;
  const lookNow = async (): Promise<void> => {
    if (state.isOver) return;
    isChanged = true;
    if (isLooking) return;
    isLooking = true;
    let hasFailed = false;
    while (isChanged && !state.isOver) {
      isChanged = false;
      hasFailed = false;
      await look().catch(() => (hasFailed = true));
    }
    isLooking = false;
    if (stop === undefined || hasFailed) lookLater();
  };
  const lookLater = (): void => {
    if (state.isOver) return;
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void lookNow(), pauseMs);
    pauseMs = Math.min(pauseMs * 1.25, LONGEST_LOOK_MS);
  };
  const stop = records.watch?.(() => void lookNow());
  void lookNow();
  return () => {
    state.isOver = true;
    clock.clearTimeout(timer);
    stop?.();
  };
}
