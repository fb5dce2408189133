// The types of the requests of the control protocol: for each subtype, its fields and its answer. The frames that carry
// them are in `control-frames.ts`.
import type { EffortLevel } from '../config/agent-definition.js';
import type {
  FileSuggestion,
  McpStatusResponse,
  RewindFilesResult,
  SDKControlGetHooksListingResponse,
  SDKControlGetSettingsResponse,
  SDKControlGetTaskOutputResponse,
  SDKControlInterruptResponse,
  SDKControlListPermissionRulesResponse,
  SDKControlMcpCallResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReadFileResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
} from './control-replies.js';
import type { SDKControlGetContextUsageResponse, SDKControlGetUsageResponse } from './usage-replies.js';
import type { HookCallbackRequest, HookJSONOutput } from '../hooks/hook-callback.js';
import type { ClaimSessionRequest, InitializeRequest, SdkPluginConfig } from './initialize.js';
import type {
  ModelInfo,
  SDKControlClaimSessionResponse,
  SDKControlInitializeResponse,
} from './initialize-reply.js';
import type { JSONRPCMessage } from '../json-rpc.js';
import type { McpServerConfigForProcessTransport } from '../config/mcp-config.js';
import type { McpSetServersResult } from '../config/mcp-status.js';
import type { ElicitationResult, UserDialogResult } from '../config/user-questions.js';
import type { PermissionMode } from './permissions.js';
import type { CanUseToolRequest, PermissionResult } from './permission-question.js';
import type { Settings } from '../config/settings.js';

export type * from './control-replies.js';
export type * from './initialize.js';
export type * from './initialize-reply.js';
export type * from './usage-replies.js';
export type { McpServerStatus, McpSetServersResult } from '../config/mcp-status.js';
export type { SlashCommand } from '../messages/message-values.js';

/** A request without fields. */
type NoFields = object;

/** An answer without content. Some CLIs leave out the key `response`, others send an empty object. */
export type Acknowledged = Record<string, unknown> | undefined;

/** The requests that the host sends to the CLI: by subtype, the fields and the answer. */
export interface ControlRequestMap {
  initialize: { request: InitializeRequest; response: SDKControlInitializeResponse };
  interrupt: { request: { cancel_queued?: boolean }; response: SDKControlInterruptResponse | undefined };
  set_permission_mode: { request: { mode: PermissionMode }; response: { mode?: PermissionMode } | undefined };
  set_model: { request: { model?: string | null }; response: { model?: string } | undefined };
  set_max_thinking_tokens: {
    request: {
      max_thinking_tokens?: number | null;
      thinking_display?: 'summarized' | 'omitted' | 'highlights' | null;
    };
    response: Acknowledged;
  };
  mcp_status: { request: { liveReply?: boolean }; response: McpStatusResponse };
  mcp_set_servers: {
    request: { servers: Record<string, McpServerConfigForProcessTransport> };
    response: McpSetServersResult;
  };
  mcp_reconnect: { request: { serverName: string }; response: Acknowledged };
  mcp_toggle: { request: { serverName: string; enabled: boolean }; response: Acknowledged };
  set_mcp_permission_mode_override: {
    request: { serverName: string; mode: 'default' | 'auto' | null };
    response: { warning?: string } | undefined;
  };
  /** A message that an in-process server sends on its own: a notification, a request, or an answer. */
  mcp_message: { request: { server_name: string; message: JSONRPCMessage }; response: Acknowledged };
  mcp_call: {
    request: {
      tool: string;
      arguments?: Record<string, unknown>;
      expires_at?: number;
      timeout_ms?: number;
      result_not_for_model?: boolean;
      check_permissions?: boolean;
      input_files?: unknown;
      output_files?: unknown;
    };
    response: SDKControlMcpCallResponse;
  };
  mcp_read_resource: {
    request: { serverName: string; uri: string };
    response: SDKControlMcpReadResourceResponse;
  };
  get_context_usage: {
    request: { detail?: 'summary' | 'full' };
    response: SDKControlGetContextUsageResponse;
  };
  get_usage: { request: { skip_behaviors?: boolean }; response: SDKControlGetUsageResponse };
  get_session_cost: { request: NoFields; response: { text: string } };
  get_settings: { request: NoFields; response: SDKControlGetSettingsResponse };
  apply_flag_settings: { request: { settings: FlagSettingsPatch }; response: Acknowledged };
  update_settings: {
    request: { source: 'userSettings' | 'localSettings'; settings: Record<string, unknown> };
    response: Acknowledged;
  };
  list_models: { request: NoFields; response: { models: ModelInfo[] } };
  list_permission_rules: { request: NoFields; response: SDKControlListPermissionRulesResponse };
  get_hooks_listing: { request: NoFields; response: SDKControlGetHooksListingResponse };
  get_binary_version: { request: NoFields; response: { version: string; buildTime?: string } };
  file_suggestions: { request: { query: string }; response: { suggestions: FileSuggestion[]; cwd?: string } };
  rewind_files: { request: { user_message_id: string; dry_run?: boolean }; response: RewindFilesResult };
  cancel_async_message: { request: { message_uuid: string }; response: { cancelled: boolean } };
  read_file: {
    request: { path: string; max_bytes?: number; encoding?: 'utf-8' | 'base64' };
    response: SDKControlReadFileResponse;
  };
  seed_read_state: { request: { path: string; mtime: number }; response: Acknowledged };
  register_repo_root: {
    request: {
      directory: string;
      reload_claude_md?: boolean;
      reload_plugins?: boolean;
      reload_skills?: boolean;
    };
    response: Acknowledged;
  };
  reload_plugins: {
    request: { hold_on_cache_impact?: boolean; add_plugins?: SdkPluginConfig[]; refuse_if_busy?: boolean };
    response: SDKControlReloadPluginsResponse;
  };
  reload_skills: { request: NoFields; response: SDKControlReloadSkillsResponse };
  reload_output_styles: { request: NoFields; response: SDKControlReloadOutputStylesResponse };
  stop_task: { request: { task_id: string }; response: Acknowledged };
  background_tasks: { request: { tool_use_id?: string }; response: { backgrounded?: boolean } };
  get_task_output: { request: { task_id: string }; response: SDKControlGetTaskOutputResponse };
  rename_session: {
    request: { title: string; source?: 'remote' | 'host'; session_id?: string };
    response: Acknowledged;
  };
  /** Turns a process that was started with `--await-claim` into a session in a folder. */
  claim_session: { request: ClaimSessionRequest; response: SDKControlClaimSessionResponse };
  set_color: { request: { color: string }; response: Acknowledged };
  set_has_subscribers: { request: { has_subscribers: boolean | null }; response: Acknowledged };
}

/** Settings to merge into those given as flags. null removes a key. Unlike a settings file, it may set the effort `max`. */
export type FlagSettingsPatch = {
  [K in keyof Settings]?: (K extends 'effortLevel' ? EffortLevel : Settings[K]) | null;
};

/** The `elicitation` request as the CLI sends it, without its subtype. */
export type ElicitationWireRequest = {
  mcp_server_name: string;
  message: string;
  mode?: 'form' | 'url';
  url?: string;
  elicitation_id?: string;
  requested_schema?: Record<string, unknown>;
  property_order?: string[];
  title?: string;
  display_name?: string;
  description?: string;
};

/** The requests that the CLI sends to the host: by subtype, the fields and the answer. */
export interface InboundRequestMap {
  can_use_tool: { request: CanUseToolRequest; response: PermissionResult };
  hook_callback: { request: HookCallbackRequest; response: HookJSONOutput };
  mcp_message: {
    request: { server_name: string; message: JSONRPCMessage };
    response: { mcp_response: JSONRPCMessage };
  };
  elicitation: { request: ElicitationWireRequest; response: ElicitationResult };
  request_user_dialog: {
    request: { dialog_kind: string; payload: Record<string, unknown>; tool_use_id?: string };
    response: UserDialogResult;
  };
}

/** The subtype of a request that the host sends. */
export type ControlRequestSubtype = keyof ControlRequestMap;

/** The subtype of a request that the CLI sends. */
export type InboundRequestSubtype = keyof InboundRequestMap;

/** The fields of a request that the host sends. */
export type ControlRequestFields<S extends ControlRequestSubtype> = ControlRequestMap[S]['request'];

/** The answer to a request that the host sends. */
export type ControlRequestResponse<S extends ControlRequestSubtype> = ControlRequestMap[S]['response'];

/** The body of a request that the host sends; narrow it by `subtype`. */
export type SDKControlRequestInner = {
  [S in ControlRequestSubtype]: { subtype: S } & ControlRequestMap[S]['request'];
}[ControlRequestSubtype];

/** The body of a request that the CLI sends; narrow it by `subtype`. */
export type InboundRequest = {
  [S in InboundRequestSubtype]: { subtype: S } & InboundRequestMap[S]['request'];
}[InboundRequestSubtype];
