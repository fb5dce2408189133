// What functions that take options add to their parameter, so that the compiler asks for the context that the tools declare.
// Types only.
import type {
  ContextOfServers,
  ContextOption,
  TakesToolContext,
} from '../../answer/mcp/tool/needed-context.js';
import type { McpServerConfig } from '../../wire/protocol/config/mcp-config.js';

/** The option `mcpServers`. */
export type McpServers = Readonly<Record<string, McpServerConfig>>;

/** Options with `toolContext` as the servers in `mcpServers` ask for it. */
export interface WithContext<Servers extends McpServers> {
  options?: ({ mcpServers?: Servers | undefined } & ContextOption<Servers>) | undefined;
}

/** Options that several sessions share: a `toolContext`, if there is one, is of the type that the servers ask for. */
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

/** What a session must add to shared options; where they have a `toolContext`, it may have its own. */
export type LeftToAsk<Servers extends McpServers, Given> = [Given] extends [undefined]
  ? ContextOption<Servers>
  : TakesToolContext<unknown>;
