// MCP servers as data: how each kind is declared, what the CLI reports about them, and the questions
// they may put to the user.
import { isGiven, isRecord } from '../../../util/guards.js';
import type { McpServerProvenance } from '../messages/message-values.js';

/** How calls of one tool of a server are permitted. */
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

/** A server reached by server-sent events. */
export type McpSSEServerConfig = {
  type: 'sse';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server reached by HTTP. */
export type McpHttpServerConfig = {
  type: 'http';
  url: string;
  headers?: Record<string, string>;
  tools?: McpServerToolPolicy[];
  timeout?: number;
  alwaysLoad?: boolean;
};

/** A server inside this process, as the CLI is told of it. */
export type McpSdkServerConfig = {
  type: 'sdk';
  name: string;
  timeout?: number;
  tools?: McpServerToolPolicy[];
};

/** The least an in-process server must offer: being connected to a transport. */
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

/** Any server as data that can travel. */
export type McpServerConfigForProcessTransport =
  McpStdioServerConfig | McpSSEServerConfig | McpHttpServerConfig | McpSdkServerConfig;

/** A server's declaration as status reports show it. */
export type McpServerStatusConfig = McpServerConfigForProcessTransport | McpClaudeAIProxyServerConfig;

/** How an MCP server is doing. */
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

/** What replacing the servers did. */
export type McpSetServersResult = {
  added: string[];
  removed: string[];
  /** By server name. */
  errors: Record<string, string>;
};

/** What a server answers in its handshake, shipped ahead so that the CLI need not ask. */
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

/** Answers MCP servers in the user's name; without one all are declined. `null` means answered by other means. */
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

/** Shows a dialog. `null` means answered by other means. */
export type OnUserDialog = (
  request: UserDialogRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<UserDialogResult | null>;
