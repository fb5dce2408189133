// The pending calls that a conversation under a lease waits for. They are kept in the journal, and completed from any process.
// This file knows which of them are open, so that the turn can be parked while nothing else happens in it.
import { AbortError, PermissionUnavailableError } from '@inboard/core/errors.js';
import { foldFacts, isOpenPending } from '@inboard/core/record/calls/fold-facts.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { CallFact, RecordedResult } from '@inboard/core/wire/protocol/config/call-records.js';
import { NO_RESULT } from '../../journal/call-facts.js';
import type { Journal } from '../../journal/journal.js';
import { pendingIdOf, type JournalAnswer, type NewJournalQuestion } from '../../journal/journal-question.js';
import type { ChangeHub } from '../host/change-hub.js';
import type { HeldLease } from '../host/held-lease.js';
import type { SessionTurns } from './session-turns.js';

export interface PendingWaitsInput {
  journal: Journal;
  lease: HeldLease;
  hub: ChangeHub;
  turns: SessionTurns;
}

/** The pending calls of one lease. A session that ends calls `leave`. */
export class PendingWaits {
  readonly #input: PendingWaitsInput;
  /** The calls whose handlers returned `pending()` in this process, and that the CLI waits for. */
  readonly #live = new Map<string, Deferred<JournalAnswer | undefined>>();
  /** The calls that a completion without a CLI waits for, as it read them last. */
  #completing: ReadonlySet<string> = new Set();
  #watchers = 0;
  /** Set while answers are held back. */
  #held: Deferred<void> | undefined;

  constructor(input: PendingWaitsInput) {
    this.#input = input;
  }

  /** The ids of the questions that keep the places of the results. */
  get open(): string[] {
    const completing = this.#watchers > 0 ? this.#completing : [];
    return [...new Set([...this.#live.keys(), ...completing])];
  }

  /**
   * Stores a pending call, and resolves with its result. `onStored` is called once it can be completed. Rejects if the turn
   * ends, or is left, before there is a result.
   */
  async wait(question: NewJournalQuestion, onStored: () => void): Promise<RecordedResult> {
    const { journal, lease, hub, turns } = this.#input;
    const { fence } = lease;
    const { id } = question;
    const known = this.#live.get(id);
    const answered = known ?? createQuietDeferred<JournalAnswer | undefined>();
    if (!known) this.#live.set(id, answered);
    let isStored = false;
    const look = async (): Promise<void> => {
      const wasStored = isStored;
      // Each hint comes once and leads to one read. So this read is retried until the journal answers.
      const [kept] = await lease.write(() => journal.questions({ id, answered: true }));
      // A question goes with its turn. Then no result is taken any more. But the hint may tell that an earlier question of this
      // call was withdrawn, and be read before the new one is stored.
      if (kept?.answer || (!kept && wasStored)) answered.resolve(kept?.answer);
    };
    const forget = hub.on(fence.key, (kind) => {
      if (kind === undefined || kind === 'answer') look().catch((error: unknown) => answered.reject(error));
    });
    try {
      const given = await lease.write(() => journal.ask(fence, turns.turnId(), question));
      isStored = true;
      if (given) answered.resolve(given);
      else {
        onStored();
        turns.review();
      }
      const answer = await answered.promise;
      await this.#held?.promise;
      if (!answer) throw new AbortError('The turn of the pending call has ended');
      return answer.ended ?? NO_RESULT;
    } finally {
      forget();
      this.#live.delete(id);
      turns.review();
    }
  }

  /** Notes which calls a completion without a CLI finds pending. */
  note(facts: readonly CallFact[]): void {
    const open = foldFacts(facts).list().filter(isOpenPending);
    this.#completing = new Set(open.map(({ callKey }) => pendingIdOf(callKey)));
    if (this.#watchers > 0) this.#input.turns.review();
  }

  /** Calls `onChange` when a pending call may have its result. A completion watches as long as it waits for one. */
  watch(onChange: () => void): () => void {
    const { hub, lease, turns } = this.#input;
    this.#watchers += 1;
    turns.review();
    const forget = hub.on(lease.fence.key, (kind) => {
      // While the turn is being parked, the worker that continues it finds the result.
      if (!this.#held && (kind === undefined || kind === 'answer')) onChange();
    });
    return () => {
      forget();
      this.#watchers -= 1;
      turns.review();
    };
  }

  /** Holds results back while the turn is being parked. */
  hold(): void {
    this.#held ??= createQuietDeferred();
  }

  /** Lets results through again, because the turn was not parked. */
  goOn(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** Ends all waiting in this process, because the session is over. The calls stay pending in the journal. */
  leave(): void {
    const gone = new PermissionUnavailableError('The turn is left', { retryAfterMs: Infinity });
    for (const answered of this.#live.values()) answered.reject(gone);
    this.#held?.reject(gone);
    this.#held = undefined;
  }
}
