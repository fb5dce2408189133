// What a result becomes before the model sees it, and where that happens. Types, and the block in the CLI's own order of fields.

/** A block of a `tool_result`, as the Messages API takes it. */
export type ShownBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: string; data: string } };

/** A file that what is shown refers to. It must be there before the entry is written. */
export interface ResultFile {
  path: string;
  data: Buffer | string;
}

/** A result as the CLI would have shown it to the model. */
export interface ShownResult {
  content: string | ShownBlock[];
  is_error?: true;
  /** `toolUseResult` of the transcript's entry. */
  toolUseResult?: unknown;
  /** Further fields that this CLI writes into the entry, such as `mcpMeta`. */
  entryFields?: Record<string, unknown>;
  files: ResultFile[];
}

/** Whose result it is, and for which CLI. */
export interface ResultPlace {
  /** The server's name as it was configured, not as it is written in the tool's name. */
  server: string;
  /** The tool's name on that server. */
  tool: string;
  toolUseId: string;
  /** The tool's `_meta['anthropic/maxResultSizeChars']`. */
  maxResultSizeChars?: unknown;
  /** Undefined is taken for the newest. */
  cliVersion: string | undefined;
  /** `projects/<project>/<session id>/tool-results`; undefined where the session keeps no files. */
  resultsFolder: string | undefined;
  /** The CLI's environment, of which `MAX_MCP_OUTPUT_TOKENS` counts. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** When the call ended, in milliseconds since the epoch: part of file names, so the same for the same call. Default: now. */
  at?: number | undefined;
}

/** The block of the user message, with the fields in the order in which the CLI writes them. */
export function toToolResultBlock(shown: ShownResult, toolUseId: string): Record<string, unknown> {
  const { content } = shown;
  return shown.is_error
    ? { type: 'tool_result', content, is_error: true, tool_use_id: toolUseId }
    : { tool_use_id: toolUseId, type: 'tool_result', content };
}
