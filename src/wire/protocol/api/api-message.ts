// What the model API puts inside assistant messages: content blocks, usage, the message itself. Own structural types,
// laid out so that they and the beta types of the API's client library fit each other both ways, which a test holds
// them to; a project that has the library sees the library's (client-library.ts says why). Input content is in
// api-input.ts, stream events are in api-stream.ts.
import type { ClientContentBlock, ClientMessage, ClientOr, ClientUsage } from './client-library.js';

/** A value known by name here that the CLI may widen later. */
export type OpenString<Known extends string> = Known | (string & Record<never, never>);

/**
 * A part of the API that the CLI has no use for, such as what a web search found. Its own shape is the API's business;
 * nothing but `any` lets values of the client library's types in and goes out to them again.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type ApiDetail = any;

/** Plain text written by the model. */
export type TextBlock = {
  type: 'text';
  text: string;
  citations: ApiDetail[] | null;
};

/** Reasoning written by the model; `signature` must be kept for the block to be sent back. */
export type ThinkingBlock = {
  type: 'thinking';
  thinking: string;
  signature: string;
};

/** Reasoning that only the API can read. */
export type RedactedThinkingBlock = {
  type: 'redacted_thinking';
  data: string;
};

/** A tool call for this side (a built-in, or one of an MCP server) to carry out. */
export type ToolUseBlock = {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  caller?: ApiDetail;
  toolset_name?: string | null;
};

/** A tool call that the API carries out itself. */
export type ServerToolUseBlock = {
  type: 'server_tool_use';
  id: string;
  name:
    | 'advisor'
    | 'web_search'
    | 'web_fetch'
    | 'code_execution'
    | 'bash_code_execution'
    | 'text_editor_code_execution'
    | 'tool_search_tool_regex'
    | 'tool_search_tool_bm25';
  input: Record<string, unknown>;
  caller?: ApiDetail;
};

/** A call of a tool on an MCP server that the API, not the CLI, is connected to. */
export type McpToolUseBlock = {
  type: 'mcp_tool_use';
  id: string;
  name: string;
  server_name: string;
  input: unknown;
};

/** The answer to a `server_tool_use` or `mcp_tool_use`; `content` depends on the tool. */
export type ServerToolResultBlock =
  | { type: 'web_search_tool_result'; tool_use_id: string; content: ApiDetail; caller?: ApiDetail }
  | { type: 'web_fetch_tool_result'; tool_use_id: string; content: ApiDetail; caller?: ApiDetail }
  | { type: 'advisor_tool_result'; tool_use_id: string; content: ApiDetail }
  | { type: 'code_execution_tool_result'; tool_use_id: string; content: ApiDetail }
  | { type: 'bash_code_execution_tool_result'; tool_use_id: string; content: ApiDetail }
  | { type: 'text_editor_code_execution_tool_result'; tool_use_id: string; content: ApiDetail }
  | { type: 'tool_search_tool_result'; tool_use_id: string; content: ApiDetail }
  | { type: 'mcp_tool_result'; tool_use_id: string; content: ApiDetail; is_error: boolean };

/** Blocks the CLI has no use for, named so that messages which hold them still fit. */
export type OtherBlock =
  | { type: 'container_upload'; file_id: string }
  | { type: 'compaction'; content: string | null; encrypted_content: string | null }
  | { type: 'fallback'; from: ApiDetail; to: ApiDetail; trigger: ApiDetail }
  | { type: 'mcp_tool_listing'; mcp_server_name: string; tools: ApiDetail[] };

/** One part of an assistant message; narrow it by `type`. A newer API may send types not listed here. */
export type ContentBlock = ClientOr<ClientContentBlock, OwnContentBlock>;

/** The same without the client library. */
export type OwnContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | McpToolUseBlock
  | ServerToolResultBlock
  | OtherBlock;

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

/** Tokens of one API call, as the API counts them. A model or proxy that is not the API's own may leave some out. */
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

/** Usage summed over a turn, where every count is present. */
export type NonNullableUsage = { [K in keyof Usage]: NonNullable<Usage[K]> };

/** A message of the model, or the part of one that one stream line carries. */
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
