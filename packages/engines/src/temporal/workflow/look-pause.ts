// How long a turn with pending calls waits until an attempt looks after them. Each look starts a CLI and adds to the history, so the
// pause doubles while nothing happens. The code of workflows imports nothing, so it does not use the pauses of `back-off.ts`.
import type { AwaitedCall } from '@inboard/durable/attempt/open-calls.js';

const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;

/** One per turn and run of the workflow. */
export class LookPause {
  readonly #firstMs: number;
  #ms: number;
  #callKeys = '';

  constructor(firstMs = FIRST_MS) {
    this.#firstMs = Math.max(1, firstMs);
    this.#ms = this.#firstMs;
  }

  /** Milliseconds until the next look. It is the first pause again when the turn waits for other calls than before. */
  next(pending: readonly AwaitedCall[]): number {
    const callKeys = JSON.stringify(pending.map(({ callKey }) => callKey));
    if (callKeys !== this.#callKeys) this.reset();
    this.#callKeys = callKeys;
    const ms = this.#ms;
    this.#ms = Math.max(this.#firstMs, Math.min(ms * 2, LONGEST_MS));
    return ms;
  }

  /** A wake or an answer has come. */
  reset(): void {
    this.#ms = this.#firstMs;
  }
}
