// Types that carry the context that handlers ask for. It goes from a tool to its server, and from the servers to the
// options, where `toolContext` must have it.
import type { HandlerExtra } from './handler-extra.js';
import type { ToolNamesOf } from './tool-name.js';

declare const TOOL_CONTEXT: unique symbol;

/** A server whose type knows the context that its tools ask for. No object has this key; it only carries the type. */
export interface HasContext<Context> {
  readonly [TOOL_CONTEXT]?: { context: Context } | undefined;
}

declare const READS_MORE: unique symbol;

/** A server with parts that may read more of the context than its type knows. No object has this key. */
export interface ReadsMore {
  readonly [READS_MORE]?: true | undefined;
}

/** The context that the handler of a tool declares; `unknown` where it declares none. */
export type ContextOfTool<Tool> = Tool extends
  | { run(args: never, extra: HandlerExtra<infer Context>): unknown }
  | { handler(args: never, extra: HandlerExtra<infer Context>): unknown }
  ? Declared<Context>
  : unknown;

// A handler without a declared type has `any` as its context, which counts as none declared.
type Declared<Context> = 0 extends 1 & Context ? unknown : Context;

/** The context that satisfies all tools of a list. */
export type ContextOfTools<Tools extends readonly unknown[]> = Together<
  Tools extends readonly (infer Tool)[]
    ? Tool extends unknown
      ? (context: ContextOfTool<Tool>) => void
      : never
    : never
>;

type Together<Takers> = [Takers] extends [never]
  ? unknown
  : [Takers] extends [(context: infer Context) => void]
    ? Context
    : unknown;

/**
 * The context that is still asked for when a server gives a part of it. The given fields become optional, because the
 * query may override them. A given field of a wrong type counts as missing.
 */
export type RestOfContext<Context, Given> = unknown extends Context
  ? unknown
  : [Given] extends [undefined]
    ? Context
    : [Context] extends [object]
      ? Omit<Context, FittingKeys<Context, Given>> &
          Partial<Pick<Context, FittingKeys<Context, Given>>> extends infer Rest
        ? { [Key in keyof Rest]: Rest[Key] }
        : never
      : [Given] extends [Context]
        ? Context | undefined
        : Context;

type FittingKeys<Context, Given> = {
  [Key in keyof Context & keyof Given]: [Given[Key]] extends [Context[Key]] ? Key : never;
}[keyof Context & keyof Given];

/** The context that satisfies all servers of `mcpServers`. */
export type ContextOfServers<Servers> = Together<
  Entries<Servers> extends infer Server
    ? Server extends HasContext<infer Context>
      ? (context: Context) => void
      : never
    : never
>;

type Entries<Servers> = Servers extends unknown ? NonNullable<Servers[keyof Servers]> : never;

/** Whether a server may read more of the context than the types know. A server with unknown tools may. */
type AnyReadsMore<Servers> = true extends (
  Entries<Servers> extends infer Server
    ? Server extends { type: 'sdk' }
      ? string extends ToolNamesOf<Server>
        ? true
        : typeof READS_MORE extends keyof Server
          ? true
          : false
      : false
    : false
)
  ? true
  : false;

/** The part of the options that tools with a context need: `toolContext`, with the type that they declare. */
export interface NeedsToolContext<Context> {
  /** The tools in `mcpServers` declare this context: handlers get it as `extra.context`. */
  toolContext: Context;
}

/** The part of the options for tools whose context may be left out. */
export interface TakesToolContext<Context> {
  /** The tools in `mcpServers` declare this context: handlers get it as `extra.context`. */
  toolContext?: Context | undefined;
}

/** The part of the options with the `toolContext` that the servers ask for; `unknown` where they ask for none. */
export type ContextOption<Servers> = ContextOptionOf<ContextOfServers<Servers>, AnyReadsMore<Servers>>;

type ContextOptionOf<Context, More extends boolean> = unknown extends Context
  ? unknown
  : IsOptional<Context> extends true
    ? TakesToolContext<WithMore<Context, More>>
    : NeedsToolContext<WithMore<Context, More>>;

type IsOptional<Context> = undefined extends Context
  ? true
  : [Context] extends [object]
    ? Partial<Context> extends Context
      ? true
      : false
    : false;

// This is a union, because an interface has no index signature. A value of an interface fits only the first member.
type WithMore<Context, More extends boolean> = More extends true
  ? Context | (Context & { [field: string]: unknown })
  : Context;
