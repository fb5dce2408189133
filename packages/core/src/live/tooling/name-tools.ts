// Lets `allowedTools` and `disallowedTools` contain tools and servers themselves. Each is replaced by the name that
// the CLI uses, so that callers need not write `mcp__server__tool`.
import { InvalidOptionsError } from '../../errors.js';
import type { SdkMcpServer } from '../../answer/mcp/server/create-sdk-mcp-server.js';
import type { PlainTool } from '../../answer/mcp/tool/tool-definition.js';
import { rewriteName, toolName } from '../../answer/mcp/tool/tool-name.js';
import { catalogOf, ToolServer } from '../../answer/mcp/server/tool-server.js';
import type { Options } from '../../options/options.js';
import type { McpServerConfig } from '../../wire/protocol/config/mcp-config.js';
import type { AnySchema } from '../../answer/schema/infer.js';

/** A tool or a whole server, in place of its name. */
export type ToolReference = PlainTool | SdkMcpServer | McpServerConfig;

const LISTS = ['allowedTools', 'disallowedTools'] as const;

/** Options as callers write them. They may name tools by the objects themselves. */
export interface QueryOptions<Schema extends AnySchema = AnySchema> extends Omit<
  Options,
  (typeof LISTS)[number] | 'output'
> {
  /**
   * Asks for an answer that fits a schema of any library, and checks it. See `output()` of a query. Cannot be combined with
   * `outputFormat`.
   */
  output?: Schema | undefined;
  /** Tools that run without a permission question. Each entry is a rule of the CLI, a tool, or a server. */
  allowedTools?: readonly (string | ToolReference)[] | undefined;
  /** Tools that the model cannot use. Each entry is a rule of the CLI, a tool, or a server. */
  disallowedTools?: readonly (string | ToolReference)[] | undefined;
}

/** Returns the options with names only. Throws for an object that does not belong to any server of the query. */
export function nameTools(options: QueryOptions): Options {
  const named: Options = { ...options } as Options;
  for (const list of LISTS) {
    const entries: unknown = options[list];
    // The check of the options refuses a value that is not a list.
    if (!Array.isArray(entries)) continue;
    named[list] = entries.flatMap((entry: string | ToolReference) =>
      typeof entry === 'object' && entry !== null ? findNames(entry, options, list) : [entry],
    );
  }
  return named;
}

function findNames(entry: ToolReference, options: QueryOptions, list: string): string[] {
  const names: string[] = [];
  for (const [key, config] of Object.entries(options.mcpServers ?? {})) {
    if (config === entry) names.push(`mcp__${rewriteName(key)}`);
    else if ('instance' in config && (config.instance as unknown) instanceof ToolServer) {
      const catalog = catalogOf(config.instance as unknown as ToolServer);
      const name = 'name' in entry ? entry.name : '';
      if (catalog.findTool(name)?.source === entry) names.push(toolName(key, name));
    }
  }
  if (names.length > 0) return names;
  const what = 'name' in entry ? `"${entry.name}"` : 'an object';
  throw new InvalidOptionsError(
    [list, 'mcpServers'],
    `The option "${list}" contains ${what}, which does not belong to any server in "mcpServers". Add its server there, or use its name.`,
  );
}
