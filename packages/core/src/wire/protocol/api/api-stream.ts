// The raw events of one streamed API call, as `stream_event` messages carry them.
import type { OwnMessage, OwnUsage, StopReason } from './api-message.js';
import type { ApiDetail, OwnContentBlock } from './api-blocks.js';
import type { ClientBlockDelta, ClientOr, ClientStreamEvent } from './client-library.js';

/** An addition to the content block that is being streamed. */
export type ContentBlockDelta = ClientOr<ClientBlockDelta, OwnBlockDelta>;

/** An addition to a content block in our own types, used if the client library is not installed. */
export type OwnBlockDelta =
  | { type: 'text_delta'; text: string }
  | { type: 'input_json_delta'; partial_json: string }
  | { type: 'thinking_delta'; thinking: string; estimated_tokens: number | null }
  | { type: 'signature_delta'; signature: string }
  | { type: 'citations_delta'; citation: ApiDetail }
  | { type: 'compaction_delta'; content: string | null; encrypted_content: string | null };

/** Opens a message; its content is still empty. */
export type MessageStartEvent = { type: 'message_start'; message: OwnMessage };

/** Opens the content block number `index`. */
export type ContentBlockStartEvent = {
  type: 'content_block_start';
  index: number;
  content_block: OwnContentBlock;
};

/** Adds to the content block number `index`. */
export type ContentBlockDeltaEvent = {
  type: 'content_block_delta';
  index: number;
  delta: OwnBlockDelta;
};

/** Ends the content block number `index`. */
export type ContentBlockStopEvent = { type: 'content_block_stop'; index: number };

/** Carries the stop reason and the final token counts. */
export type MessageDeltaEvent = {
  type: 'message_delta';
  delta: {
    stop_reason: StopReason | null;
    stop_sequence: string | null;
    container: ApiDetail;
    stop_details: ApiDetail;
  };
  usage: Pick<
    OwnUsage,
    | 'output_tokens'
    | 'cache_creation_input_tokens'
    | 'cache_read_input_tokens'
    | 'output_tokens_details'
    | 'server_tool_use'
    | 'iterations'
    | 'fallback_credit'
  > & { input_tokens: number | null };
  context_management: ApiDetail;
  input_transformations?: ApiDetail[] | null;
};

/** Ends the message. */
export type MessageStopEvent = { type: 'message_stop' };

/** One event of a streamed API call; narrow it by `type`. */
export type RawMessageStreamEvent = ClientOr<ClientStreamEvent, OwnStreamEvent>;

/** An event of a streamed API call in our own types, used if the client library is not installed. */
export type OwnStreamEvent =
  | MessageStartEvent
  | ContentBlockStartEvent
  | ContentBlockDeltaEvent
  | ContentBlockStopEvent
  | MessageDeltaEvent
  | MessageStopEvent;
