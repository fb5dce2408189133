// Finds out which MCP servers of a session end with its CLI.
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { isRecord } from '@inboard/core/util/guards.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';

/** Milliseconds that a CLI may take to list its servers. */
const LIMIT_MS = 1000;

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
