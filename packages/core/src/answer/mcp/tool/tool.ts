// `tool()` makes a tool from a function. The positional form is that of the official SDK. As in that SDK, it does not throw
// for a zod schema that cannot be converted, and the server leaves such a tool out. All other forms are checked at once.
import { noteUse } from '../../../util/first-use.js';
import { isLibrarySchema } from '../../schema/any-schema.js';
import { isOnlyOurs } from '../../schema/compile-schema.js';
import type { AnySchema, InferOutput, LibraryInput, SchemaProblem } from '../../schema/infer.js';
import { compileToolSchemas } from './compile-tool.js';
import type {
  CheckedSchemas,
  CompleteToolDefinition,
  PlainTool,
  SdkMcpToolDefinition,
  ToolExtras,
  ToolOptions,
} from './tool-definition.js';
import { normalizeTool } from './normalize-tool.js';
import { warnOfUnknownKeys } from './tool-keys.js';
import { markOwnForm } from './tool-loading.js';
import type { HandlerExtra } from './handler-extra.js';

/** The ways to write a tool. */
export interface DefineTool {
  /**
   * A tool from its name, description, schema and handler. The handler's arguments have the type that the schema
   * describes. A zod schema that cannot be converted is reported when a server gets the tool. Any other schema that cannot
   * be converted throws a SchemaError.
   */
  <const Schema extends LibraryInput, const Name extends string = string, Context = unknown>(
    name: Name,
    description: string,
    inputSchema: Schema,
    handler: (args: InferOutput<Schema>, extra: HandlerExtra<Context>) => unknown,
    extras?: ToolExtras,
  ): CompleteToolDefinition<Schema, Name, Context>;
  /** A tool without parameters. Its handler gets an empty object as the first argument. */
  <const Name extends string = string, Context = unknown>(
    name: Name,
    description: string,
    handler: (args: Record<string, never>, extra: HandlerExtra<Context>) => unknown,
    extras?: ToolExtras,
  ): CompleteToolDefinition<undefined, Name, Context>;
  /**
   * A tool from its name, description, schema and handler, with types written as text, such as `{ city: 'string',
   * days: 'integer?' }`, or a JSON Schema. Throws a SchemaError for a text that is no type.
   */
  <const Schema extends AnySchema, const Name extends string = string, Context = unknown>(
    name: Name,
    description: string,
    inputSchema: Schema,
    // The condition stands at the handler, because the oldest supported compilers infer no literals from a schema whose
    // own type has a condition.
    handler: ((args: InferOutput<Schema>, extra: HandlerExtra<Context>) => unknown) &
      ([SchemaProblem<Schema>] extends [never] ? unknown : SchemaProblem<Schema>),
    extras?: ToolExtras,
  ): CompleteToolDefinition<Schema, Name, Context>;
  /**
   * A tool from one object. Throws a SchemaError if a schema cannot be converted, and an InvalidOptionsError if anything
   * else is wrong.
   */
  <
    const Schema extends LibraryInput = undefined,
    const Output extends LibraryInput = undefined,
    const Name extends string = string,
    Context = unknown,
  >(
    options: ToolOptions<Schema, Output, Context, Name>,
  ): CompleteToolDefinition<Schema, Name, Context>;
  /** A tool from one object, with types written as text, or a JSON Schema. */
  <
    const Schema extends AnySchema = undefined,
    const Output extends AnySchema = undefined,
    const Name extends string = string,
    Context = unknown,
  >(
    options: ToolOptions<Schema, Output, Context, Name> & CheckedSchemas<Schema, Output>,
  ): CompleteToolDefinition<Schema, Name, Context>;
}

type Handler = PlainTool['handler'];

type PositionalForm =
  | [name: string, description: string, inputSchema: AnySchema, handler: Handler, extras?: ToolExtras]
  | [name: string, description: string, handler: Handler, extras?: ToolExtras];

function defineTool(...given: PositionalForm | [PlainTool]): SdkMcpToolDefinition {
  return buildTool(given);
}

function defineReadOnlyTool(...given: PositionalForm | [PlainTool]): SdkMcpToolDefinition {
  return buildTool(given, { readOnly: true });
}

function buildTool(given: PositionalForm | [PlainTool], fixed?: ToolExtras): SdkMcpToolDefinition {
  noteUse();
  const tool = given.length === 1 ? given[0] : readPositional(given);
  const definition = normalizeTool(tool, fixed);
  warnOfUnknownKeys(tool);
  const isOwnForm = given.length === 1 || typeof given[3] !== 'function';
  const marked = isOwnForm ? markOwnForm(definition) : definition;
  if (isOwnForm || isOnlyOurs(tool.inputSchema) || isOnlyOurs(tool.outputSchema)) compileToolSchemas(marked);
  return marked;
}

function readPositional(given: PositionalForm): PlainTool {
  const [name, description, third] = given;
  // The schemas of some libraries are functions, too, so a function in third place may be a schema.
  if (typeof third === 'function' && typeof given[3] !== 'function' && !isLibrarySchema(third))
    return { ...given[3], name, description, handler: third };
  const [, , inputSchema, handler, extras] = given as Extract<PositionalForm, { length: 4 | 5 }>;
  return { ...extras, name, description, inputSchema, handler };
}

/**
 * Defines a tool that runs in this process. Pass it to `createSdkMcpServer`. `tool.readOnly` defines a tool that changes
 * nothing. The CLI runs calls of tools that are read-only or `parallel` concurrently, and all other calls one after another.
 * @example
 * ```ts
 * const count = tool(
 *   'count',
 *   'How many of an article are in stock',
 *   { article: 'string' },
 *   ({ article }) => {
 *     return stock.get(article) ?? `There is no article "${article}".`;
 *   },
 * );
 * ```
 */
export const tool: DefineTool & { readonly readOnly: DefineTool } = Object.assign(defineTool as DefineTool, {
  readOnly: defineReadOnlyTool as DefineTool,
});
