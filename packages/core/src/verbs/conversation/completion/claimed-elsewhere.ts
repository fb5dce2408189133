// Finds out that another process has the claim to a session's calls and keeps it, for instance because a person is being asked
// there. A caller that cannot wait for that process then refuses its own work.
import type { LaunchError } from '../../../errors.js';
import { sleep } from '../../../util/timers.js';
import { clock } from '../../../util/system/clock.js';
import { nameThisProcess } from '../../../wire/process/process-name.js';
import { refuseRunning } from './completion-claim.js';
import { findRecordsToRead, type UnfinishedTurnInput } from './read-unfinished-turn.js';

/** How often to look, in milliseconds. */
const LOOK_EVERY_MS = 500;
/** How long a look may hold the claim, if its process dies just then. */
const CLAIM_MS = 1000;

/** How long to wait, and until when. */
export interface ClaimedElsewhereInput extends UnfinishedTurnInput {
  /** How long another process has to hold the claim, in milliseconds. */
  readonly afterMs: number;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/**
 * Resolves with the error that says so, once another process has held the claim for `afterMs`. Resolves with undefined once the
 * signal aborts. Rejects with the error of the records.
 */
export async function awaitClaimedElsewhere({
  afterMs,
  signal,
  ...session
}: ClaimedElsewhereInput): Promise<LaunchError | undefined> {
  const found = await findRecordsToRead(session);
  if (!found) return undefined;
  const own = nameThisProcess();
  let since: number | undefined;
  try {
    for (;;) {
      await sleep(LOOK_EVERY_MS);
      if (signal.aborted) return undefined;
      // Only an attempt to take the claim tells who has it.
      const claim = await found.records.claim({ owner: `${own} looks`, ttlMs: CLAIM_MS });
      if ('release' in claim) await claim.release();
      const isElsewhere = !('release' in claim) && !claim.heldBy.startsWith(own);
      since = isElsewhere ? (since ?? clock.performance.now()) : undefined;
      if (since !== undefined && clock.performance.now() - since >= afterMs)
        return refuseRunning(session.sessionId, 'another process has the claim to its calls');
    }
  } finally {
    await found.close();
  }
}
