// The one form that all accepted forms of a tool are normalized to.
import { InvalidOptionsError } from '../../../errors.js';
import { checkLimits, readRetries } from './limits.js';
import type { ToolExtras, SdkMcpToolDefinition, PlainTool } from './tool-definition.js';

/**
 * Normalizes any form: shorthands move to where MCP has them, `run` becomes `handler`. Throws an
 * InvalidOptionsError when something is missing or contradicts itself.
 */
export function normalizeTool(given: PlainTool, fixed: ToolExtras = {}): SdkMcpToolDefinition {
  const tool: PlainTool = { ...given, ...fixed };
  const name = tool.name;
  if (typeof name !== 'string' || name === '') {
    throw new InvalidOptionsError(['name'], 'A tool needs a name: a string of at least one character');
  }
  const handler = tool.run ?? tool.handler;
  if (typeof handler !== 'function') {
    throw new InvalidOptionsError(
      ['handler'],
      `The tool "${name}" needs a function: pass it as "run" or "handler"`,
    );
  }
  const { readOnly, alwaysLoad, searchHint, run: _run, annotations, _meta, ...rest } = tool;
  const hints = readOnly === undefined ? annotations : { ...annotations, readOnlyHint: readOnly };
  const meta: Record<string, unknown> = { ..._meta };
  if (searchHint !== undefined) meta['anthropic/searchHint'] = searchHint;
  if (alwaysLoad !== undefined) meta['anthropic/alwaysLoad'] = alwaysLoad;
  checkLimits(tool, `the tool "${name}"`);
  if (readRetries(tool.retries) && !hints?.idempotentHint && !hints?.readOnlyHint) {
    throw new InvalidOptionsError(
      ['retries'],
      `The tool "${name}" has retries, and nothing says that calling it twice is safe; set annotations.idempotentHint or readOnly`,
    );
  }
  return {
    ...rest,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
    ...(hints ? { annotations: hints } : {}),
    ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
    // Called on the author's own object, so that `this` is what it looks like.
    handler: handler.bind(given),
  };
}
