// Blocks of earlier assistant messages, in a conversation that is sent to the API again.
import type { ApiDetail, RedactedThinkingBlock, ThinkingBlock } from './api-blocks.js';
import type { CacheControl } from './api-input-blocks.js';

/** A tool call the model made earlier. */
export type ToolUseBlockParam = {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  caller?: ApiDetail;
  toolset_name?: string | null;
  cache_control?: CacheControl | null;
};

/** A tool call that the API ran itself. */
export type ServerToolUseBlockParam = {
  type: 'server_tool_use';
  id: string;
  name:
    | 'web_search'
    | 'web_fetch'
    | 'code_execution'
    | 'bash_code_execution'
    | 'text_editor_code_execution'
    | 'tool_search_tool_regex'
    | 'tool_search_tool_bm25';
  input: unknown;
  caller?: ApiDetail;
  cache_control?: CacheControl | null;
};

/** The result of a call that the API ran itself. */
export type ServerToolResultParam<Type extends string> = {
  type: Type;
  tool_use_id: string;
  content: ApiDetail;
  caller?: ApiDetail;
  cache_control?: CacheControl | null;
};

/** A block of an earlier assistant message, in a conversation that is sent again. */
export type PastBlockParam =
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlockParam
  | ServerToolUseBlockParam
  | ServerToolResultParam<'web_search_tool_result'>
  | ServerToolResultParam<'web_fetch_tool_result'>
  | ServerToolResultParam<'code_execution_tool_result'>
  | ServerToolResultParam<'bash_code_execution_tool_result'>
  | ServerToolResultParam<'text_editor_code_execution_tool_result'>
  | ServerToolResultParam<'tool_search_tool_result'>
  | { type: 'container_upload'; file_id: string; cache_control?: CacheControl | null };
