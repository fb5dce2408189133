// A tool as its author writes it, in each of the accepted forms. Types only.
import type { AnySchema, InferInput, InferOutput } from '../../schema/infer.js';
import type { ToolLimits } from './limits.js';
import type { CallToolResult } from '../result/tool-content.js';
import type { ToolContext } from './tool-context.js';

/** Hints about a tool, as MCP has them. */
export interface ToolAnnotations {
  title?: string;
  /** The tool changes nothing. The CLI runs such tools at the same time, all others one after another. */
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  /** Calling twice is as good as calling once; needed for `retries` unless the tool is read-only. */
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** What a tool may declare besides its name, description, schema and handler. */
export interface ToolExtras extends ToolLimits {
  annotations?: ToolAnnotations;
  title?: string;
  /** Short for `annotations.readOnlyHint`: the CLI may run several calls at once. */
  readOnly?: boolean;
  /** Always in the prompt. Else the CLI may keep the tool behind its tool search. */
  alwaysLoad?: boolean;
  /** Words by which the CLI's tool search finds the tool. */
  searchHint?: string;
  /** What the handler's value must look like; it is then sent as structuredContent. */
  outputSchema?: AnySchema;
  _meta?: Record<string, unknown>;
}

/** A tool in the form in which servers take it; `handler` may be replaced by a wrapper. */
export interface SdkMcpToolDefinition<
  Schema extends AnySchema = AnySchema,
  Name extends string = string,
> extends ToolExtras {
  name: Name;
  description: string;
  inputSchema: Schema;
  // A method, so that tools with different arguments fit into one list.
  handler(args: InferOutput<Schema>, extra: ToolContext): unknown;
}

/** What a handler may return when its tool has an output schema. */
export type StructuredReturn<Output> = Output extends undefined
  ? unknown
  : InferInput<Output> | CallToolResult | Error | AsyncIterable<unknown>;

type Handling<Args, Context, Returned> =
  | {
      run(args: Args, extra: ToolContext<Context>): Returned | Promise<Returned>;
      handler?: never;
    }
  | {
      handler(args: Args, extra: ToolContext<Context>): Returned | Promise<Returned>;
      run?: never;
    };

/** A tool written as one object. Without `inputSchema` it takes no arguments. */
export type ToolOptions<
  Schema extends AnySchema = AnySchema,
  Output extends AnySchema = undefined,
  Context = unknown,
  Name extends string = string,
> = Omit<ToolExtras, 'outputSchema'> & {
  name: Name;
  description?: string;
  inputSchema?: Schema;
  outputSchema?: Output;
} & Handling<InferOutput<Schema>, Context, StructuredReturn<Output>>;

/** A tool written where the server is made; `run` and `handler` mean the same. */
export interface InlineTool<Schema extends AnySchema = AnySchema> extends ToolExtras {
  name: string;
  description?: string;
  inputSchema?: Schema;
  run?(args: InferOutput<Schema>, extra: ToolContext): unknown;
  handler?(args: InferOutput<Schema>, extra: ToolContext): unknown;
}

/** A tool in whatever form, its arguments not looked at. */
export interface PlainTool extends ToolExtras {
  name: string;
  description?: string;
  inputSchema?: AnySchema;
  run?: (args: never, extra: ToolContext<never>) => unknown;
  handler?: (args: never, extra: ToolContext<never>) => unknown;
}
