// Makes a tool ready to be listed and called. It converts the tool's schemas and merges its limits with the server's.
import { bindHandler, isLoneArrow } from './lone-arrow.js';
import { compileSchema, type CompiledSchema } from '../../schema/compile-schema.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import { readRetries } from './limits.js';
import { createGate, type ConcurrencyGate } from './concurrency-gate.js';
import type { PlainTool } from './tool-definition.js';
import { readTool } from './normalize-tool.js';
import type { ToolListing, CompiledTool, ServerDefaults } from './compiled-tool.js';
import { ALWAYS_LOAD, findLoading } from './tool-loading.js';

interface Schemas {
  inputSchema: unknown;
  outputSchema: unknown;
  input: CompiledSchema;
  output: CompiledSchema | undefined;
}

const compiledSchemas = new WeakMap<object, Schemas>();

/** Compiles a tool's schemas. The result is kept until a schema is replaced. Throws a SchemaError with tool and path. */
export function compileToolSchemas(tool: PlainTool): Schemas {
  const { name, inputSchema, outputSchema } = tool;
  const known = compiledSchemas.get(tool);
  if (known && known.inputSchema === inputSchema && known.outputSchema === outputSchema) return known;
  const schemas: Schemas = {
    inputSchema,
    outputSchema,
    input: compileSchema(inputSchema, { tool: name, side: 'input' }),
    output:
      outputSchema === undefined ? undefined : compileSchema(outputSchema, { tool: name, side: 'output' }),
  };
  compiledSchemas.set(tool, schemas);
  return schemas;
}

// All tools without a gate share this list. Nearly all tools have none.
const NO_GATES: readonly ConcurrencyGate[] = [];

/** Makes a tool ready. Its own limits replace the server's. Only gates add up: a call has to pass both. */
export function compileTool(
  tool: PlainTool,
  defaults: ServerDefaults = {},
  takesArguments = true,
): CompiledTool {
  const definition = readTool(tool);
  const { input, output } = compileToolSchemas(tool);
  const { name, title, description, annotations, _meta: meta } = definition;
  const timeoutMs = definition.timeoutMs ?? defaults.timeoutMs;
  const maxResultChars = definition.maxResultChars ?? defaults.maxResultChars;
  const isRepeatable = annotations?.idempotentHint === true || annotations?.readOnlyHint === true;
  const retries = readRetries(definition.retries ?? (isRepeatable ? defaults.retries : undefined));
  const gates = [createGate(definition.concurrency), defaults.gate].filter((gate) => gate !== undefined);
  const hasLimits =
    gates.length > 0 || retries !== undefined || (timeoutMs !== undefined && timeoutMs !== Infinity);
  const waits = definition.waits === 'for-person';
  const isLone = isLoneArrow(definition);
  let listing: ToolListing | undefined;
  return {
    name,
    source: tool,
    loading: findLoading(tool, meta?.[ALWAYS_LOAD] ?? defaults.alwaysLoad),
    list: () =>
      (listing ??= withoutUndefined<ToolListing>({
        name,
        title,
        description,
        inputSchema: input.jsonSchema,
        annotations,
        execution: { taskSupport: 'forbidden' },
        _meta: listMeta(meta, defaults.alwaysLoad, maxResultChars),
        outputSchema: output?.jsonSchema,
      })),
    input,
    output,
    takesArguments,
    handler: bindHandler(definition, tool),
    readsContext: !takesArguments || !isLone,
    isPlain: !hasLimits && !waits,
    waits,
    detached: definition.detached === true,
    parallel: definition.parallel === true && annotations?.readOnlyHint !== true,
    onRepeat: definition.onRepeat,
    hasLimits,
    gates: gates.length > 0 ? gates : NO_GATES,
    timeoutMs: timeoutMs === Infinity ? undefined : timeoutMs,
    retries,
    maxResultChars,
    enabled: true,
  };
}

function listMeta(
  own: Record<string, unknown> | undefined,
  alwaysLoad: boolean | undefined,
  maxResultChars: number | undefined,
): Record<string, unknown> | undefined {
  const meta = { ...own };
  if (alwaysLoad !== undefined) meta[ALWAYS_LOAD] ??= alwaysLoad;
  // The value false only cancels the server's default for this tool. The CLI treats it like no value.
  if (meta[ALWAYS_LOAD] === false) delete meta[ALWAYS_LOAD];
  if (maxResultChars !== undefined) meta['anthropic/maxResultSizeChars'] ??= maxResultChars;
  return Object.keys(meta).length > 0 ? meta : undefined;
}
