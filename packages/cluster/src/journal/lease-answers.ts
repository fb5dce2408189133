// The types of a journal's answers about leases, and of what it is told when a lease is given back. They belong to the contract
// in `journal.ts`.
import type { LeaseLoss } from '@inboard/core/errors.js';
import type { ConversationRecord, Fence } from './records.js';

/** Whether a lease was granted. */
export type LeaseAnswer =
  | {
      state: 'granted';
      fence: Fence;
      conversation: ConversationRecord;
      /**
       * Milliseconds since the previous lease expired; undefined if it was released, or there was none. `stats().takeovers`
       * counts the leases that expired and were taken over.
       */
      takenOverAfterMs?: number | undefined;
    }
  /** A worker has it, for at least this long. */
  | { state: 'held'; owner: string; forMs: number }
  /** There is nothing to do, or the current turn is parked. `afterMs` is the time until the next turn may begin. */
  | { state: 'idle'; afterMs?: number | undefined }
  /** The next turn must wait. A turn that was cut off, or was parked and answered, is granted nevertheless. */
  | { state: 'paused'; forMs: number; reason: string }
  | { state: 'unknown' };

/** A running turn whose lease is released. */
export interface LeftTurn {
  turn: string;
  /** What it cost in this lease, in US dollars; counted now. */
  costUsd: number;
  /**
   * Whether something went wrong with it, so that it counts as a try. If it is handed over properly (the default), its `tries`
   * are lowered by one.
   */
  failed?: boolean | undefined;
  /**
   * Whether it was cut off, because its worker had lost the lease: it goes first, like a turn whose lease expired, even with
   * `failed`.
   */
  cutOff?: boolean | undefined;
  /** Milliseconds from now before which no worker continues it: `due` and `lease` treat it like a turn with `notBefore`. */
  afterMs?: number | undefined;
}

/** The result of renewing a lease. */
export interface RenewedLease {
  key: string;
  epoch: number;
  /** False if it is lost for good. */
  held: boolean;
  /**
   * True if it is still held but was not renewed, because another transaction has its conversation locked. Its end stays as it
   * was, and the worker asks for it again soon. A journal that renews everything it reports as held never sets this.
   */
  skipped?: boolean | undefined;
  /** Why it is lost, if the journal knows. Default `taken`. */
  why?: Exclude<LeaseLoss, 'locked' | 'unreachable'> | undefined;
  /** Whether `next` would return a turn that this lease has not worked on yet, if the current one were finished. */
  hasWork: boolean;
  /** The running turn that should be ended. */
  stop?: string | undefined;
}
