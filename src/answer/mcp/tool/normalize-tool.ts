// The one form that all accepted forms of a tool are normalized to.
import { InvalidOptionsError } from '../../../errors.js';
import { checkLimits, readRetries } from './limits.js';
import { ALWAYS_LOAD } from './tool-loading.js';
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
  const { readOnly, alwaysLoad, searchHint, run: _run, annotations, _meta, inputSchema, ...rest } = tool;
  const { name: _name, description: _description, handler: _handler, ...others } = rest;
  const hints = readOnly === undefined ? annotations : { ...annotations, readOnlyHint: readOnly };
  const meta: Record<string, unknown> = { ..._meta };
  if (searchHint !== undefined) meta['anthropic/searchHint'] = searchHint;
  if (alwaysLoad !== undefined) meta[ALWAYS_LOAD] = alwaysLoad;
  checkLimits(tool, `the tool "${name}"`);
  if (tool.waits !== undefined && tool.waits !== 'for-person') {
    throw new InvalidOptionsError(
      ['waits'],
      `The option "waits" of the tool "${name}" must be 'for-person', or left out`,
    );
  }
  if (readRetries(tool.retries) && !hints?.idempotentHint && !hints?.readOnlyHint) {
    throw new InvalidOptionsError(
      ['retries'],
      `The tool "${name}" has retries, and nothing says that calling it twice is safe; set annotations.idempotentHint or readOnly`,
    );
  }
  return {
    // In the order of the official definitions, which have all of these keys even where there is nothing to say.
    name,
    description: tool.description ?? '',
    inputSchema,
    // Called on the author's own object, so that `this` is what it looks like.
    handler: handler.bind(given),
    annotations: hints,
    _meta: Object.keys(meta).length > 0 ? meta : undefined,
    ...others,
  };
}
