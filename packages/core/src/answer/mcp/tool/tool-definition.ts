// A tool as its author writes it, in each of the accepted forms. Types only.
import type { AnySchema, InferInput, InferOutput, SchemaProblem } from '../../schema/infer.js';
import type { ToolLimits } from './limits.js';
import type { RepeatPolicy } from './repeat-policy.js';
import type { CallToolResult } from '../result/tool-content.js';
import type { ToolContext } from './tool-context.js';

/** Hints about a tool, as MCP has them. */
export interface ToolAnnotations {
  title?: string | undefined;
  /** The tool changes nothing. The CLI runs such tools at the same time, all others one after another. */
  readOnlyHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
  /** Calling it twice has the same effect as calling it once; needed for `retries` unless the tool is read-only. */
  idempotentHint?: boolean | undefined;
  openWorldHint?: boolean | undefined;
}

/** What a tool may declare besides its name, description, schema and handler. */
export interface ToolExtras extends ToolLimits {
  annotations?: ToolAnnotations | undefined;
  title?: string | undefined;
  /** Short for `annotations.readOnlyHint`: the CLI may run several calls at once. */
  readOnly?: boolean | undefined;
  /**
   * True: the model sees the tool from the start. False: the CLI may keep it behind its tool search. Default: true
   * for tools in a form of this SDK, up to 40 tools and 32 KiB per session; for the official form, the CLI decides.
   */
  alwaysLoad?: boolean | undefined;
  /**
   * The handler waits for a person: in a group, its conversation gives up its place to others in the meantime. For
   * only part of the handler, use `waitFor` of its context.
   */
  waits?: 'for-person' | undefined;
  /**
   * What happens to a call that was begun before, by a process or for a CLI that has died. `recorded`: it gets the
   * recorded result; without one it runs again under the same `callKey`. `run`: it runs again, also where the model
   * repeats a call whose result is known. `unknown`: it gets the recorded result; without one the model is told that
   * the outcome is unknown. Default: `unknown`, except that in a session a call that the model repeats runs.
   */
  onRepeat?: RepeatPolicy | undefined;
  /** Words by which the CLI's tool search finds the tool. */
  searchHint?: string | undefined;
  /** The schema of the handler's value, which is then sent as structuredContent. */
  outputSchema?: AnySchema | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** A tool in the form in which servers take it; `handler` may be replaced by a wrapper. */
export interface SdkMcpToolDefinition<
  Schema extends AnySchema = AnySchema,
  Name extends string = string,
  Context = unknown,
> extends ToolExtras {
  name: Name;
  description: string;
  inputSchema: Schema;
  // A method, so that tools with different arguments fit into one list.
  handler(args: InferOutput<Schema>, extra: ToolContext<Context>): unknown;
}

/** The keys that `tool()` always sets, and that a tool written by hand may leave out. */
export interface CompleteToolKeys {
  annotations: ToolAnnotations | undefined;
  _meta: Record<string, unknown> | undefined;
}

/** What `tool()` returns: a definition with all of its keys. */
export type CompleteToolDefinition<
  Schema extends AnySchema = AnySchema,
  Name extends string = string,
  Context = unknown,
> = SdkMcpToolDefinition<Schema, Name, Context> & CompleteToolKeys;

/** What a handler may return when its tool has an output schema. */
export type StructuredReturn<Output> = Output extends undefined
  ? unknown
  : InferInput<Output> | CallToolResult | Error | AsyncIterable<unknown>;

/** The function behind a tool: `run`, or `handler` as the official SDK names it. */
export type ToolHandling<Args, Context, Returned> =
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
  description?: string | undefined;
  inputSchema?: Schema | undefined;
  outputSchema?: Output | undefined;
} & ToolHandling<InferOutput<Schema>, Context, StructuredReturn<Output>>;

/** `unknown`, or why a tool with these schemas does not compile: a text in them is no type. */
export type CheckedSchemas<Schema, Output> = ([SchemaProblem<Schema>] extends [never]
  ? unknown
  : { inputSchema: SchemaProblem<Schema> }) &
  ([SchemaProblem<Output>] extends [never] ? unknown : { outputSchema: SchemaProblem<Output> });

/** A tool written where the server is made; `run` and `handler` mean the same. */
export interface InlineTool<
  Schema extends AnySchema = AnySchema,
  Name extends string = string,
  Context = unknown,
> extends ToolExtras {
  name: Name;
  description?: string | undefined;
  inputSchema?: Schema | undefined;
  run?(args: InferOutput<Schema>, extra: ToolContext<Context>): unknown;
  handler?(args: InferOutput<Schema>, extra: ToolContext<Context>): unknown;
}

/** A tool in any form, regardless of its arguments. */
export interface PlainTool extends ToolExtras {
  name: string;
  description?: string | undefined;
  inputSchema?: AnySchema | undefined;
  run?: ((args: never, extra: ToolContext<never>) => unknown) | undefined;
  handler?: ((args: never, extra: ToolContext<never>) => unknown) | undefined;
}
