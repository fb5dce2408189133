// An assistant message of the model API, with its usage. Its blocks are in `api-blocks`, input messages in `api-input`,
// stream events in `api-stream`. Our own types and the beta types of the API's client library are assignable to each
// other, which is tested. A project that has the library gets the library's types; `client-library` says why.
import type { ClientMessage, ClientOr, ClientUsage } from './client-library.js';
import type { ApiDetail, OwnContentBlock } from './api-blocks.js';

export type * from './api-blocks.js';

/** Why the model stopped. The field `stop_reason` is null while a message is still being streamed. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'compaction'
  | 'refusal'
  | 'model_context_window_exceeded';

/** Tokens of one API call, as the API counts them. Other models and proxies may leave some fields out. */
export type Usage = ClientOr<ClientUsage, OwnUsage>;

/** The tokens of one API call in our own type, used if the client library is not installed. */
export type OwnUsage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  output_tokens_details: ApiDetail;
  cache_creation: { ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number } | null;
  server_tool_use: { web_search_requests: number; web_fetch_requests: number } | null;
  service_tier: 'standard' | 'priority' | 'batch' | null;
  inference_geo: string | null;
  speed: 'standard' | 'fast' | null;
  iterations: ApiDetail[] | null;
  fallback_credit: ApiDetail;
};

/** Usage summed over a turn. Every count is present; only `fallback_credit` may be missing. */
export type NonNullableUsage = {
  [K in keyof Usage]: K extends 'fallback_credit' ? Usage[K] : NonNullable<Usage[K]>;
};

/** A message of the model, or the part of a message that one line carries. */
export type ApiMessage = ClientOr<ClientMessage, OwnMessage>;

/** A message of the model in our own type, used if the client library is not installed. */
export type OwnMessage = {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: OwnContentBlock[];
  stop_reason: StopReason | null;
  stop_sequence: string | null;
  usage: OwnUsage;
  container: ApiDetail;
  context_management: ApiDetail;
  diagnostics: ApiDetail;
  stop_details: ApiDetail;
  input_transformations?: ApiDetail[] | null;
};
