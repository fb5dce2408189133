// The handshake: the request that opens a session, with everything that is not on the command line. The request that
// claims a prewarmed process has some of the same fields. The answers are in `initialize-reply`.
import type { AgentDefinition } from '../config/agent-definition.js';
import type { McpServerManifest, McpServerToolPolicy } from '../config/mcp-config.js';
import type { HookMatcherRegistration } from '../hooks/hook-callback.js';
import type { PermissionMode } from './permissions.js';

/** A plugin in a directory of this machine. */
export type SdkPluginConfig = {
  type: 'local';
  path: string;
  /** Ignores the MCP servers of the plugin. */
  skipMcpDiscovery?: boolean | undefined;
};

/** The fields of `initialize`, in the order in which they are written, without the subtype. */
export type InitializeRequest = {
  /** The hooks by event. Unknown events are passed on. */
  hooks?: Record<string, HookMatcherRegistration[]>;
  /** The names of the in-process MCP servers. */
  sdkMcpServers?: string[];
  sdkMcpServerConfigs?: Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }>;
  sdkMcpServerManifests?: Record<string, McpServerManifest>;
  sdkMcpServerManifestsOrigin?: 'host_per_send';
  jsonSchema?: Record<string, unknown>;
  /** A list, or a text for older CLIs, which silently ignore a list. Default: the CLI's own prompt. */
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

/** What a prewarmed process needs to become a session. */
export type ClaimSessionRequest = {
  cwd: string;
  /** Variables of the environment. Most are refused here, because the CLI reads them while it starts. */
  env?: Record<string, string>;
  permission_mode?: PermissionMode;
  additional_directories?: string[];
  append_system_prompt?: string;
  title?: string;
  agents?: Record<string, AgentDefinition>;
  /** The names of the in-process servers. */
  sdk_mcp_servers: string[];
  /** Whether the answer to this request shall contain the answer to the handshake. */
  include_initialize?: boolean;
};
