// The door `inboard/ui`: an agent as the chat of a front end that speaks the AI SDK's UI message stream.
export { toUiStream, type ToUiStreamOptions, type UiSource } from '../ui/stream/to-ui-stream.js';
export { toUiResponse, type ToUiResponseOptions, type UiResponseInit } from '../ui/stream/to-ui-response.js';
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
