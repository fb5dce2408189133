// An assistant message of the model API, with its usage. Its blocks are in `api-blocks`, input is in `api-input`,
// stream events are in `api-stream`. These are our own types, assignable both ways to the beta types of the API's
// client library (tested). A project that has the library gets the library's types; `client-library` says why.
import type { ClientMessage, ClientOr, ClientUsage } from './client-library.js';
import type { ApiDetail, OwnContentBlock } from './api-blocks.js';

export type * from './api-blocks.js';

/** Why the model stopped; null while a message is still being streamed. */
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

/** The same without the client library. */
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

/** Usage summed over a turn, where every count is present, but a credit may be missing. */
export type NonNullableUsage = {
  [K in keyof Usage]: K extends 'fallback_credit' ? Usage[K] : NonNullable<Usage[K]>;
};

/** A message of the model, or the part of it that one line carries. */
export type ApiMessage = ClientOr<ClientMessage, OwnMessage>;

/** The same without the client library. */
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
