// Lets `allowedTools` and `disallowedTools` hold tools and servers themselves: each becomes the name the CLI
// knows it by, so that nobody has to spell `mcp__server__tool`.
import { InvalidOptionsError } from '../errors.js';
import { toolName } from '../mcp/tool-name.js';
import { catalogOf, ToolServer } from '../mcp/tool-server.js';
import type { Options, ToolReference } from '../options/options.js';

const LISTS = ['allowedTools', 'disallowedTools'] as const;

/** The same options with names in place of objects; throws for one that belongs to no server of the query. */
export function nameTools(options: Options): Options {
  if (!LISTS.some((list) => options[list]?.some((entry) => typeof entry !== 'string'))) return options;
  const named = { ...options };
  for (const list of LISTS) {
    named[list] = options[list]?.flatMap((entry) =>
      typeof entry === 'string' ? [entry] : findNames(entry, options, list),
    );
  }
  return named;
}

function findNames(entry: ToolReference, options: Options, list: string): string[] {
  const names: string[] = [];
  for (const [key, config] of Object.entries(options.mcpServers ?? {})) {
    if ((config as unknown) === entry) names.push(`mcp__${toolName(key, '').slice(5, -2)}`);
    else if ('instance' in config && (config.instance as unknown) instanceof ToolServer) {
      const catalog = catalogOf(config.instance as unknown as ToolServer);
      if ('name' in entry && catalog.defines(entry)) names.push(toolName(key, String(entry.name)));
    }
  }
  if (names.length > 0) return names;
  const what = 'name' in entry ? `"${String(entry.name)}"` : 'an object';
  throw new InvalidOptionsError(
    [list, 'mcpServers'],
    `The option "${list}" holds ${what}, which belongs to no server in "mcpServers". Add its server there, or use its name.`,
  );
}
