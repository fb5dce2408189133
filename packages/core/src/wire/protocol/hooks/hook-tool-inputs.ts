// The input of a hook for the events of tool calls and permissions.
import type { McpServerProvenance } from '../messages/message-values.js';
import type { PermissionUpdate } from '../control/permissions.js';
import type { HookEventInput } from './hook-inputs.js';

/** The call of a tool that a hook is told about. */
export type HookToolCall = {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  mcp_server?: McpServerProvenance;
};

/** A tool is about to run; the hook may change its input or block it. */
export type PreToolUseHookInput = HookEventInput<'PreToolUse'> & HookToolCall;

/** A tool has run; the hook may change what the model sees of its result. */
export type PostToolUseHookInput = HookEventInput<'PostToolUse'> &
  HookToolCall & { tool_response: unknown; duration_ms?: number };

/** A tool has failed; sent instead of `PostToolUse`. */
export type PostToolUseFailureHookInput = HookEventInput<'PostToolUseFailure'> &
  HookToolCall & { error: string; is_interrupt?: boolean; duration_ms?: number };

/** One call of a batch, as `PostToolBatch` hooks receive it. */
export type PostToolBatchToolCall = {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  tool_response?: unknown;
};

/** All tool calls of one assistant message are done. */
export type PostToolBatchHookInput = HookEventInput<'PostToolBatch'> & {
  tool_calls: PostToolBatchToolCall[];
};

/** A permission question is about to be asked; the hook may answer it. */
export type PermissionRequestHookInput = HookEventInput<'PermissionRequest'> & {
  tool_name: string;
  tool_input: unknown;
  permission_suggestions?: PermissionUpdate[];
  mcp_server?: McpServerProvenance;
};

/** A tool call was refused. */
export type PermissionDeniedHookInput = HookEventInput<'PermissionDenied'> &
  HookToolCall & { reason: string };
