// The public options for serving an agent to editors.
import type { Readable, Writable } from 'node:stream';
import type {
  ContextOfTools,
  ContextOption,
  HasContext,
  NeedsToolContext,
} from '@inboard/core/answer/mcp/tool/needed-context.js';
import type { InlineTool } from '@inboard/core/answer/mcp/tool/tool-definition.js';
import type { McpServers } from '@inboard/core/live/tooling/context-option.js';
import type { QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import type { McpServerConfig } from '@inboard/core/wire/protocol/config/mcp-config.js';

/** Options of a query that the editor decides, or that would leave the editor without an answer. */
export const DECIDED_BY_EDITOR = [
  'cwd',
  'canUseTool',
  'onElicitation',
  'onUserDialog',
  'supportedDialogKinds',
  'resume',
  'continue',
  'sessionId',
  'forkSession',
  'resumeSessionAt',
  'includePartialMessages',
  'abortController',
  'output',
  'outputFormat',
  'permissionPrompts',
] as const;

/** Options of the sessions of an agent in an editor: the options of a query, except those that the editor decides. */
export type AcpOptions = Omit<QueryOptions, (typeof DECIDED_BY_EDITOR)[number]>;

/** What is served to an editor. */
export interface ServeAcpInput {
  /** Tools of this process. They become a server named after the agent. */
  tools?: readonly InlineTool[] | undefined;
  /** MCP servers by name, in this process or outside it. The editor's own servers are added to them. */
  servers?: Readonly<Record<string, McpServerConfig>> | undefined;
  /** Options of every session. Settings are loaded as in a query: set `settingSources` for folders that others write to. */
  options?: AcpOptions | undefined;
  /** How the agent introduces itself. Default `inboard`. */
  name?: string | undefined;
  /** Where the editor's requests come from. Default: standard input of this process. */
  input?: Readable | undefined;
  /**
   * Where answers go. Nothing else may write there. Default: standard output of this process, from which everything else is
   * kept away while the agent runs.
   */
  output?: Writable | undefined;
  /** Ends the agent when the signal aborts. */
  signal?: AbortSignal | undefined;
  /** Called with a line about anything that the editor is not told. Default: the line is written to standard error. */
  onNote?: ((line: string) => void) | undefined;
  /**
   * Milliseconds after which the CLI of a session is ended until it is needed again: one without work, and one whose turn
   * waits only for people or for results that come later. 0 means never. Default: only a CLI without work is ended, after
   * 10 minutes.
   */
  suspendAfterMs?: number | undefined;
}

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- what else is an object without servers
export type NoServers = Record<never, never>;

/** Demands `toolContext` in `options` if the tools or servers of the agent ask for one. */
export type AcpContext<
  Tools extends readonly InlineTool[],
  Servers extends McpServers,
  OptionServers extends McpServers,
> = {
  tools?: Tools | undefined;
  servers?: Servers | undefined;
  options?: { mcpServers?: OptionServers | undefined } | undefined;
} & AskedFor<
  ContextOption<{
    tools: HasContext<ContextOfTools<Tools>>;
    servers: Servers[keyof Servers];
    options: OptionServers[keyof OptionServers];
  }>
>;

type AskedFor<Option> =
  Option extends NeedsToolContext<unknown> ? { options: Option } : { options?: Option | undefined };
