// The content blocks of an assistant message. These are our own types, or those of the API's client library if it is
// installed (`client-library`).
import type { ClientContentBlock, ClientOr } from './client-library.js';

/**
 * A part of the API that is not typed here, such as the results of a web search. Only `any` is assignable both from and
 * to the types of the client library.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type ApiDetail = any;

/** Plain text written by the model. */
export type TextBlock = { type: 'text'; text: string; citations: ApiDetail[] | null };

/** Reasoning written by the model. To send the block back to the API, its `signature` must be kept. */
export type ThinkingBlock = { type: 'thinking'; thinking: string; signature: string };

/** Reasoning that only the API can read. */
export type RedactedThinkingBlock = { type: 'redacted_thinking'; data: string };

/** A call of a tool that the CLI or an MCP server runs. */
export type ToolUseBlock = {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  caller?: ApiDetail;
  toolset_name?: string | null;
};

/** A call of a tool that the API runs itself. */
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

/** Blocks that the CLI does not use. They are listed so that a message that has one still fits the type. */
export type OtherBlock =
  | { type: 'container_upload'; file_id: string }
  | { type: 'compaction'; content: string | null; encrypted_content: string | null }
  | { type: 'fallback'; from: ApiDetail; to: ApiDetail; trigger: ApiDetail }
  | { type: 'mcp_tool_listing'; mcp_server_name: string; tools: ApiDetail[] };

/** One part of an assistant message; narrow it by `type`. A newer API may send types that are not listed here. */
export type ContentBlock = ClientOr<ClientContentBlock, OwnContentBlock>;

/** A content block in our own types, used if the client library is not installed. */
export type OwnContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | McpToolUseBlock
  | ServerToolResultBlock
  | OtherBlock;
