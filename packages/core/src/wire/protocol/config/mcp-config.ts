// The configurations of MCP servers, one type for each kind. What the CLI reports about servers is in `mcp-status.ts`.
import { isGiven, isRecord } from '../../../util/guards.js';

/** The permission policy for one tool of a server. */
export type McpServerToolPolicy = {
  name: string;
  permission_policy?: 'always_allow' | 'always_ask' | 'always_deny' | undefined;
  org_max_permission?: 'allow' | 'ask' | 'blocked' | undefined;
};

/** A server started as a child process of the CLI. */
export type McpStdioServerConfig = {
  type?: 'stdio' | undefined;
  command: string;
  args?: string[] | undefined;
  env?: Record<string, string> | undefined;
  /** The milliseconds that a call may take, at least 1000. Progress does not extend the time. */
  timeout?: number | undefined;
  /** Keeps all its tools in the prompt instead of behind tool search. */
  alwaysLoad?: boolean | undefined;
};

/** The fields that the configurations of all remote servers have. */
export type McpRemoteServerConfig = {
  url: string;
  headers?: Record<string, string> | undefined;
  tools?: McpServerToolPolicy[] | undefined;
  timeout?: number | undefined;
  alwaysLoad?: boolean | undefined;
};

/** A server reached by server-sent events. */
export type McpSSEServerConfig = { type: 'sse' } & McpRemoteServerConfig;

/** A server reached by HTTP. */
export type McpHttpServerConfig = { type: 'http' } & McpRemoteServerConfig;

/** A server inside this process, as it is declared to the CLI. */
export type McpSdkServerConfig = {
  type: 'sdk';
  name: string;
  timeout?: number | undefined;
  tools?: McpServerToolPolicy[] | undefined;
};

/** The least that an in-process server must offer: a method that connects it to a transport. */
export interface McpServerInstance {
  connect(transport: never): Promise<void>;
  close?(): Promise<void>;
}

/** A server inside this process, with the object that answers its messages. */
export type McpSdkServerConfigWithInstance = McpSdkServerConfig & {
  instance: McpServerInstance;
  alwaysLoad?: boolean | undefined;
};

/** Whether an entry of `mcpServers` is a server inside this process, with the object that answers its messages. */
export function isInProcess(server: unknown): server is McpSdkServerConfigWithInstance {
  return isRecord(server) && server['type'] === 'sdk' && isGiven(server['instance']);
}

/**
 * Any server that the option `mcpServers` accepts: a command that the CLI starts (stdio), an address (`http`, `sse`), or
 * an object in this process (`sdk`).
 */
export type McpServerConfig =
  McpStdioServerConfig | McpSSEServerConfig | McpHttpServerConfig | McpSdkServerConfigWithInstance;

/** Any server as plain data that can be sent to the CLI. */
export type McpServerConfigForProcessTransport =
  McpStdioServerConfig | McpSSEServerConfig | McpHttpServerConfig | McpSdkServerConfig;

/** A server's answers to `initialize` and `tools/list`, sent ahead so that the CLI need not ask. */
export type McpServerManifest = {
  initializeResult: Record<string, unknown>;
  toolsListResult?: { tools: Array<Record<string, unknown>> };
};
