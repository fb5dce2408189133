// MCP servers as the CLI reports them, and what it did with servers and manifests that it was given.
import type { McpServerProvenance } from '../messages/message-values.js';
import type { McpServerConfigForProcessTransport } from './mcp-config.js';

/** A server reached through claude.ai; appears in status reports only. */
export type McpClaudeAIProxyServerConfig = {
  type: 'claudeai-proxy';
  url: string;
  id: string;
  timeout?: number;
};

/** A server's declaration as status reports show it. */
export type McpServerStatusConfig = McpServerConfigForProcessTransport | McpClaudeAIProxyServerConfig;

/** The state of an MCP server. */
export type McpServerStatus = {
  name: string;
  status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  serverInfo?: { name: string; version: string };
  /** Why it failed. */
  error?: string;
  config?: McpServerStatusConfig;
  transport?: string;
  scope?: string;
  source?: McpServerProvenance['source'];
  tools?: Array<{
    name: string;
    description?: string;
    annotations?: { readOnly?: boolean; destructive?: boolean; openWorld?: boolean };
    _meta?: Record<string, unknown>;
  }>;
};

/** What changed when the servers were replaced. */
export type McpSetServersResult = {
  added: string[];
  removed: string[];
  /** By server name. */
  errors: Record<string, string>;
};

/** What the CLI did with a manifest. */
export type McpManifestVerdict =
  'parked' | 'already_connected' | 'protocol_version_mismatch' | 'malformed' | 'not_honoured';
