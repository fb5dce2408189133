// The state of a conversation, and what happens to it besides its messages.
import type { CompletedCall } from '../../wire/protocol/messages/completed-call.js';

/**
 * Whether a session has a CLI. `restarting`: the next one will start soon. `suspended`: none starts until it is needed.
 * `waiting`: a turn waits without a CLI, for people, pending calls or detached tools. One starts when nothing waits any more.
 */
export type SessionState =
  | 'starting'
  | 'ready'
  | 'restarting'
  | 'suspending'
  | 'suspended'
  | 'waiting'
  | 'closed';

/** What a turn waits for without a CLI: an answer of a person, the result of a pending call, or a detached tool. */
export type WaitReason = 'person' | 'pending' | 'detached';

/** The CLI ended unexpectedly. It is started again after `delayMs`. */
export interface CrashedEvent {
  type: 'crashed';
  /** How the CLI ended; undefined for a CLI that exited with code 0 while it had nothing to do. */
  error: unknown;
  /** Which restart in a row this will be, from 1. */
  attempt: number;
  delayMs: number;
  /** Ids of the messages whose turns were cut off and failed. */
  lost: readonly string[];
  /** Ids of the messages that are sent again, or whose turns are continued. */
  resent: readonly string[];
}

/** The CLI that replaces the crashed one is ready. The inherited fields describe the crash. */
export interface RestartedEvent extends Omit<CrashedEvent, 'type' | 'delayMs'> {
  type: 'restarted';
  /** `new` when there was nothing to resume. The model remembers nothing then. */
  conversation: 'resumed' | 'new';
  sessionId: string | undefined;
  pid: number | undefined;
}

/** Something that happened to the session as a whole. */
export type SessionEvent =
  | { type: 'ready'; conversation: 'resumed' | 'new'; sessionId: string | undefined; pid: number | undefined }
  | CrashedEvent
  | RestartedEvent
  /** Calls that were cut off with a CLI or its host got their results before the turn went on. */
  | { type: 'completed'; calls: readonly CompletedCall[] }
  /**
   * The CLI was ended to save memory, with its background tasks (`endedTasks`). The next message resumes the conversation.
   * With `waitsFor`, a turn waits and goes on by itself.
   */
  | { type: 'suspended'; endedTasks?: number; waitsFor?: readonly WaitReason[] }
  /** The last event. `error` is the failure that ended the session; undefined without one. */
  | { type: 'closed'; error?: unknown };
