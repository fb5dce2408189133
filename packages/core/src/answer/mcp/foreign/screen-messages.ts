// Screens messages to and from a foreign server. It refuses requests that the MCP SDKs would drop without a reply. It
// removes tools from a list if they would make the CLI drop all tools of the server.
import { isRecord } from '../../../util/guards.js';
import type { ToolWarning } from '../tool/tool-events.js';

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** Why the MCP SDKs would drop a message with these params; undefined when they would not. */
export function findParamsProblem(params: unknown): string | undefined {
  if (params === undefined) return undefined;
  if (!isRecord(params)) return 'params must be an object';
  const meta = params['_meta'];
  if (meta === undefined) return undefined;
  if (!isRecord(meta)) return 'params._meta must be an object';
  const token = meta['progressToken'];
  if (token !== undefined && typeof token !== 'string' && typeof token !== 'number') {
    return 'params._meta.progressToken must be a string or a number';
  }
  const task = meta[RELATED_TASK];
  if (task === undefined || (isRecord(task) && typeof task['taskId'] === 'string')) return undefined;
  return `params._meta["${RELATED_TASK}"] must name a taskId`;
}

/** The result of `tools/list` without the tools that the CLI cannot take. The same object when there are none. */
export function keepUsableTools(
  result: Record<string, unknown>,
  warn: (warning: Omit<ToolWarning, 'server'>) => void,
): Record<string, unknown> {
  const { tools } = result;
  if (!Array.isArray(tools)) return result;
  const usable = tools.filter((tool: unknown) => {
    const problem = findToolProblem(tool);
    if (problem === undefined) return true;
    const name = isRecord(tool) ? String(tool['name']) : String(tool);
    warn({
      code: 'TOOL_DROPPED',
      tool: name,
      message: `The tool "${name}" was left out: ${problem}, and the CLI would drop all of the server's tools because of it`,
    });
    return false;
  });
  return usable.length === tools.length ? result : { ...result, tools: usable };
}

function findToolProblem(tool: unknown): string | undefined {
  if (!isRecord(tool) || typeof tool['name'] !== 'string') return 'it has no name';
  const schema = tool['inputSchema'];
  if (!isRecord(schema)) return 'it has no inputSchema';
  return schema['type'] === 'object' ? undefined : 'its inputSchema is not of type "object"';
}
