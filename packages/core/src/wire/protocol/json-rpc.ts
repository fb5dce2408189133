// JSON-RPC 2.0 messages, which MCP uses inside `mcp_message`.

/** Correlates a request with its response. */
export type JSONRPCId = string | number;

/** A message that asks for an answer. */
export type JSONRPCRequest = {
  jsonrpc: '2.0';
  id: JSONRPCId;
  method: string;
  params?: Record<string, unknown>;
};

/** A message that gets no answer. */
export type JSONRPCNotification = { jsonrpc: '2.0'; method: string; params?: Record<string, unknown> };

/** An answer with a result. */
export type JSONRPCResultResponse = { jsonrpc: '2.0'; id: JSONRPCId; result: Record<string, unknown> };

/** An answer with an error. It has no `id` if the request could not be read. */
export type JSONRPCErrorResponse = {
  jsonrpc: '2.0';
  id?: JSONRPCId;
  error: { code: number; message: string; data?: unknown };
};

/** The answer to a request. */
export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

/** Any JSON-RPC message. One with `method` and `id` is a request; one with `method` but no `id` is a notification. */
export type JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;
