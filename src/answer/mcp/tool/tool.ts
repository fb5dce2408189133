// `tool()`: how a function becomes a tool. The positional form is the official SDK's and never throws over
// a schema (its server leaves such a tool out); the object form checks everything at once.
import type { AnySchema, InferOutput } from '../../schema/infer.js';
import { compileToolSchemas } from './compile-tool.js';
import type { PlainTool, SdkMcpToolDefinition, ToolExtras, ToolOptions } from './tool-definition.js';
import { normalizeTool } from './normalize-tool.js';
import type { ToolContext } from './tool-context.js';

/** The two ways to write a tool. */
export interface DefineTool {
  /**
   * A tool from its name, description, schema and handler. The handler's arguments have the type the
   * schema describes. A schema that cannot be converted is reported when a server is made of the tool.
   */
  <const Schema extends AnySchema, const Name extends string = string, Context = unknown>(
    name: Name,
    description: string,
    inputSchema: Schema,
    handler: (args: InferOutput<Schema>, extra: ToolContext<Context>) => unknown,
    extras?: ToolExtras,
  ): SdkMcpToolDefinition<Schema, Name>;
  /**
   * A tool from one object. Throws a SchemaError when a schema cannot be converted, an
   * InvalidOptionsError when anything else is wrong.
   */
  <
    const Schema extends AnySchema = undefined,
    const Output extends AnySchema = undefined,
    const Name extends string = string,
    Context = unknown,
  >(
    options: ToolOptions<Schema, Output, Context, Name>,
  ): SdkMcpToolDefinition<Schema, Name>;
}

type PositionalForm = [
  name: string,
  description: string,
  inputSchema: AnySchema,
  handler: PlainTool['handler'],
  extras?: ToolExtras,
];

function defineTool(...given: PositionalForm | [PlainTool]): SdkMcpToolDefinition {
  return buildTool(given, {});
}

function defineReadOnlyTool(...given: PositionalForm | [PlainTool]): SdkMcpToolDefinition {
  return buildTool(given, { readOnly: true });
}

function buildTool(given: PositionalForm | [PlainTool], fixed: ToolExtras): SdkMcpToolDefinition {
  if (given.length === 1) {
    const definition = normalizeTool(given[0], fixed);
    compileToolSchemas(definition);
    return definition;
  }
  const [name, description, inputSchema, handler, extras] = given;
  return normalizeTool({ ...extras, name, description, inputSchema, handler }, fixed);
}

/**
 * Defines a tool that runs in this process; hand it to `createSdkMcpServer`. `tool.readOnly` does the same
 * for a tool that changes nothing: the CLI runs those at the same time, all others one after another.
 */
export const tool: DefineTool & { readonly readOnly: DefineTool } = Object.assign(defineTool as DefineTool, {
  readOnly: defineReadOnlyTool,
});
