// The union of all messages that a query yields, and guards that tell them apart. A newer CLI may send types and fields
// that are not listed here. So a guard checks only the type and subtype of its message.
import { isRecord } from '../../../util/guards.js';
import type * as Conversation from './messages-conversation.js';
import type * as Model from './messages-model.js';
import type * as Notice from './messages-notice.js';
import type * as Result from './messages-result.js';
import type * as System from './messages-system.js';
import type * as Task from './messages-task.js';

export type * from './message-values.js';
export type * from './messages-conversation.js';
export type * from './messages-model.js';
export type * from './messages-notice.js';
export type * from './messages-result.js';
export type * from './messages-system.js';
export type * from './messages-task.js';

/** Everything that a query yields. Narrow it by `type`, then by `subtype`, and have a default branch for newer messages. */
export type SDKMessage =
  | Conversation.SDKAssistantMessage
  | Conversation.SDKUserMessage
  | Conversation.SDKUserMessageReplay
  | Result.SDKResultMessage
  | System.SDKSystemMessage
  | Conversation.SDKPartialAssistantMessage
  | Model.SDKCompactBoundaryMessage
  | System.SDKStatusMessage
  | Model.SDKAPIRetryMessage
  | System.SDKControlRequestProgressMessage
  | Model.SDKModelRefusalFallbackMessage
  | Model.SDKModelRefusalNoFallbackMessage
  | Notice.SDKLocalCommandOutputMessage
  | Task.SDKHookStartedMessage
  | Task.SDKHookProgressMessage
  | Task.SDKHookResponseMessage
  | Notice.SDKPluginInstallMessage
  | Conversation.SDKToolProgressMessage
  | Notice.SDKAuthStatusMessage
  | Task.SDKTaskStartedMessage
  | Task.SDKTaskProgressMessage
  | Task.SDKTaskUpdatedMessage
  | Task.SDKTaskNotificationMessage
  | Task.SDKBackgroundTasksChangedMessage
  | Model.SDKThinkingTokensMessage
  | System.SDKSessionStateChangedMessage
  | System.SDKWorkerShuttingDownMessage
  | System.SDKCommandsChangedMessage
  | Notice.SDKNotificationMessage
  | Notice.SDKFilesPersistedEvent
  | Conversation.SDKToolUseSummaryMessage
  | Model.SDKMemoryRecallMessage
  | Notice.SDKRateLimitEvent
  | Notice.SDKElicitationCompleteMessage
  | Notice.SDKPermissionDeniedMessage
  | Conversation.SDKPromptSuggestionMessage
  | Notice.SDKMirrorErrorMessage
  | Notice.SDKInformationalMessage
  | Conversation.SDKConversationResetMessage
  | System.SDKSessionWritesLostMessage;

function hasType(value: unknown, type: string, subtype?: string): boolean {
  return isRecord(value) && value['type'] === type && (subtype === undefined || value['subtype'] === subtype);
}

/** Whether a value is the `result` message that ends a turn, successful or not. */
export function isResultMessage(value: unknown): value is Result.SDKResultMessage {
  return hasType(value, 'result');
}

/** Whether a value is the `init` message that opens a turn with the facts of the session. */
export function isSystemInit(value: unknown): value is System.SDKSystemMessage {
  return hasType(value, 'system', 'init');
}

/** Whether a value says that a turn began, waits for a user, or is over. */
export function isSessionStateChanged(value: unknown): value is System.SDKSessionStateChangedMessage {
  return hasType(value, 'system', 'session_state_changed');
}

/** Whether a value is an `assistant` message: output of the model. */
export function isAssistantMessage(value: unknown): value is Conversation.SDKAssistantMessage {
  return hasType(value, 'assistant');
}

/** Whether a value is a `user` message: input of the model, new or replayed. */
export function isUserMessage(
  value: unknown,
): value is Conversation.SDKUserMessage | Conversation.SDKUserMessageReplay {
  return hasType(value, 'user');
}
