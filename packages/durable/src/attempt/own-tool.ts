// Finds the tools of a session that run in this process.
import { catalogOf, ToolServer } from '@inboard/core/answer/mcp/server/tool-server.js';
import { rewriteName, toolName as nameTool } from '@inboard/core/answer/mcp/tool/tool-name.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { isInProcess } from '@inboard/core/wire/protocol/config/mcp-config.js';

/** An in-process tool, as far as it matters to whether a CLI is needed. */
export interface OwnTool {
  /** Whether the CLI runs calls of the tool at the same time as others: it is read-only or parallel. */
  readonly runsBeside: boolean;
}

/** Finds an in-process tool by the name that the model knows. Undefined for tools of the CLI and of other servers. */
export function findOwnTool({ mcpServers = {} }: QueryOptions, toolName: string): OwnTool | undefined {
  for (const [server, config] of Object.entries(mcpServers)) {
    if (!toolName.startsWith(`mcp__${rewriteName(server)}__`) || !isInProcess(config)) continue;
    const { instance } = config as { instance: unknown };
    if (!(instance instanceof ToolServer)) continue;
    const listing = catalogOf(instance).listings.find(({ name }) => nameTool(server, name) === toolName);
    if (!listing) continue;
    const isParallel = catalogOf(instance).findTool(listing.name)?.parallel === true;
    return { runsBeside: isParallel || listing.annotations?.readOnlyHint === true };
  }
  return undefined;
}
