// The door `inboard/ui`: an agent as the chat of a front end that speaks the AI SDK's UI message stream.
export { toUiStream, type ToUiStreamOptions, type UiSource } from '../ui/stream/to-ui-stream.js';
export { toUiResponse, type ToUiResponseOptions } from '../ui/stream/to-ui-response.js';
export type { UiResponseInit } from '../ui/stream/event-text.js';
export type { UiStreamOptions } from '../ui/stream/ui-stream-options.js';
export type {
  UiApprovalDescriptor,
  UiChunk,
  UiFinishReason,
  UiJson,
  UiMetadata,
  UiProviderMetadata,
  UiStatus,
  UiUsage,
} from '../ui/stream/ui-chunk.js';
export {
  createUiChat,
  type UiChat,
  type UiChatAccess,
  type UiChatOpening,
  type UiChatOptions,
} from '../ui/chat/ui-chat.js';
export type { UiChatAction } from '../ui/chat/find-route.js';
export type { UiChatState } from '../ui/chat/chat-room.js';
export type { UiAllowedHosts, UiAllowedOrigins } from '../ui/chat/request-access.js';
export { toNodeListener, type FetchHandler } from '../ui/node-listener.js';
export { toUiMessages, type ToUiMessagesOptions } from '../ui/history/to-ui-messages.js';
export type { UiMessage, UiPart, UiToolPart } from '../ui/history/ui-message.js';
export type { WebStream } from '../ui/stream/web-stream.js';
