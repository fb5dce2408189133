// The request that opens a session: everything a CLI is told that does not fit its command line.
import type { AgentDefinition } from '../config/agent-definition.js';
import type { HookMatcherRegistration } from '../hooks/hook-callback.js';
import type { McpServerManifest, McpServerToolPolicy } from '../config/mcp-config.js';

/** A plugin in a directory of this machine. */
export type SdkPluginConfig = {
  type: 'local';
  path: string;
  /** Leave out the MCP servers it brings. */
  skipMcpDiscovery?: boolean;
};

/** The fields of `initialize`, in the order in which they are written, without the subtype. */
export type InitializeRequest = {
  /** By event; unknown events are passed on. */
  hooks?: Record<string, HookMatcherRegistration[]>;
  /** The names under which in-process MCP servers are known. */
  sdkMcpServers?: string[];
  sdkMcpServerConfigs?: Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }>;
  sdkMcpServerManifests?: Record<string, McpServerManifest>;
  sdkMcpServerManifestsOrigin?: 'host_per_send';
  jsonSchema?: Record<string, unknown>;
  /** A list, except for CLIs before lists, which silently ignore one. Absent: the stock prompt. */
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

/** `initialize` as it stands inside a control request. */
export type SDKControlInitializeRequest = { subtype: 'initialize' } & InitializeRequest;
