// The types of the events with which a worker reports its work, for logs, metrics and tests.
import type { LeaseLoss } from '@inboard/core/errors.js';
import type { CompletionKind } from '@inboard/core/wire/protocol/messages/completed-call.js';
import type { TurnOutcome } from '../../journal/records.js';

/** What a worker did, or what happened to it. */
export type WorkerEvent = { at: number; worker: string } & (
  | { type: 'started' | 'draining' | 'ended' }
  | { type: 'leased'; key: string; epoch: number; takenOverAfterMs?: number | undefined }
  | { type: 'lost'; key: string; epoch: number; why: LeaseLoss }
  /**
   * A lease was given back. After `lost`, this comes once the journal answers again, so that no worker has to wait until the
   * lease expires.
   */
  | { type: 'released'; key: string; epoch: number }
  /** `how`: the turn was begun, was continued where another attempt was cut off, or was found finished. */
  | {
      type: 'turn-started';
      key: string;
      turn: string;
      attempt: number;
      how: 'new' | 'continued' | 'found';
      queuedMs: number;
    }
  | { type: 'turn-ended'; key: string; turn: string; outcome: TurnOutcome }
  | { type: 'turn-parked'; key: string; turn: string; questions: number }
  | { type: 'turn-handed-over'; key: string; turn: string }
  /**
   * The turn begins to wait, because running turns have reserved what is left of a budget, or it waits for another budget now.
   * `reason` names the budget. Once one of them has ended, `turn-started` follows.
   */
  | { type: 'turn-waiting'; key: string; turn: string; reason: string }
  /**
   * The model made a call that was begun before. `answer`: its recorded result was used, it was run again, or the model was
   * told that its outcome is unknown.
   */
  | {
      type: 'call-repeated';
      key: string;
      turn: string;
      toolName: string;
      callKey: string;
      answer: 'recorded' | 'run' | 'unknown';
    }
  /**
   * What became of a call that was cut off, before the turn went on. If it was `allowed` and `how` is `notRun` or `unknown`, a
   * person wanted something that has not happened, or may not have happened. `delivered`: the model was told.
   */
  | {
      type: 'call-completed';
      key: string;
      turn: string;
      toolName: string;
      callKey: string;
      how: CompletionKind;
      allowed?: boolean | undefined;
      delivered: boolean;
      reason?: string | undefined;
    }
  | { type: 'paused'; tenant?: string | undefined; ms: number; reason: string }
  /** Something failed and is retried automatically. */
  | {
      type: 'trouble';
      key?: string | undefined;
      where: 'journal' | 'dispatcher' | 'agent' | 'cli';
      error: unknown;
    }
);
