// A tool of this process, as far as those need it who compare it with what a CLI lists. Types only.

/**
 * Who decides whether the model sees a tool without searching for it: its author, who set `alwaysLoad`; this SDK, for
 * tools written in its own forms; or the CLI, for all others.
 */
export type ToolLoading = 'author' | 'sdk' | 'cli';

/** A tool as the model will see it, for comparing with what the CLI lists. */
export interface DefinedTool {
  server: string;
  tool: string;
  toolName: string;
  /** Whether it is always in the prompt. */
  alwaysLoad: boolean;
  /** Who decided that: the tool's author with `alwaysLoad`, this SDK (for tools in its own forms), or the CLI. */
  loading: ToolLoading;
}
