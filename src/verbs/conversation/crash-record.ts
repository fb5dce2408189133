// The record of the crashes of a conversation's CLI: how many in a row, and what they cost.
import type { CrashedEvent, RestartedEvent } from './conversation-event.js';
import { canRestartAfter, delayBefore, type RestartPolicy } from './restart-policy.js';

/** What is known of a CLI that is ready. */
type ReadyFacts = Pick<RestartedEvent, 'conversation' | 'sessionId' | 'pid'>;

/** The crashes of one conversation's CLI. */
export class CrashRecord {
  readonly #policy: RestartPolicy | undefined;
  /** Crashes without an answered turn in between. */
  #inARow = 0;
  #last: CrashedEvent | undefined;
  /** Of all crashes since the CLI was last ready: they belong to the same restart. */
  #lost: string[] = [];
  #resent: string[] = [];

  constructor(policy: RestartPolicy | undefined) {
    this.#policy = policy;
  }

  /** Milliseconds until the restart that follows this end of the CLI; undefined when none does. */
  delayAfter(error: unknown): number | undefined {
    if (this.#policy === undefined || !canRestartAfter(error)) return undefined;
    return delayBefore(this.#inARow + 1, this.#policy);
  }

  note(facts: Omit<CrashedEvent, 'type' | 'attempt'>): CrashedEvent {
    this.#inARow += 1;
    this.#lost.push(...facts.lost);
    this.#resent.push(...facts.resent);
    this.#last = { type: 'crashed', attempt: this.#inARow, ...facts };
    return this.#last;
  }

  /** The CLI is ready: the event that says so, with what it recovered from if it had crashed. */
  recover(facts: ReadyFacts): RestartedEvent | ({ type: 'ready' } & ReadyFacts) {
    const last = this.#last;
    if (!last) return { type: 'ready', ...facts };
    const [lost, resent] = [this.#lost, this.#resent];
    this.#last = undefined;
    this.#lost = [];
    this.#resent = [];
    return { type: 'restarted', error: last.error, attempt: last.attempt, lost, resent, ...facts };
  }

  /** A turn was answered. */
  reset(): void {
    this.#inARow = 0;
  }
}
