// The crashes of a session's CLI since it last answered, and what is told of them.
import type { CrashedEvent, RestartedEvent } from './conversation-event.js';

/** Everything of a restart that its crash tells. */
export type Recovery = Omit<RestartedEvent, 'conversation' | 'sessionId' | 'pid'>;

/** One per session. */
export class CrashRecord {
  #inARow = 0;
  #last: CrashedEvent | undefined;
  /** Of all crashes since the CLI was last ready: those before belong to the same restart. */
  #lost: string[] = [];
  #resent: string[] = [];

  /** Crashes without an answered turn in between. */
  get inARow(): number {
    return this.#inARow;
  }

  note(facts: Omit<CrashedEvent, 'type' | 'attempt'>): CrashedEvent {
    this.#inARow += 1;
    this.#lost.push(...facts.lost);
    this.#resent.push(...facts.resent);
    this.#last = { type: 'crashed', attempt: this.#inARow, ...facts };
    return this.#last;
  }

  /** The CLI is ready: what it recovered from, if it was from a crash. */
  recover(): Recovery | undefined {
    const last = this.#last;
    if (!last) return undefined;
    const [lost, resent] = [this.#lost, this.#resent];
    this.#last = undefined;
    this.#lost = [];
    this.#resent = [];
    return { type: 'restarted', error: last.error, attempt: last.attempt, lost, resent };
  }

  /** A turn was answered. */
  reset(): void {
    this.#inARow = 0;
  }
}
