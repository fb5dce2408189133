// The types of a result that is shown to the model, and of the call that it belongs to. Also creates the `tool_result`
// block of such a result.

/** A block of a `tool_result`, as the Messages API takes it. */
export type ShownBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: string; data: string } };

/** A file that the shown content refers to. It must exist before the entry is written. */
export interface ResultFile {
  path: string;
  data: Buffer | string;
}

/** A result as the CLI would have shown it to the model. */
export interface ShownResult {
  content: string | ShownBlock[];
  is_error?: true;
  /** The field `toolUseResult` of the transcript entry. */
  toolUseResult?: unknown;
  /** Further fields that this CLI writes into the entry, such as `mcpMeta`. */
  entryFields?: Record<string, unknown>;
  files: ResultFile[];
}

/** The call whose result is shown, and facts about the CLI that is to show it. */
export interface ResultPlace {
  /** The server's name as it was configured, not as the tool's name spells it. */
  server: string;
  /** The tool's name on that server. */
  tool: string;
  toolUseId: string;
  /** The tool's `_meta['anthropic/maxResultSizeChars']`. */
  maxResultSizeChars?: unknown;
  /** If undefined, the rules of the newest version apply. */
  cliVersion: string | undefined;
  /** `projects/<project>/<session id>/tool-results`; undefined if the session keeps no files. */
  resultsFolder: string | undefined;
  /** The CLI's environment. Only `MAX_MCP_OUTPUT_TOKENS` is read. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * When the call ended, in milliseconds since 1970. It is part of file names, so it must be the same each time for the
   * same call. Default: now.
   */
  at?: number | undefined;
}

/** The block of the user message, with the fields in the order in which the CLI writes them. */
export function toToolResultBlock(shown: ShownResult, toolUseId: string): Record<string, unknown> {
  const { content } = shown;
  return shown.is_error
    ? { type: 'tool_result', content, is_error: true, tool_use_id: toolUseId }
    : { tool_use_id: toolUseId, type: 'tool_result', content };
}
