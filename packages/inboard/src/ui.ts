// The entry point `inboard/ui`: serves an agent as a chat to a front end that reads the AI SDK's UI message stream.
import { registerInspector } from '@inboard/core/live/watch/inspect-if-asked.js';
import { openInspector } from './open-inspector.js';
export { toUiStream, type ToUiStreamOptions, type UiSource } from '@inboard/ui/stream/to-ui-stream.js';
export { toUiResponse, type ToUiResponseOptions } from '@inboard/ui/stream/to-ui-response.js';
export type { UiResponseInit } from '@inboard/ui/stream/event-text.js';
export type { UiStreamOptions } from '@inboard/ui/stream/ui-stream-options.js';
export type {
  UiApprovalDescriptor,
  UiChunk,
  UiFinishReason,
  UiJson,
  UiMetadata,
  UiProviderMetadata,
  UiStatus,
  UiUsage,
} from '@inboard/ui/stream/ui-chunk.js';
export { createUiChat, type UiChat } from '@inboard/ui/chat/ui-chat.js';
export type {
  UiChatAccess,
  UiChatOpening,
  UiChatOptions,
  UiInputChange,
} from '@inboard/ui/chat/ui-chat-options.js';
export type { UiChatPlace } from '@inboard/ui/history/chat-place.js';
export type { UiChatAction } from '@inboard/ui/chat/find-route.js';
export type { UiChatState } from '@inboard/ui/chat/open-chat.js';
export type { UiAllowedHosts, UiAllowedOrigins } from '@inboard/ui/chat/request-access.js';
export { toNodeListener, type FetchHandler } from '@inboard/ui/node-listener.js';
export { toUiMessages, type ToUiMessagesOptions } from '@inboard/ui/history/to-ui-messages.js';
export type { UiMessage, UiPart, UiToolPart } from '@inboard/ui/history/ui-message.js';
export type { WebStream } from '@inboard/ui/stream/web-stream.js';

// INBOARD_INSPECT opens the inspector for sessions that this entry point starts.
registerInspector(openInspector);
