// How an attempt ends.
import type { ApprovalQuestion } from '@inboard/core/answer/permissions/approvals/approval.js';
import type { AttemptOutcome } from './attempt-outcome.js';
import type { AwaitedCall } from './open-calls.js';

/** How an attempt ended, as plain JSON. */
export type AttemptEnd =
  /** The turn is over. */
  | { state: 'ended'; outcome: AttemptOutcome }
  /**
   * The turn waits for people or for pending calls, and no process works on it. Make the next attempt when there are answers, or
   * when a pending call is completed. `turnCostUsd` is what this attempt cost.
   */
  | { state: 'waiting'; questions: ApprovalQuestion[]; pending: AwaitedCall[]; turnCostUsd: number }
  /** The conversation cannot be taken yet. `until` is when to try again, in milliseconds since 1970. */
  | { state: 'busy'; until: number }
  /** A newer attempt has taken the conversation. This one wrote nothing since then. */
  | { state: 'lost' };
