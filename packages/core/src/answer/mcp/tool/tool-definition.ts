// The types of a tool as its author writes it, in each of the accepted forms.
import type { AnySchema, InferInput, InferOutput, SchemaProblem } from '../../schema/infer.js';
import type { ToolLimits } from './limits.js';
import type { RepeatPolicy } from './repeat-policy.js';
import type { CallToolResult } from '../result/tool-content.js';
import type { HandlerExtra } from './handler-extra.js';

/** Hints about a tool, as MCP has them. */
export interface ToolAnnotations {
  title?: string | undefined;
  /** The tool changes nothing. The CLI runs calls of such tools concurrently, and all other calls one after another. */
  readOnlyHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
  /** Calling the tool twice has the same effect as calling it once. `retries` needs this unless the tool is read-only. */
  idempotentHint?: boolean | undefined;
  openWorldHint?: boolean | undefined;
}

/** What a tool may declare besides its name, description, schema and handler. */
export interface ToolExtras extends ToolLimits {
  annotations?: ToolAnnotations | undefined;
  title?: string | undefined;
  /** Short for `annotations.readOnlyHint`: the tool changes nothing. The CLI may run several calls of the tool at once. */
  readOnly?: boolean | undefined;
  /**
   * Several calls of the tool may run side by side, although it is not read-only. It stays a tool that changes something:
   * permissions are asked for as without this mark, and while the CLI plans (`plan`), every call is asked about. Default:
   * false. Read-only tools do not need it.
   */
  parallel?: boolean | undefined;
  /**
   * True: the model sees the tool from the start. False: the CLI may keep it back until the model searches for it.
   * Default: true for tools in a form of this SDK, up to 40 tools and 32 KiB per session. For tools in the official form,
   * the CLI decides.
   */
  alwaysLoad?: boolean | undefined;
  /**
   * The handler waits for a person. In a group, its conversation gives up its place to others in the meantime. If only a
   * part of the handler waits, use `waitForPerson` of its context.
   */
  waits?: 'for-person' | undefined;
  /**
   * The handler may run for long and does not need the CLI. A session with `suspendAfterMs` ends its CLI meanwhile, and goes
   * on with the turn when the handler has returned.
   */
  detached?: boolean | undefined;
  /**
   * What happens to a call that was begun before, by a process or for a CLI that has died. `recorded`: it gets the
   * recorded result; without one, it runs again under the same `callKey`. `run`: it runs again, even if the model repeats
   * a call whose result is known. `unknown`: it gets the recorded result; without one, the model is told that the outcome
   * is unknown. Default: `unknown`, except that in a session a call that the model repeats runs again.
   */
  onRepeat?: RepeatPolicy | undefined;
  /** Words by which the CLI's tool search finds the tool. */
  searchHint?: string | undefined;
  /** The schema of the handler's value, which is then sent as structuredContent. */
  outputSchema?: AnySchema | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** A tool in its normal form. A wrapper may replace its `handler`. */
export interface SdkMcpToolDefinition<
  Schema extends AnySchema = AnySchema,
  Name extends string = string,
  Context = unknown,
> extends ToolExtras {
  name: Name;
  description: string;
  inputSchema: Schema;
  // This is a method, so that tools with different arguments fit into one list.
  handler(args: InferOutput<Schema>, extra: HandlerExtra<Context>): unknown;
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

/** The function behind a tool, as `run` or as `handler`. The official SDK has only `handler`. */
export type ToolHandling<Args, Context, Returned> =
  | {
      run(args: Args, extra: HandlerExtra<Context>): Returned | Promise<Returned>;
      handler?: never;
    }
  | {
      handler(args: Args, extra: HandlerExtra<Context>): Returned | Promise<Returned>;
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

/** `unknown` for correct schemas. If a text in one of them spells no type, this is an object type whose error says so. */
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
  run?(args: InferOutput<Schema>, extra: HandlerExtra<Context>): unknown;
  handler?(args: InferOutput<Schema>, extra: HandlerExtra<Context>): unknown;
}

/** A tool in any form, regardless of its arguments. */
export interface PlainTool extends ToolExtras {
  name: string;
  description?: string | undefined;
  inputSchema?: AnySchema | undefined;
  run?: ((args: never, extra: HandlerExtra<never>) => unknown) | undefined;
  handler?: ((args: never, extra: HandlerExtra<never>) => unknown) | undefined;
}
