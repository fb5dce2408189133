// A tool of this process, for comparing it with what a CLI lists. Types only.

/**
 * What decides whether the model sees a tool without a search: its author, who set `alwaysLoad`; this SDK, for tools
 * written in its own forms; or the CLI, for all others.
 */
export type ToolLoading = 'author' | 'sdk' | 'cli';

/** A tool as the model will see it, for comparing it with what the CLI lists. */
export interface DefinedTool {
  server: string;
  tool: string;
  toolName: string;
  /** Whether it is always in the prompt. */
  alwaysLoad: boolean;
  /** What decided that: the author's `alwaysLoad`, this SDK (for tools in its own forms), or the CLI. */
  loading: ToolLoading;
}
