// Finds names in `allowedTools` and `disallowedTools` that are probably misspelled. Such a name is close to that of a
// built-in tool, or of a tool of this process, or it fits a server of this process but none of its tools. Any other unknown
// name may be a tool of another server, of a plugin or of a newer CLI, and gets no warning.
import { splitRules, toolOfRule } from '../../answer/permissions/tool-rules.js';
import { catalogOf, ToolServer } from '../../answer/mcp/server/tool-server.js';
import { rewriteName, toolName } from '../../answer/mcp/tool/tool-name.js';
import { findNearestName } from '../../util/nearest-name.js';
import { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from '../../wire/protocol/cli-facts.js';
import type { Options } from '../options.js';
import type { InboardWarning } from './warning.js';

const LISTS = ['allowedTools', 'disallowedTools'] as const;
const BUILT_IN: readonly string[] = [...BUILTIN_TOOL_NAMES, ...Object.keys(LEGACY_TOOL_NAME_ALIASES)];

/** A server created with this library, with its tools. */
interface OwnServer {
  key: string;
  /** The rule for the whole server: `mcp__server`. */
  rule: string;
  tools: readonly string[];
  mayChange: boolean;
}

/** The warnings about names in both lists. */
export function findWrongToolNames(options: Options): InboardWarning[] {
  const servers = listOwnServers(options);
  return LISTS.flatMap((list) =>
    splitRules(options[list] ?? []).flatMap((rule) => {
      const name = toolOfRule(rule);
      const problem = name.includes('*') ? undefined : explainName(name, servers);
      if (problem === undefined) return [];
      const message = `The option "${list}" names "${rule}", which has no effect${mayCome(name) ? ' unless a server is added later' : ''}: ${problem}`;
      return [{ code: 'UNKNOWN_TOOL_NAME', message, options: [list] }];
    }),
  );
}

/**
 * Whether a server that `setMcpServers` adds later can have the tool. The CLI rewrites all names to one form, so no
 * other form fits.
 */
function mayCome(name: string): boolean {
  return name.startsWith('mcp__') && name === rewriteName(name);
}

/** The servers created with this library, with their tools. The tools of other servers are not known here. */
export function listOwnServers({ mcpServers = {} }: Options): OwnServer[] {
  return Object.entries(mcpServers).flatMap(([key, config]) => {
    const instance: unknown = 'instance' in config ? config.instance : undefined;
    if (!(instance instanceof ToolServer)) return [];
    const catalog = catalogOf(instance);
    const { toolsMayChange: mayChange } = catalog.options;
    return [{ key, rule: `mcp__${rewriteName(key)}`, tools: catalog.toolNames, mayChange }];
  });
}

function explainName(name: string, servers: readonly OwnServer[]): string | undefined {
  if (name.startsWith('mcp__')) return explainServerName(name, servers);
  if (BUILT_IN.includes(name)) return undefined;
  for (const { key, rule, tools } of servers) {
    if (tools.includes(name)) return `the tool of the server "${key}" is "${toolName(key, name)}" here.`;
    if (key === name) return `the server is "${rule}" here.`;
  }
  // In a short name only one wrong letter is allowed, so that one tool is not mistaken for another.
  const reach = name.length < 8 ? 1 : 2;
  const nearest = findNearestName(name, BUILT_IN, reach) ?? findNearestOwnTool(name, servers, reach);
  return nearest && `there is no such tool. Did you mean "${nearest}"?`;
}

/** The full name of a tool of these servers, if the given name is probably a misspelling of the tool's short name. */
function findNearestOwnTool(name: string, servers: readonly OwnServer[], reach: number): string | undefined {
  for (const { key, tools } of servers) {
    const nearest = findNearestName(name, tools, reach);
    if (nearest !== undefined) return toolName(key, nearest);
  }
  return undefined;
}

function explainServerName(name: string, servers: readonly OwnServer[]): string | undefined {
  const known = servers.flatMap(({ key, rule, tools }) => [
    rule,
    ...tools.map((tool) => toolName(key, tool)),
  ]);
  if (known.includes(name)) return undefined;
  const rewritten = rewriteName(name);
  if (known.includes(rewritten)) return `the CLI knows it as "${rewritten}".`;
  const otherCase = known.find((each) => each.toLowerCase() === name.toLowerCase());
  if (otherCase !== undefined) return `names are case-sensitive. Did you mean "${otherCase}"?`;
  const server = servers.find(({ rule }) => name.startsWith(`${rule}__`));
  if (server) return explainToolName(name, server);
  // The name may belong to another server. But it is probably misspelled if one of these servers has the same tool and
  // nearly the same name.
  const [, , tool = ''] = name.split('__');
  const alike = servers.filter(({ tools }) => tools.some((each) => rewriteName(each) === tool));
  const nearest = findNearestName(
    name,
    alike.map(({ rule }) => `${rule}__${tool}`),
    2,
  );
  return nearest && `there is no such server here. Did you mean "${nearest}"?`;
}

function explainToolName(name: string, { key, rule, tools, mayChange }: OwnServer): string | undefined {
  const nearest = findNearestName(name.slice(rule.length + 2), tools.map(rewriteName));
  if (nearest !== undefined)
    return `the server "${key}" has no such tool. Did you mean "${rule}__${nearest}"?`;
  // The server may get the tool later.
  if (mayChange) return undefined;
  return `the server "${key}" has no such tool. It has: ${tools.join(', ') || 'none'}.`;
}
