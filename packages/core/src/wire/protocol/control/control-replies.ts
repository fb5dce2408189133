// The CLI's answers to control requests, if they have fields. The answer to the handshake is in `initialize-reply`, the
// answers about usage are in `usage-replies`.
import type { McpServerStatus } from '../config/mcp-status.js';
import type { Settings } from '../config/settings.js';
import type { SlashCommand } from '../messages/message-values.js';
import type { AgentInfo } from './initialize-reply.js';
import type { SDKControlPermissionRulesState } from './permissions.js';

/** The user messages that an interrupt left in the queue or removed from it. */
export type SDKControlInterruptResponse = {
  /** The uuids of the user messages that are still queued. */
  still_queued: string[];
  cancelled?: string[];
};

/** What rewinding the files changed or, with `dryRun`, would change. */
export type RewindFilesResult = {
  canRewind: boolean;
  error?: string;
  filesChanged?: string[];
  insertions?: number;
  deletions?: number;
  skippedLinks?: number;
};

/** All MCP servers of the session, each with its state. */
export type McpStatusResponse = { mcpServers: McpServerStatus[] };

/** The plugins after they were reloaded, and what they provide. */
export type SDKControlReloadPluginsResponse = {
  commands: SlashCommand[];
  agents: AgentInfo[];
  plugins: Array<{ name: string; path: string; source?: string; version?: string }>;
  mcpServers: McpServerStatus[];
  error_count: number;
  /** Whether nothing was changed, because that would have invalidated the prompt cache. */
  held?: boolean;
  cache_impact?: {
    mcp_servers_added: string[];
    mcp_servers_removed: string[];
    lsp_tool_change: 'adds' | 'may-add' | 'may-remove' | 'removes' | null;
  };
};

/** The skills after they were reloaded. */
export type SDKControlReloadSkillsResponse = { skills: SlashCommand[] };

/** The output styles after they were reloaded. */
export type SDKControlReloadOutputStylesResponse = { available_output_styles: string[] };

/** A file on the CLI's machine. */
export type SDKControlReadFileResponse = {
  contents: string;
  absPath: string;
  truncated?: boolean;
  /** Missing for text. */
  encoding?: 'base64';
  /** Whether some bytes were not valid text and were replaced. */
  lossy?: boolean;
  requested_path?: string;
};

/** The end of a task's output. */
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

/** The result of an MCP tool that was called without the model, as the server sent it. */
export type SDKControlMcpCallResponse = {
  content?: unknown[];
  structuredContent?: unknown;
  isError?: boolean;
  [field: string]: unknown;
};

/** A file or folder in the working directory; folders end in a slash. */
export type FileSuggestion = { path: string; [field: string]: unknown };

/** The settings in force, and where they come from. */
export type SDKControlGetSettingsResponse = {
  effective: Settings;
  sources: Array<{ source: string; settings: Settings }>;
  /** The values in use, after flags and defaults were applied. */
  applied?: { model?: string; effort?: string | null; [field: string]: unknown };
  errors?: unknown;
  [field: string]: unknown;
};

/** The permission rules in force. */
export type SDKControlListPermissionRulesResponse = { state: SDKControlPermissionRulesState };

/** The hooks of settings and plugins, without the callbacks of this process. */
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
