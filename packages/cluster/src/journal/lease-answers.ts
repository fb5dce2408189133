// Types about leases: the journal's answers, and the report of a worker that gives a lease back. They belong to the contract in
// `journal.ts`.
import type { LeaseLoss } from '@inboard/core/errors.js';
import type { ConversationRecord, Fence } from './records.js';

/** Whether a lease was granted. */
export type LeaseAnswer =
  | {
      state: 'granted';
      fence: Fence;
      conversation: ConversationRecord;
      /**
       * Milliseconds since the previous lease expired. Undefined if it was released, or there was none. `stats().takeovers`
       * counts the leases that expired and were taken over.
       */
      takenOverAfterMs?: number | undefined;
    }
  /** A worker has the lease for at least `forMs` milliseconds more. */
  | { state: 'held'; owner: string; forMs: number }
  /** There is nothing to do, or the current turn is parked. `afterMs` is the time until the next turn may begin. */
  | { state: 'idle'; afterMs?: number | undefined }
  /** The next turn must wait. For a turn that was cut off, or was parked and answered, a lease is granted nevertheless. */
  | { state: 'paused'; forMs: number; reason: string }
  | { state: 'unknown' };

/** A running turn whose lease is released. */
export interface LeftTurn {
  turn: string;
  /** The turn's cost in this lease, in US dollars. It is counted now. */
  turnCostUsd: number;
  /**
   * Whether something went wrong with the turn, so that this lease counts as a try. If the turn is handed over properly (the
   * default), its `tries` are lowered by one.
   */
  failed?: boolean | undefined;
  /**
   * Whether the turn was cut off, because its worker had lost the lease. It then goes first, like a turn whose lease expired,
   * even with `failed`.
   */
  cutOff?: boolean | undefined;
  /** Milliseconds from now. No worker continues the turn earlier: `due` and `lease` treat it like a turn with `notBefore`. */
  afterMs?: number | undefined;
}

/** The result of renewing a lease. */
export interface RenewedLease {
  key: string;
  epoch: number;
  /** False if the lease is lost for good. */
  held: boolean;
  /**
   * True if the lease is still held but was not renewed, because another transaction has its conversation locked. Its end stays
   * as it was, and the worker soon asks for its renewal again. A journal may never set this.
   */
  skipped?: boolean | undefined;
  /** Why it is lost, if the journal knows. Default `taken`. */
  why?: Exclude<LeaseLoss, 'locked' | 'unreachable'> | undefined;
  /** Whether `next` would return a turn that this lease has not worked on yet, once the current one is finished. */
  hasWork: boolean;
  /** The running turn that should be ended. */
  stop?: string | undefined;
}
