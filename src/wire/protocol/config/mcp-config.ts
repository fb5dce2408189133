// MCP servers as data: how each kind is declared, what the CLI reports about them, and what they may ask the user.
import { isGiven, isRecord } from '../../../util/guards.js';
import type { McpServerProvenance } from '../messages/message-values.js';

/** The permission policy for one tool of a server. */
export type McpServerToolPolicy = {
  name: string;
  permission_policy?: 'always_allow' | 'always_ask' | 'always_deny';
  org_max_permission?: 'allow' | 'ask' | 'blocked';
};

/** A server started as a child process of the CLI. */
export type McpStdioServerConfig = {
  type?: 'stdio';
  command: string;
  args?: string[];
  env?: Record<string, string>;
  /** Milliseconds per call, at least 1000; progress does not extend it. */
  timeout?: number;
  /** Keep all its tools in the prompt instead of behind tool search. */
  alwaysLoad?: boolean;
};

type RemoteServer = {
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server reached by server-sent events. */
export type McpSSEServerConfig = { type: 'sse' } & RemoteServer;

/** A server reached by HTTP. */
export type McpHttpServerConfig = { type: 'http' } & RemoteServer;

/** A server inside this process, as it is declared to the CLI. */
export type McpSdkServerConfig = {
  type: 'sdk';
  name: string;
  timeout?: number;
  tools?: McpServerToolPolicy[];
};

/** What an in-process server must offer at least: to be connected to a transport. */
export interface McpServerInstance {
  connect(transport: never): Promise<void>;
  close?(): Promise<void>;
}

/** A server inside this process, with the object that answers. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig & {
  instance: McpServerInstance;
  alwaysLoad?: boolean;
};

/** Whether an entry of `mcpServers` is a server inside this process, with the object that answers. */
export function isInProcess(server: unknown): server is McpSdkServerConfigWithInstance {
  return isRecord(server) && server['type'] === 'sdk' && isGiven(server['instance']);
}

/** A server reached through claude.ai; appears in status reports only. */
export type McpClaudeAIProxyServerConfig = {
  type: 'claudeai-proxy';
  url: string;
  id: string;
  timeout?: number;
};

/** Any server the `mcpServers` option takes. */
export type McpServerConfig =
  McpStdioServerConfig | McpSSEServerConfig | McpHttpServerConfig | McpSdkServerConfigWithInstance;

/** Any server as plain data that can be sent to the CLI. */
export type McpServerConfigForProcessTransport =
  McpStdioServerConfig | McpSSEServerConfig | McpHttpServerConfig | McpSdkServerConfig;

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

/** A server's answers to `initialize` and `tools/list`, sent ahead so that the CLI need not ask. */
export type McpServerManifest = {
  initializeResult: Record<string, unknown>;
  toolsListResult?: { tools: Array<Record<string, unknown>> };
};

/** What the CLI did with a manifest. */
export type McpManifestVerdict =
  'parked' | 'already_connected' | 'protocol_version_mismatch' | 'malformed' | 'not_honoured';

/** An MCP server asks the user something. */
export type ElicitationRequest = {
  serverName: string;
  message: string;
  /** `form` asks for values, `url` sends the user to a page. Default `form`. */
  mode?: 'form' | 'url';
  url?: string;
  elicitationId?: string;
  /** JSON Schema of the values asked for. */
  requestedSchema?: Record<string, unknown>;
  /** The order in which to show the values. */
  propertyOrder?: string[];
  title?: string;
  displayName?: string;
  description?: string;
};

/** What a user may answer to an MCP server. */
export type ElicitationResult = {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
  _meta?: Record<string, unknown>;
};

/** Answers MCP servers for the user; without it all are declined. `null` leaves the question open. */
export type OnElicitation = (
  request: ElicitationRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<ElicitationResult | null>;

/** The CLI asks the host to show a dialog of a kind it declared in `supportedDialogKinds`. */
export type UserDialogRequest = {
  dialogKind: string;
  payload: Record<string, unknown>;
  toolUseID?: string;
};

/** How a dialog ended. */
export type UserDialogResult = { behavior: 'completed'; result: unknown } | { behavior: 'cancelled' };

/** Shows a dialog to the user. `null` leaves the question open. */
export type OnUserDialog = (
  request: UserDialogRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<UserDialogResult | null>;
