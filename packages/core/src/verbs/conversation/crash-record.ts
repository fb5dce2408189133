// Records the crashes of a conversation's CLI: how many in a row, and what they cost. Emits an event for each crash and
// restart.
import type { CrashedEvent, RestartedEvent } from './conversation-event.js';
import type { ConversationParts } from './conversation-parts.js';
import { canRestartAfter, delayBefore } from './restart-policy.js';

/** What is known of a CLI that is ready. */
type ReadyFacts = Pick<RestartedEvent, 'conversation' | 'sessionId' | 'pid'>;

/** The crashes of one conversation's CLI. */
export class CrashRecord {
  readonly #parts: Pick<ConversationParts, 'restart' | 'emit' | 'warnings'>;
  /** Crashes without an answered turn in between. */
  #inARow = 0;
  #last: CrashedEvent | undefined;
  /** The messages that were lost, and those sent again, in all crashes since the CLI was last ready. One event reports them. */
  #lost: string[] = [];
  #resent: string[] = [];

  constructor(parts: Pick<ConversationParts, 'restart' | 'emit' | 'warnings'>) {
    this.#parts = parts;
  }

  /** Milliseconds until the restart that follows this end of the CLI; undefined when none does. */
  delayAfter(error: unknown): number | undefined {
    const { restart } = this.#parts;
    if (restart === undefined || !canRestartAfter(error)) return undefined;
    return delayBefore(this.#inARow + 1, restart);
  }

  /** Notes a crash after which the CLI will be started again. */
  note(facts: Omit<CrashedEvent, 'type' | 'attempt'>): void {
    this.#inARow += 1;
    this.#lost.push(...facts.lost);
    this.#resent.push(...facts.resent);
    this.#last = { type: 'crashed', attempt: this.#inARow, ...facts };
    this.#parts.emit(this.#last);
  }

  /** Notes that the CLI is ready. After a crash, this reports the restart. */
  recover(facts: ReadyFacts): void {
    const { emit, warnings, restart } = this.#parts;
    const last = this.#last;
    if (!last) {
      emit({ type: 'ready', ...facts });
      return;
    }
    const { error, attempt } = last;
    const [lost, resent] = [this.#lost, this.#resent];
    this.#last = undefined;
    this.#lost = [];
    this.#resent = [];
    const event: RestartedEvent = { type: 'restarted', error, attempt, lost, resent, ...facts };
    emit(event);
    warnings.call('restart.onRestart', () => restart?.onRestart?.(event));
  }

  /** Notes that a turn was answered. The crashes before it no longer count. */
  reset(): void {
    this.#inARow = 0;
  }
}
