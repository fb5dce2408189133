// Owns the claim of a completion to the calls of its session: waits until no other process has it, renews it, and gives it up.
import { LaunchError } from '../../../errors.js';
import { clock } from '../../../util/system/clock.js';
import type { CallClaim, CallRecords } from '../../../wire/protocol/config/call-records.js';
import type { Patience } from './patience.js';

/** How long a claim lasts. It is renewed after each third of this time. */
const CLAIM_MS = 30_000;
const LOOK_EVERY_MS = 100;

interface CompletionClaimInput {
  readonly records: CallRecords;
  /** The name of this process in the claim. */
  readonly owner: string;
  readonly patience: Patience;
  /** Called when another process has taken the claim over. */
  readonly onLost: () => void;
}

/** One per completion. */
export class CompletionClaim {
  readonly #input: CompletionClaimInput;
  #claim: CallClaim | undefined;
  #renewing: NodeJS.Timeout | undefined;

  constructor(input: CompletionClaimInput) {
    this.#input = input;
  }

  /** Takes the claim, and renews it until `release`. Rejects once the session is closed or the turn is stopped. */
  async take(): Promise<CallClaim> {
    const { patience } = this.#input;
    for (;;) {
      const claim = await patience.try(() => this.#ask());
      if ('release' in claim) {
        this.#claim = claim;
        this.#renewing = clock.setInterval(() => void this.#renew(claim), CLAIM_MS / 3);
        return claim;
      }
      await patience.pause(LOOK_EVERY_MS);
    }
  }

  /** Gives up the claim: another process may complete the calls of the session. Never rejects. */
  async release(): Promise<void> {
    clock.clearInterval(this.#renewing);
    const claim = this.#claim;
    this.#claim = undefined;
    await claim?.release().catch(() => {});
  }

  async #ask(): ReturnType<CallRecords['claim']> {
    const { records, owner, patience } = this.#input;
    // A turn that was stopped before this is still completed, so that its transcript says so.
    const signal = patience.isInterrupted ? patience.ending : patience.signal;
    const claim = await records.claim({ owner, ttlMs: CLAIM_MS });
    // The completion has ended while the claim was being taken.
    if (signal.aborted && 'release' in claim) await claim.release();
    return claim;
  }

  async #renew(claim: CallClaim): Promise<void> {
    // A store that fails for a moment is asked again before anything is written.
    const isHeld = await claim.renew().catch(() => true);
    if (!isHeld) this.#input.onLost();
  }
}

/** The error for a session that another process has. `who` ends the sentence that says which. */
export function refuseRunning(sessionId: string, who: string): LaunchError {
  const message =
    `The session ${sessionId} cannot be continued here, because it is continued elsewhere: ${who}. ` +
    'Wait until that has ended, and open the session again.';
  return new LaunchError('SESSION_RUNNING', message, { retryable: true });
}
