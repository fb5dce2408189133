// Compares the defined tools with those that the CLI lists. A tool that the CLI dropped is missing. A tool that it
// keeps behind its tool search is deferred: the CLI lists it, but the model does not know it until it searches.
import { isRecord } from '../../util/guards.js';
import { withoutUndefined } from '../../util/without-undefined.js';
import type { ServerReport } from '../../answer/diagnosis/server-report.js';
import type { DefinedTool } from '../../answer/mcp/tool/defined-tool.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { keepsToolsBack } from '../../answer/diagnosis/tool-search.js';

/** The tools that a CLI lists, compared with the defined ones. */
export interface ToolLists {
  servers: ServerReport[];
  /** The names under which the CLI lists MCP tools. */
  listed: string[];
  /** Tools that are defined here but not listed by the CLI. */
  missing: DefinedTool[];
  /** Tools that are listed, but not shown to the model until it searches for them. Setting `alwaysLoad` avoids that. */
  deferred: DefinedTool[];
}

/** Reads a `system/init` message. */
export function checkInitTools(defined: readonly DefinedTool[], init: WireObject): ToolLists {
  const names = Array.isArray(init['tools']) ? init['tools'].map(String) : [];
  const listed = names.filter((name) => name.startsWith('mcp__'));
  const servers = Array.isArray(init['mcp_servers']) ? init['mcp_servers'].filter(isRecord) : [];
  return {
    servers: servers.map(readServer),
    listed,
    missing: defined.filter(({ toolName }) => !listed.includes(toolName)),
    deferred: keepsToolsBack(init)
      ? defined.filter(({ toolName, alwaysLoad }) => !alwaysLoad && listed.includes(toolName))
      : [],
  };
}

/** Reads the rows of `mcp_status`, which needs no turn. `nameOf` returns the name by which the model knows a tool. */
export function checkStatusTools(
  defined: readonly DefinedTool[],
  rows: readonly WireObject[],
  nameOf: (server: string, tool: string) => string,
): ToolLists {
  const listed = rows.flatMap((row) =>
    (Array.isArray(row['tools']) ? row['tools'] : [])
      .filter(isRecord)
      .map((tool) => nameOf(String(row['name']), String(tool['name']))),
  );
  // Old CLIs list no tools here. Their tools do not count as missing.
  const telling = new Set(rows.filter((row) => Array.isArray(row['tools'])).map((row) => row['name']));
  return {
    servers: rows.map(readServer),
    listed,
    missing: defined.filter(({ server, toolName }) => telling.has(server) && !listed.includes(toolName)),
    deferred: [],
  };
}

function readServer(row: WireObject): ServerReport {
  const { name, status, error } = row;
  return withoutUndefined({
    name: String(name),
    status: String(status),
    error: typeof error === 'string' ? error : undefined,
  });
}
