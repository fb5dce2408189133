// Finds out about the MCP servers of a session: which tools run in this process, and which servers end with the CLI.
import { catalogOf, ToolServer } from '@inboard/core/answer/mcp/server/tool-server.js';
import { rewriteName, toolName as nameTool } from '@inboard/core/answer/mcp/tool/tool-name.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import { isInProcess } from '@inboard/core/wire/protocol/config/mcp-config.js';
import type { OwnTool } from './cli-work.js';

/** Milliseconds that a CLI may take to list its servers. */
const LIMIT_MS = 1000;

/** Finds an in-process tool by the name that the model knows. Undefined for tools of the CLI and of other servers. */
export function findOwnTool({ mcpServers = {} }: QueryOptions, toolName: string): OwnTool | undefined {
  for (const [server, config] of Object.entries(mcpServers)) {
    if (!toolName.startsWith(`mcp__${rewriteName(server)}__`) || !isInProcess(config)) continue;
    const { instance } = config as { instance: unknown };
    if (!(instance instanceof ToolServer)) continue;
    const listing = catalogOf(instance).listings.find(({ name }) => nameTool(server, name) === toolName);
    if (listing) return { isReadOnly: listing.annotations?.readOnlyHint === true };
  }
  return undefined;
}

/**
 * The names of the stdio servers of a session that has a CLI. They are child processes of the CLI and end with it.
 * The CLI is asked for those that settings and plugins add. If it cannot tell in time, only those of the options are known.
 * Never rejects.
 */
export async function findStdioServers(
  { mcpServers = {} }: QueryOptions,
  session: Session,
): Promise<string[]> {
  const named = Object.entries(mcpServers).flatMap(([name, config]) => (isStdio(config) ? [name] : []));
  try {
    const listed = await session.mcpServerStatus({ timeoutMs: LIMIT_MS });
    const found = listed.filter(({ config, transport }) => transport === 'stdio' || isStdio(config));
    return [...new Set([...named, ...found.map(({ name }) => name)])];
  } catch {
    return named;
  }
}

function isStdio(config: unknown): boolean {
  if (!isRecord(config)) return false;
  return (
    config['type'] === 'stdio' || (config['type'] === undefined && typeof config['command'] === 'string')
  );
}
