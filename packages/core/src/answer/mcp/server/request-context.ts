// The type of what prompts, readers of resources and completers know about the request that they serve.

/** Where a request comes from, and the signal that cancels it. */
export interface McpRequestContext {
  /** Fires when the request is cancelled or its session ends. */
  readonly signal: AbortSignal;
  readonly sessionId: string | undefined;
  /** The server's key in `mcpServers`, or its own name outside a query. */
  readonly server: string;
  /** The `context` of the server, merged with that of the query. */
  readonly context: unknown;
}
