// Turns every accepted form of a tool into one normal form.
import { bindHandler } from './lone-arrow.js';
import { InvalidOptionsError } from '../../../errors.js';
import { checkLimits, readRetries } from './limits.js';
import { checkRepeatPolicy } from './repeat-policy.js';
import { ALWAYS_LOAD } from './tool-loading.js';
import type { ToolExtras, SdkMcpToolDefinition, PlainTool } from './tool-definition.js';

// The keys of the normal form, and the shorthand keys that are translated into them.
const FORMED = new Set<PropertyKey>(
  'name description inputSchema handler annotations _meta run readOnly alwaysLoad searchHint'.split(' '),
);

/**
 * Makes the normal form of a tool. Shorthands move to where MCP has them, and `run` becomes `handler`. Throws an
 * InvalidOptionsError if something is missing or contradictory.
 */
export function normalizeTool(given: PlainTool, fixed?: ToolExtras): SdkMcpToolDefinition {
  // An object with another prototype is copied, so that only its own keys count.
  const tool: PlainTool = fixed || !isLiteral(given) ? { ...given, ...fixed } : given;
  const { handler, hints } = checkTool(tool);
  const definition: SdkMcpToolDefinition = {
    // The keys have the order of the official SDK's definitions, which have all of them, even with the value undefined.
    name: tool.name,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
    // The handler is bound to the author's own object, so that `this` is that object.
    handler: bindHandler({ handler }, given),
    annotations: hints,
    _meta: normalizeMeta(tool),
  };
  // Copying the other keys is slow, and most tools have none.
  return Reflect.ownKeys(tool).every((key) => FORMED.has(key))
    ? definition
    : { ...definition, ...withoutFormed(tool) };
}

/** The normal form of a tool, only to be read. A tool that already has it, such as one from `tool()`, is not copied. */
export function readTool(given: PlainTool): SdkMcpToolDefinition {
  if (!isNormal(given)) return normalizeTool(given);
  checkTool(given);
  return given;
}

function isNormal(tool: PlainTool): tool is SdkMcpToolDefinition {
  const { run, readOnly, alwaysLoad, searchHint, description } = tool;
  return (
    (run ?? readOnly ?? alwaysLoad ?? searchHint) === undefined &&
    typeof description === 'string' &&
    isLiteral(tool)
  );
}

function isLiteral(tool: PlainTool): boolean {
  return Object.getPrototypeOf(tool) === Object.prototype;
}

interface CheckedTool {
  handler: NonNullable<PlainTool['handler']>;
  hints: PlainTool['annotations'];
}

function checkTool(tool: PlainTool): CheckedTool {
  const { name, readOnly, annotations } = tool;
  if (typeof name !== 'string' || name === '') {
    throw new InvalidOptionsError(['name'], 'A tool needs a name: a string that is not empty');
  }
  const handler = tool.run ?? tool.handler;
  if (typeof handler !== 'function') {
    throw new InvalidOptionsError(
      ['handler'],
      `The tool "${name}" needs a function: pass it as "run" or "handler"`,
    );
  }
  const hints = readOnly === undefined ? annotations : { ...annotations, readOnlyHint: readOnly };
  checkLimits(tool, () => `the tool "${name}"`);
  if (tool.waits !== undefined && tool.waits !== 'for-person') {
    throw new InvalidOptionsError(
      ['waits'],
      `The option "waits" of the tool "${name}" must be 'for-person', or left out`,
    );
  }
  if (tool.detached !== undefined && typeof tool.detached !== 'boolean') {
    throw new InvalidOptionsError(
      ['detached'],
      `The option "detached" of the tool "${name}" must be true or false, or left out`,
    );
  }
  if (tool.parallel !== undefined && typeof tool.parallel !== 'boolean') {
    throw new InvalidOptionsError(
      ['parallel'],
      `The option "parallel" of the tool "${name}" must be true or false, or left out`,
    );
  }
  if (tool.parallel === false && hints?.readOnlyHint === true) {
    throw new InvalidOptionsError(
      ['parallel'],
      `The tool "${name}" is read-only, and the CLI runs calls of such tools side by side: "parallel: false" has no effect; set concurrency: 'serial' to run its handler one call at a time`,
    );
  }
  checkRepeatPolicy(tool.onRepeat, name);
  if (readRetries(tool.retries) && !hints?.idempotentHint && !hints?.readOnlyHint) {
    throw new InvalidOptionsError(
      ['retries'],
      `The tool "${name}" has retries, but nothing says that it is safe to call twice; set annotations.idempotentHint or readOnly`,
    );
  }
  return { handler, hints };
}

function normalizeMeta({ _meta, searchHint, alwaysLoad }: PlainTool): Record<string, unknown> | undefined {
  if ((_meta ?? searchHint ?? alwaysLoad) === undefined) return undefined;
  const meta: Record<string, unknown> = { ..._meta };
  if (searchHint !== undefined) meta['anthropic/searchHint'] = searchHint;
  if (alwaysLoad !== undefined) meta[ALWAYS_LOAD] = alwaysLoad;
  return Object.keys(meta).length > 0 ? meta : undefined;
}

function withoutFormed(tool: PlainTool): Partial<PlainTool> {
  const {
    name: _1,
    description: _2,
    inputSchema: _3,
    handler: _4,
    annotations: _5,
    _meta: _6,
    ...rest
  } = tool;
  const { run: _7, readOnly: _8, alwaysLoad: _9, searchHint: _10, ...others } = rest;
  return others;
}
