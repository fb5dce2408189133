// Waits as other tests do, but longer: several real CLIs start side by side, and each needs a processor for seconds.
import { waitUntil as waitShortly } from '../../support/wait-until.js';

/** Resolves when `predicate` holds; throws with `what` when it does not within `deadlineMs`. */
export async function waitUntil(
  predicate: () => boolean | Promise<boolean>,
  deadlineMs = 60_000,
  what: string = predicate.toString(),
): Promise<void> {
  await waitShortly(predicate, deadlineMs, what);
}
