// The tools of a foreign server that the CLI can take. One without an object as its inputSchema would make
// the CLI drop all the others without a word, so it is left out here, with a word.
import { isRecord } from '../../../util/guards.js';
import type { ToolWarning } from '../tool/tool-events.js';

/** The result of `tools/list` without what would spoil it; the same object when all is well. */
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
      message: `The tool "${name}" was left out: ${problem}, and the CLI would drop all tools of the server over it`,
    });
    return false;
  });
  return usable.length === tools.length ? result : { ...result, tools: usable };
}

function findToolProblem(tool: unknown): string | undefined {
  if (!isRecord(tool) || typeof tool['name'] !== 'string') return 'it has no name';
  const schema = tool['inputSchema'];
  if (!isRecord(schema)) return 'it has no inputSchema';
  return schema['type'] === 'object' ? undefined : 'its inputSchema is not of the type "object"';
}
