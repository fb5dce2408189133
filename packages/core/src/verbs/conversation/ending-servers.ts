// Finds the MCP servers that end with their CLI, because the CLI runs them as its children.
import { isRecord } from '../../util/guards.js';
import { isInProcess, type McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { ConversationParts } from './conversation-parts.js';

/**
 * The names of those servers. `connected` are the servers that the CLI reported. One that is in no option comes from a
 * settings file or a plugin, and counts as a child of the CLI, because it may be one.
 */
export function nameEndingServers(
  { options, journal }: Pick<ConversationParts, 'options' | 'journal'>,
  connected: readonly string[],
): string[] {
  const known: Record<string, McpServerConfig> = { ...options.mcpServers, ...journal.servers };
  const named = Object.keys(known).filter((name) => isChild(known[name]));
  return [...new Set([...named, ...connected.filter((name) => known[name] === undefined)])];
}

function isChild(config: McpServerConfig | undefined): boolean {
  if (!isRecord(config) || isInProcess(config as McpServerConfig)) return false;
  const { type } = config;
  return type === undefined || type === 'stdio';
}
