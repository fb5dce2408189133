// Types for functions that take options. With them the compiler asks for the context that the tools declare.
import type {
  ContextOfServers,
  ContextOption,
  TakesToolContext,
} from '../../answer/mcp/tool/needed-context.js';
import type { McpServerConfig } from '../../wire/protocol/config/mcp-config.js';

/** The type of the option `mcpServers`. */
export type McpServers = Readonly<Record<string, McpServerConfig>>;

/** Options with the `toolContext` that the servers in `mcpServers` ask for. */
export interface WithContext<Servers extends McpServers> {
  options?: ({ mcpServers?: Servers | undefined } & ContextOption<Servers>) | undefined;
}

/** Options that several sessions share. A `toolContext` among them must have the type that the servers ask for. */
export interface WithSharedContext<Servers extends McpServers, Given> {
  options?:
    | {
        mcpServers?: Servers | undefined;
        toolContext?: SharedContext<ContextOfServers<Servers>, Given> | undefined;
      }
    | undefined;
}

type SharedContext<Context, Given> = unknown extends Context
  ? Given
  : [Given] extends [Context]
    ? Given
    : Context;

/**
 * The options that a session must add to the shared ones. If the shared options have a `toolContext`, the session may still
 * give its own.
 */
export type LeftToAsk<Servers extends McpServers, Given> = [Given] extends [undefined]
  ? ContextOption<Servers>
  : TakesToolContext<unknown>;
