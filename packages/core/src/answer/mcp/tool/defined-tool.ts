// The type of a tool of this process, for comparing it with the tools that a CLI lists.

/**
 * Who decides whether the model sees a tool without a search. `author`: the author set `alwaysLoad` on the tool or its
 * server. `sdk`: this SDK decides for tools written in its own forms. `cli`: the CLI decides for all others.
 */
export type ToolLoading = 'author' | 'sdk' | 'cli';

/** A tool of an in-process server, with the name that the model knows. */
export interface DefinedTool {
  server: string;
  tool: string;
  toolName: string;
  /** Whether the tool is always in the prompt. */
  alwaysLoad: boolean;
  /** Who decided about `alwaysLoad`. */
  loading: ToolLoading;
}
