// What a completion of calls that were cut off did: what became of each call, and which results are in the transcript now.
import type { CompletedCall } from '../../../wire/protocol/messages/completed-call.js';
import type { PermissionResult } from '../../../wire/protocol/control/permission-question.js';

/** A result as the CLI finds it in its transcript. */
export interface WrittenResult {
  /** The id that the model gave the call. */
  readonly toolUseId: string;
  /** The id of the transcript entry. */
  readonly uuid: string;
  /** The block that is sent to the model. */
  readonly block: Record<string, unknown>;
  readonly toolUseResult: unknown;
}

/** What a completion did. */
export interface Completion {
  readonly calls: readonly CompletedCall[];
  /** The results that were written, in order. */
  readonly written: readonly WrittenResult[];
  /** Whether the turn ends, because an answer or a hook asked for that or because the turn was interrupted. */
  readonly isStopped: boolean;
  /** Answers about calls that the CLI has to make again, by the keys of the calls. */
  readonly allowed: ReadonlyMap<string, PermissionResult>;
}

/** For a turn that has no calls to complete. */
export const NOTHING_COMPLETED: Completion = { calls: [], written: [], isStopped: false, allowed: new Map() };
/** For a turn that was stopped before anything could be written. */
export const STOPPED_BEFORE: Completion = { ...NOTHING_COMPLETED, isStopped: true };
