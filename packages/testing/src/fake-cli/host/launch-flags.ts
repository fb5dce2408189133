// Reads those flags of the command line that change what the fake CLI does.
import { isRecord } from '@inboard/core/util/guards.js';
import { disk } from '@inboard/core/util/system/disk.js';

/** The value of an option that is written as `--name=value` or `--name value`. The last one counts. */
export function readFlagValue(args: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (const [index, argument] of args.entries()) {
    if (argument.startsWith(`${name}=`)) value = argument.slice(name.length + 1);
    else if (argument === name) value = args[index + 1];
  }
  return value;
}

/** The rules of an option that takes a list of tools. A comma inside parentheses does not separate rules. */
export function readRuleList(args: readonly string[], name: string): string[] {
  const text = readFlagValue(args, name);
  return text === undefined || text === '' ? [] : text.split(/,(?![^(]*\))/).map((rule) => rule.trim());
}

/** Whether a rule covers every use of a tool: it names the tool, its server, or all tools of its server. */
export function coversTool(rule: string, tool: string): boolean {
  if (rule === tool) return true;
  if (!tool.startsWith('mcp__')) return false;
  const server = rule.replace(/__\*$/, '');
  // A rule for a whole server is `mcp__server` or `mcp__server__*`.
  return /^mcp__.+/.test(server) && tool.startsWith(`${server}__`);
}

/** The in-process servers named on the command line. */
export function readConfiguredServers(args: readonly string[]): string[] {
  const given = readFlagValue(args, '--mcp-config');
  if (given === undefined) return [];
  let config: unknown;
  try {
    config = JSON.parse(given.trimStart().startsWith('{') ? given : disk.readFileSync(given, 'utf8'));
  } catch {
    return [];
  }
  const servers = isRecord(config) && isRecord(config['mcpServers']) ? config['mcpServers'] : {};
  return Object.entries(servers)
    .filter(([, server]) => isRecord(server) && server['type'] === 'sdk')
    .map(([name]) => name);
}
