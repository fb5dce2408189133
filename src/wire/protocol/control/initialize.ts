// The handshake: the request that opens a session, with everything that does not fit the command line, and its answer.
// Claiming a parked process repeats a part of both.
import type { AgentDefinition, EffortLevel } from '../config/agent-definition.js';
import type { McpManifestVerdict, McpServerManifest, McpServerToolPolicy } from '../config/mcp-config.js';
import type { HookMatcherRegistration } from '../hooks/hook-callback.js';
import type { FastModeDisabledReason, FastModeState, SlashCommand } from '../messages/message-values.js';
import type { PermissionMode } from './permissions.js';

/** A plugin in a directory of this machine. */
export type SdkPluginConfig = {
  type: 'local';
  path: string;
  /** Ignore the MCP servers of the plugin. */
  skipMcpDiscovery?: boolean;
};

/** The fields of `initialize`, in the order in which they are written, without the subtype. */
export type InitializeRequest = {
  /** By event; unknown events are passed on. */
  hooks?: Record<string, HookMatcherRegistration[]>;
  /** The names of the in-process MCP servers. */
  sdkMcpServers?: string[];
  sdkMcpServerConfigs?: Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }>;
  sdkMcpServerManifests?: Record<string, McpServerManifest>;
  sdkMcpServerManifestsOrigin?: 'host_per_send';
  jsonSchema?: Record<string, unknown>;
  /** A list, except for older CLIs, which silently ignore one. Absent: the stock prompt. */
  systemPrompt?: string | string[];
  appendSystemPrompt?: string;
  planModeInstructions?: string;
  systemPromptSnapshot?: boolean;
  toolAliases?: Record<string, string>;
  excludeDynamicSections?: boolean;
  agents?: Record<string, AgentDefinition>;
  title?: string;
  skills?: string[];
  promptSuggestions?: boolean;
  agentProgressSummaries?: boolean;
  forwardSubagentText?: boolean;
  supportedDialogKinds?: string[];
  perTaskStopAffordance?: boolean;
  plugins?: SdkPluginConfig[];
};

/** `initialize` with its subtype, as a control request carries it. */
export type SDKControlInitializeRequest = { subtype: 'initialize' } & InitializeRequest;

/** A model that can be selected. */
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

/** A subagent that the session offers to the model. */
export type AgentInfo = { name: string; description: string; model?: string };

/** The account that the session uses. */
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

/** What a parked process needs to become a session. */
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
  /** Whether the answer repeats the answer to the handshake. */
  include_initialize?: boolean;
};

/** The session that a parked process has become. */
export type SDKControlClaimSessionResponse = {
  status: 'ok';
  cwd: string;
  session_id: string;
  /** Milliseconds that the process was parked. */
  parked_ms?: number;
  sdk_mcp_settled: boolean;
  initialize?: SDKControlInitializeResponse;
};

/** Short name of `SDKControlInitializeResponse`. */
export type InitializeResponse = SDKControlInitializeResponse;
