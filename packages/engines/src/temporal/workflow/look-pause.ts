// How long a turn with pending calls waits until an attempt looks after them. Each look starts a CLI and adds to the history, so the
// pause doubles while nothing happens. The code of workflows imports nothing, so it does not use the pauses of `back-off.ts`.
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';

const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;

/** One per turn and run of the workflow. */
export class LookPause {
  /** How often the pause has doubled. */
  #doubled = 0;
  #callKeys = '';

  /**
   * Milliseconds until the next look, with this first pause. It is the first one again when the turn waits for other calls than before.
   */
  next(pending: readonly AwaitedCall[], firstMs = FIRST_MS): number {
    const callKeys = JSON.stringify(pending.map(({ callKey }) => callKey));
    if (callKeys !== this.#callKeys) this.reset();
    this.#callKeys = callKeys;
    const ms = Math.max(1, firstMs) * 2 ** this.#doubled;
    this.#doubled += 1;
    return Math.max(1, firstMs, Math.min(ms, LONGEST_MS));
  }

  /** A wake or an answer has come. */
  reset(): void {
    this.#doubled = 0;
  }
}
