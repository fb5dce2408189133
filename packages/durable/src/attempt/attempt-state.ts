// The state of one attempt: why it is left before its turn has ended, and whether it may still write.
import { LeaseLostError } from '@inboard/core/errors.js';
import { createQuietDeferred, type Deferred } from '@inboard/core/util/deferred.js';
import type { LedgerFence } from '../ledger/ledger.js';

/**
 * Why an attempt is left: a newer one has the conversation, the turn waits, a person stopped the turn and no CLI can be told so, the
 * caller gave up, or something failed.
 */
export type AttemptLeave =
  | { why: 'lost' }
  | { why: 'waiting' }
  | { why: 'interrupted' }
  | { why: 'aborted'; reason: unknown }
  | { why: 'failed'; error: unknown };

/** One per attempt. */
export class AttemptState {
  readonly fence: LedgerFence;
  readonly #leaving: Deferred<AttemptLeave> = createQuietDeferred();
  #left: AttemptLeave | undefined;
  #isLost = false;
  #failure: { error: unknown } | undefined;

  constructor(fence: LedgerFence) {
    this.fence = fence;
  }

  /** Why the attempt is left. The first of several reasons, except that a lost fence comes before all others. */
  get left(): AttemptLeave | undefined {
    return this.#isLost ? { why: 'lost' } : this.#left;
  }

  /** Resolves once the attempt should be left. */
  get leaving(): Promise<AttemptLeave> {
    return this.#leaving.promise;
  }

  /** Whether the attempt may still write how its turn ended. */
  get mayTell(): boolean {
    const why = this.left?.why;
    return why === undefined || why === 'waiting' || why === 'interrupted';
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  leave(leave: AttemptLeave): void {
    if (leave.why === 'lost') this.#isLost = true;
    if (leave.why === 'failed') this.#failure ??= { error: leave.error };
    this.#left ??= leave;
    this.#leaving.resolve(leave);
  }

  /**
   * Throws unless the attempt may go on. An attempt that is left because it waits may still save what it has, but one that has
   * lost its fence, or whose ledger failed, may not do anything any more.
   */
  demand(): void {
    if (this.#isLost) throw new LeaseLostError(this.fence, { reason: 'taken' });
    if (this.#failure) throw this.#failure.error;
  }
}
