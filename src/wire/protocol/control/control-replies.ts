// What the CLI answers to control requests, where the answer has a shape of its own. The answer to the handshake is in
// `initialize.ts`, those about usage are in `usage-replies.ts`.
import type { McpServerStatus } from '../config/mcp-config.js';
import type { Settings } from '../config/settings.js';
import type { SlashCommand } from '../messages/message-values.js';
import type { AgentInfo } from './initialize.js';
import type { SDKControlPermissionRulesState } from './permissions.js';

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
