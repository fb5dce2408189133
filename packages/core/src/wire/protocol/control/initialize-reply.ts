// The answer to the handshake: the models, agents and commands of a session, its account, and what this CLI can do.
import type { EffortLevel } from '../config/agent-definition.js';
import type { McpManifestVerdict } from '../config/mcp-status.js';
import type { FastModeState, SlashCommand } from '../messages/message-values.js';
import type { FastModeDisabledReason } from '../messages/failure-reasons.js';
import type { PermissionMode } from './permissions.js';

/** A model that can be selected. */
export type ModelInfo = {
  /** The value to pass to `setModel`. */
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

/** The answer to `initialize`. Old CLIs such as 2.1.33 do not send `agents` and the optional fields. */
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

/** The session that a prewarmed process has become. */
export type SDKControlClaimSessionResponse = {
  status: 'ok';
  cwd: string;
  session_id: string;
  /** How long the process waited to be claimed, in milliseconds. */
  parked_ms?: number;
  sdk_mcp_settled: boolean;
  initialize?: SDKControlInitializeResponse;
};

/** Short name of `SDKControlInitializeResponse`. */
export type InitializeResponse = SDKControlInitializeResponse;
