// What the CLI answers to control requests, where the answer has a shape of its own.
import type { ApiKeySource, FastModeState, SlashCommand } from './message-values.js';
import type { McpManifestVerdict, McpServerStatus } from './mcp-config.js';
import type { PermissionMode } from './permission-payload.js';

/** A model the user may choose. */
export type ModelInfo = {
  /** What `setModel` takes. */
  value: string;
  displayName: string;
  description: string;
  resolvedModel?: string;
  supportsEffort?: boolean;
  supportedEffortLevels?: string[];
  supportsAdaptiveThinking?: boolean;
  supportsFastMode?: boolean;
  supportsAutoMode?: boolean;
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
  apiKeySource?: ApiKeySource;
  apiProvider?: string;
};

/** The answer to `initialize`. Old CLIs send only the first five fields and `account`. */
export type SDKControlInitializeResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  output_style: string;
  available_output_styles: string[];
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
  fast_mode_disabled_reason?: string;
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
  skippedLinks?: string[];
};

/** What takes up the context window. */
export type SDKControlGetContextUsageResponse = {
  categories: Array<{
    id?: string;
    name: string;
    tokens: number;
    color: string;
    kind?: string;
    isDeferred?: boolean;
  }>;
  totalTokens: number;
  maxTokens: number;
  rawMaxTokens: number;
  percentage: number;
  model: string;
  isAutoCompactEnabled: boolean;
  autoCompactThreshold?: number;
  gridRows: unknown[];
  memoryFiles: Array<{ path: string; type: string; tokens: number }>;
  mcpTools: Array<{ name: string; serverName: string; tokens: number; isLoaded?: boolean }>;
  agents: Array<{ agentType: string; source: string; tokens: number }>;
  skills?: unknown;
  systemTools?: unknown[];
  systemPromptSections?: unknown[];
  messageBreakdown?: unknown;
  apiUsage: Record<string, unknown> | null;
};

/** The state of the MCP servers. */
export type McpStatusResponse = {
  mcpServers: McpServerStatus[];
};

/** What loading the plugins anew gave. */
export type SDKControlReloadPluginsResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  plugins: Array<{ name: string; path: string; source?: string }>;
  mcpServers: McpServerStatus[];
  error_count: number;
  /** Nothing was changed because it would have cost the prompt cache. */
  held?: boolean;
  cache_impact?: unknown;
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
  encoding?: 'utf-8' | 'base64';
  /** Some bytes were not valid text and were replaced. */
  lossy?: boolean;
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

/** Session cost and plan limits; a shape that may change without notice. */
export type SDKControlGetUsageResponse = {
  session?: Record<string, unknown>;
  subscription_type?: string | null;
  rate_limits_available?: boolean;
  rate_limits?: unknown;
  behaviors?: unknown;
  [field: string]: unknown;
};
