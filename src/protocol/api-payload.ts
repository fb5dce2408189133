// What the model API puts inside assistant messages: content blocks, usage, the message itself.
// Own structural types, laid out so that values typed by the API's client library fit them.
// Input content is in api-input.ts, stream events are in api-stream.ts.

/** A value known by name here that the CLI may widen later. */
export type OpenString<Known extends string> = Known | (string & Record<never, never>);

/** Plain text written by the model. */
export type TextBlock = {
  type: 'text';
  text: string;
  citations?: readonly object[] | null;
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
};

/** A tool call that the API carries out itself. */
export type ServerToolUseBlock = {
  type: 'server_tool_use';
  id: string;
  name: string;
  input: unknown;
};

/** A call of a tool on an MCP server that the API, not the CLI, is connected to. */
export type McpToolUseBlock = {
  type: 'mcp_tool_use';
  id: string;
  name: string;
  server_name: string;
  input: unknown;
};

/** The answer to a `server_tool_use` or `mcp_tool_use`, like `web_search_tool_result`; `content` depends on the tool. */
export type ServerToolResultBlock = {
  type: `${string}_tool_result`;
  tool_use_id: string;
  content: unknown;
  is_error?: boolean;
};

/** Blocks the CLI has no use for, named so that messages which hold them still fit. */
export type OtherBlock = {
  type: 'container_upload' | 'compaction' | 'fallback' | 'mcp_tool_listing';
};

/** One part of an assistant message; narrow it by `type`. A newer API may send types not listed here. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | McpToolUseBlock
  | ServerToolResultBlock
  | OtherBlock;

/** Why the model stopped; null while a message is still being streamed. */
export type StopReason = OpenString<
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'compaction'
  | 'refusal'
  | 'model_context_window_exceeded'
>;

/** Tokens of one API call, as the API counts them. */
export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  output_tokens_details?: { thinking_tokens?: number } | null;
  cache_creation?: { ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number } | null;
  server_tool_use?: { web_search_requests: number; web_fetch_requests?: number } | null;
  service_tier?: OpenString<'standard' | 'priority' | 'batch'> | null;
  inference_geo?: string | null;
  speed?: OpenString<'standard' | 'fast'> | null;
  iterations?: readonly object[] | null;
};

/** Usage summed over a turn, where every count is present. */
export type NonNullableUsage = { [K in keyof Usage]: NonNullable<Usage[K]> };

/** A message of the model, or the part of one that one stream line carries. */
export type ApiMessage = {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: ContentBlock[];
  stop_reason: StopReason | null;
  stop_sequence: string | null;
  usage: Usage;
  container?: object | null;
  context_management?: object | null;
  diagnostics?: object | null;
  stop_details?: object | null;
};
