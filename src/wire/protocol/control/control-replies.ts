// What the CLI answers to control requests, where the answer has a shape of its own.
import type { ApiDetail } from '../api/api-payload.js';
import type { AgentDefinition, EffortLevel } from '../config/agent-definition.js';
import type { FastModeDisabledReason, FastModeState, SlashCommand } from '../messages/message-values.js';
import type { McpManifestVerdict, McpServerStatus } from '../config/mcp-config.js';
import type { PermissionMode } from './permission-payload.js';
import type { SDKControlPermissionRulesState } from './permission-rules.js';
import type { Settings } from '../config/settings.js';
import type { ExtraUsage, SessionTotals } from '../messages/usage-report.js';

/** A model the user may choose. */
export type ModelInfo = {
  /** What `setModel` takes. */
  value: string;
  displayName: string;
  description: string;
  resolvedModel?: string;
  supportsEffort?: boolean;
  supportedEffortLevels?: EffortLevel[];
  supportsAdaptiveThinking?: boolean;
  supportsFastMode?: boolean;
  supportsAutoMode?: boolean;
  supportsThinkingOff?: boolean;
};

/** A subagent the session knows. */
export type AgentInfo = {
  name: string;
  description: string;
  model?: string;
};

/** Whose account the session uses. */
export type AccountInfo = {
  email?: string;
  organization?: string;
  subscriptionType?: string;
  tokenSource?: string;
  apiKeySource?: string;
  apiProvider?:
    | 'firstParty'
    | 'bedrock'
    | 'vertex'
    | 'foundry'
    | 'gateway'
    | 'mantle'
    | 'anthropicAws'
    | 'anthropicGoogleCloud';
};

/** The answer to `initialize`. Its optional fields, and `agents`, are missing from old CLIs such as 2.1.33. */
export type SDKControlInitializeResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  output_style: string;
  available_output_styles: string[];
  user_output_styles_dir?: string;
  models: ModelInfo[];
  account: AccountInfo;
  pid?: number;
  claude_code_version?: string;
  current_permission_mode?: PermissionMode;
  session_state?: 'idle' | 'running' | 'requires_action';
  /** What this CLI can do beyond the basics, by name. */
  capabilities?: string[];
  /** False when the session was already running with other hooks. */
  hooks_applied?: boolean;
  hook_on_failure_supported?: boolean;
  plugins_applied?: boolean;
  /** By server name. */
  sdk_mcp_manifests_parked?: Record<string, McpManifestVerdict>;
  fast_mode_state?: FastModeState;
  fast_mode_disabled_reason?: FastModeDisabledReason;
  other_hook_ask_outranks_host?: boolean;
  feedback_mode?: Record<string, unknown>;
  analytics_disabled?: boolean;
};

/** What a parked process is to become. */
export type ClaimSessionRequest = {
  cwd: string;
  /** Most variables are read while the CLI starts, and are refused here. */
  env?: Record<string, string>;
  permission_mode?: PermissionMode;
  additional_directories?: string[];
  append_system_prompt?: string;
  title?: string;
  agents?: Record<string, AgentDefinition>;
  /** The names of the in-process servers. */
  sdk_mcp_servers: string[];
  /** Whether the answer brings that to the handshake anew. */
  include_initialize?: boolean;
};

/** A parked process that is one no more. */
export type SDKControlClaimSessionResponse = {
  status: 'ok';
  cwd: string;
  session_id: string;
  /** How long it waited. */
  parked_ms?: number;
  sdk_mcp_settled: boolean;
  initialize?: SDKControlInitializeResponse;
};

/** Short name of `SDKControlInitializeResponse`. */
export type InitializeResponse = SDKControlInitializeResponse;

/** What an interrupt left behind. */
export type SDKControlInterruptResponse = {
  /** The uuids of user messages that still wait for their turn. */
  still_queued: string[];
  cancelled?: string[];
};

/** What rewinding files did, or with `dryRun` would do. */
export type RewindFilesResult = {
  canRewind: boolean;
  error?: string;
  filesChanged?: string[];
  insertions?: number;
  deletions?: number;
  skippedLinks?: number;
};

/** What takes up the context window. */
export type SDKControlGetContextUsageResponse = {
  categories: Array<{
    id?:
      | 'autocompact_buffer'
      | 'compact_buffer'
      | 'custom_agents'
      | 'free_space'
      | 'mcp_instructions'
      | 'mcp_tools'
      | 'mcp_tools_deferred'
      | 'memory_files'
      | 'messages'
      | 'skills'
      | 'system_prompt'
      | 'system_tools'
      | 'system_tools_deferred';
    name: string;
    tokens: number;
    color: string;
    kind: 'used' | 'free' | 'buffer' | 'deferred';
    isDeferred?: boolean;
  }>;
  totalTokens: number;
  maxTokens: number;
  rawMaxTokens: number;
  percentage: number;
  model: string;
  isAutoCompactEnabled: boolean;
  autoCompactThreshold?: number;
  autocompactSource?: string;
  gridRows: Array<
    Array<{
      color: string;
      isFilled: boolean;
      categoryName: string;
      tokens: number;
      percentage: number;
      squareFullness: number;
    }>
  >;
  memoryFiles: Array<{ path: string; type: string; tokens: number }>;
  mcpTools: Array<{ name: string; serverName: string; tokens: number; isLoaded?: boolean }>;
  agents: Array<{ agentType: string; source: string; pluginId?: string; path?: string; tokens: number }>;
  mcpInstructions?: Array<{ serverName: string; tokens: number }>;
  deferredBuiltinTools?: Array<{ name: string; tokens: number; isLoaded: boolean }>;
  slashCommands?: { totalCommands: number; includedCommands: number; tokens: number };
  skills?: {
    totalSkills: number;
    includedSkills: number;
    tokens: number;
    skillFrontmatter: Array<{
      name: string;
      source: string;
      pluginName?: string;
      pluginId?: string;
      path?: string;
      tokens: number;
    }>;
  };
  systemTools?: Array<{ name: string; tokens: number }>;
  systemPromptSections?: Array<{ name: string; tokens: number }>;
  messageBreakdown?: {
    toolCallTokens: number;
    toolResultTokens: number;
    attachmentTokens: number;
    assistantMessageTokens: number;
    userMessageTokens: number;
    redirectedContextTokens: number;
    unattributedTokens: number;
    toolCallsByType: Array<{ name: string; callTokens: number; resultTokens: number }>;
    attachmentsByType: Array<{ name: string; tokens: number }>;
  };
  apiUsage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number;
    cache_read_input_tokens: number;
  } | null;
};

/** The state of the MCP servers. */
export type McpStatusResponse = {
  mcpServers: McpServerStatus[];
};

/** What loading the plugins anew gave. */
export type SDKControlReloadPluginsResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  plugins: Array<{ name: string; path: string; source?: string; version?: string }>;
  mcpServers: McpServerStatus[];
  error_count: number;
  /** Nothing was changed because it would have cost the prompt cache. */
  held?: boolean;
  cache_impact?: {
    mcp_servers_added: string[];
    mcp_servers_removed: string[];
    lsp_tool_change: 'adds' | 'may-add' | 'may-remove' | 'removes' | null;
  };
};

/** What loading the skills anew gave. */
export type SDKControlReloadSkillsResponse = {
  skills: SlashCommand[];
};

/** What loading the output styles anew gave. */
export type SDKControlReloadOutputStylesResponse = {
  available_output_styles: string[];
};

/** A file of the CLI's machine. */
export type SDKControlReadFileResponse = {
  contents: string;
  absPath: string;
  truncated?: boolean;
  /** Missing for text. */
  encoding?: 'base64';
  /** Some bytes were not valid text and were replaced. */
  lossy?: boolean;
  requested_path?: string;
};

/** The tail of a task's output. */
export type SDKControlGetTaskOutputResponse = {
  /** At most 8 KiB. */
  output: string;
  total_bytes: number;
  truncated: boolean;
};

/** The content of an MCP resource. */
export type SDKControlMcpReadResourceResponse = {
  contents: Array<{ uri: string; mimeType?: string; text?: string; blob?: string; [field: string]: unknown }>;
};

/** What an MCP tool gave that was run without the model; the content is as the server sent it. */
export type SDKControlMcpCallResponse = {
  content?: unknown[];
  structuredContent?: unknown;
  isError?: boolean;
  [field: string]: unknown;
};

/** A file or folder of the working directory; folders end in a slash. */
export type FileSuggestion = {
  path: string;
  [field: string]: unknown;
};

/** How much of one limit of a plan is used, in percent, and when it starts anew. */
type PlanLimit = { utilization: number | null; resets_at: string | null };

/** Session cost and plan limits; a shape that may change without notice. */
export type SDKControlGetUsageResponse = {
  session: SessionTotals;
  subscription_type: string | null;
  rate_limits_available: boolean;
  rate_limits: {
    five_hour?: PlanLimit | null;
    seven_day?: PlanLimit | null;
    seven_day_oauth_apps?: PlanLimit | null;
    seven_day_opus?: PlanLimit | null;
    seven_day_sonnet?: PlanLimit | null;
    model_scoped?: Array<PlanLimit & { display_name: string }>;
    extra_usage?: ExtraUsage | null;
  } | null;
  /** What the usage of a day and of a week came from. */
  behaviors: ApiDetail;
};

/** Settings as they are in force and where they come from. */
export type SDKControlGetSettingsResponse = {
  effective: Settings;
  sources: Array<{ source: string; settings: Settings }>;
  /** What the session runs with, after flags and defaults. */
  applied?: { model?: string; effort?: string | null; [field: string]: unknown };
  errors?: unknown;
  [field: string]: unknown;
};

/** The permission rules in force. */
export type SDKControlListPermissionRulesResponse = {
  state: SDKControlPermissionRulesState;
};

/** The hooks of settings and plugins; callbacks of this process are not among them. */
export type SDKControlGetHooksListingResponse = {
  /** The events that have hooks. */
  events: Array<{ name: string; summary: string; supportsMatcher: boolean; hookCount: number }>;
  hooks: Array<{ event: string; matcher: string; source: string; type: string; [field: string]: unknown }>;
  /** All events the CLI knows. */
  eventCatalog: Array<{ name: string; summary: string; supportsMatcher: boolean }>;
  policy: Record<string, unknown>;
  safeMode?: boolean;
  bareMode?: boolean;
  errors?: unknown;
};
