// What a step returns, with all that its turn waits for.
import type { PendingCall } from '@inboard/core/calls/pending/calls.js';
import type { ClusterApproval, TurnOutcome } from './journal/records.js';
import type { StepObstacle, SteppedTurn } from './work/host/work-options.js';

/** A pending call, with the conversation it belongs to. */
export interface ClusterPendingCall extends PendingCall {
  conversation: string;
  tenant?: string;
}

/** How a step ended. `turns` has the turns that ended in it. */
export type StepOutcome =
  /** There is nothing left to do now. `outcome` is that of the wanted turn, or of the last one that ended. */
  | { state: 'ended'; outcome: TurnOutcome; turns: SteppedTurn[] }
  /**
   * The turn `turn` waits for people or for pending calls, and no process works on it. Make the next step once a question is answered
   * or a call is completed. `turnCostUsd` is what the turn has cost so far.
   */
  | {
      state: 'waiting';
      turn: string;
      questions: ClusterApproval[];
      pending: ClusterPendingCall[];
      turnCostUsd: number;
      turns: SteppedTurn[];
    }
  /** The conversation cannot be worked on before `until`, in milliseconds since 1970. `why` says what is in the way. */
  | { state: 'busy'; until: number; why: StepObstacle; turns: SteppedTurn[] }
  /** Another process has taken the conversation, because this one did not renew its lease in time. */
  | { state: 'lost'; turns: SteppedTurn[] }
  /** There was nothing to do. */
  | { state: 'idle' }
  /** There is no such conversation, or no such turn. */
  | { state: 'unknown' };
