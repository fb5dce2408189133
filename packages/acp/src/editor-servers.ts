// Adds the MCP servers that an editor gives to a session to those of the agent, in the form that the CLI takes.
import type { McpServer } from '@agentclientprotocol/sdk';
import type { McpServerConfig } from '@inboard/core/wire/protocol/config/mcp-config.js';
import { AcpRefusal } from './acp-refusal.js';

/** All servers of a session by name. If the name of an editor's server is taken, the server gets a number after its name. */
export function joinServers(
  own: Readonly<Record<string, McpServerConfig>>,
  ofEditor: readonly McpServer[] = [],
): Record<string, McpServerConfig> {
  const servers: Record<string, McpServerConfig> = { ...own };
  for (const server of ofEditor) {
    if (server.name === '') throw new AcpRefusal('invalidParams', 'An entry of "mcpServers" has no name.');
    servers[freeName(servers, server.name)] = toConfig(server);
  }
  return servers;
}

function freeName(servers: Readonly<Record<string, unknown>>, name: string): string {
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? name : `${name}-${count}`;
    if (!Object.hasOwn(servers, candidate)) return candidate;
  }
}

function toConfig(server: McpServer): McpServerConfig {
  if ('type' in server) {
    const { type, url, headers } = server;
    return { type, url, headers: collect(headers) };
  }
  const { command, args, env } = server;
  return { type: 'stdio', command, args, env: collect(env) };
}

function collect(pairs: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
