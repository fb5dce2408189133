// The messages a query yields, as one union, and the questions code asks of a message it does not
// know yet. A newer CLI may send types and fields not listed here: the guards look only at what
// they name and nothing is ever refused for being unknown.
import type {
  SDKAssistantMessage,
  SDKConversationResetMessage,
  SDKPartialAssistantMessage,
  SDKPromptSuggestionMessage,
  SDKToolProgressMessage,
  SDKToolUseSummaryMessage,
  SDKUserMessage,
  SDKUserMessageReplay,
} from './messages-conversation.js';
import type {
  SDKAuthStatusMessage,
  SDKElicitationCompleteMessage,
  SDKFilesPersistedEvent,
  SDKInformationalMessage,
  SDKLocalCommandOutputMessage,
  SDKMirrorErrorMessage,
  SDKNotificationMessage,
  SDKPermissionDeniedMessage,
  SDKPluginInstallMessage,
  SDKRateLimitEvent,
} from './messages-notice.js';
import type { SDKResultMessage } from './messages-result.js';
import type {
  SDKAPIRetryMessage,
  SDKCommandsChangedMessage,
  SDKCompactBoundaryMessage,
  SDKControlRequestProgressMessage,
  SDKMemoryRecallMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKSessionStateChangedMessage,
  SDKSessionWritesLostMessage,
  SDKStatusMessage,
  SDKSystemMessage,
  SDKThinkingTokensMessage,
  SDKWorkerShuttingDownMessage,
} from './messages-system.js';
import type {
  SDKBackgroundTasksChangedMessage,
  SDKHookProgressMessage,
  SDKHookResponseMessage,
  SDKHookStartedMessage,
  SDKTaskNotificationMessage,
  SDKTaskProgressMessage,
  SDKTaskStartedMessage,
  SDKTaskUpdatedMessage,
} from './messages-task.js';

export type * from './message-values.js';
export type * from './messages-conversation.js';
export type * from './messages-notice.js';
export type * from './messages-result.js';
export type * from './messages-system.js';
export type * from './messages-task.js';

/** Everything a query yields. Narrow it by `type`, then by `subtype`; have a default branch for what is newer. */
export type SDKMessage =
  | SDKAssistantMessage
  | SDKUserMessage
  | SDKUserMessageReplay
  | SDKResultMessage
  | SDKSystemMessage
  | SDKPartialAssistantMessage
  | SDKCompactBoundaryMessage
  | SDKStatusMessage
  | SDKAPIRetryMessage
  | SDKControlRequestProgressMessage
  | SDKModelRefusalFallbackMessage
  | SDKModelRefusalNoFallbackMessage
  | SDKLocalCommandOutputMessage
  | SDKHookStartedMessage
  | SDKHookProgressMessage
  | SDKHookResponseMessage
  | SDKPluginInstallMessage
  | SDKToolProgressMessage
  | SDKAuthStatusMessage
  | SDKTaskStartedMessage
  | SDKTaskProgressMessage
  | SDKTaskUpdatedMessage
  | SDKTaskNotificationMessage
  | SDKBackgroundTasksChangedMessage
  | SDKThinkingTokensMessage
  | SDKSessionStateChangedMessage
  | SDKWorkerShuttingDownMessage
  | SDKCommandsChangedMessage
  | SDKNotificationMessage
  | SDKFilesPersistedEvent
  | SDKToolUseSummaryMessage
  | SDKMemoryRecallMessage
  | SDKRateLimitEvent
  | SDKElicitationCompleteMessage
  | SDKPermissionDeniedMessage
  | SDKPromptSuggestionMessage
  | SDKMirrorErrorMessage
  | SDKInformationalMessage
  | SDKConversationResetMessage
  | SDKSessionWritesLostMessage;

function hasType(value: unknown, type: string, subtype?: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const message = value as { type?: unknown; subtype?: unknown };
  return message.type === type && (subtype === undefined || message.subtype === subtype);
}

/** Whether a value ends a turn, well or badly. */
export function isResultMessage(value: unknown): value is SDKResultMessage {
  return hasType(value, 'result');
}

/** Whether a value opens a turn with the facts of the session. */
export function isSystemInit(value: unknown): value is SDKSystemMessage {
  return hasType(value, 'system', 'init');
}

/** Whether a value tells that a turn began, waits for someone, or is over. */
export function isSessionStateChanged(value: unknown): value is SDKSessionStateChangedMessage {
  return hasType(value, 'system', 'session_state_changed');
}

/** Whether a value is something the model said. */
export function isAssistantMessage(value: unknown): value is SDKAssistantMessage {
  return hasType(value, 'assistant');
}

/** Whether a value is something said to the model, new or repeated. */
export function isUserMessage(value: unknown): value is SDKUserMessage | SDKUserMessageReplay {
  return hasType(value, 'user');
}
