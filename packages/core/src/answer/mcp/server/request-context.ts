// What a prompt, the reader of a resource and a completer know of the request they serve. Types only.

/** Which request is served, and the signal that cancels it. */
export interface McpRequestContext {
  /** Fires when the request is cancelled or its session ends. */
  readonly signal: AbortSignal;
  readonly sessionId: string | undefined;
  /** The server's key in `mcpServers`. */
  readonly server: string;
  /** The `context` of the query and of the server, merged. */
  readonly context: unknown;
}
