// The answers of the HTTP server. A refusal is a JSON-RPC error for an MCP client, or a line of text if the request may
// come from another program.

/** A response. `done` is called when the response has been sent or the client is gone. */
export interface HttpAnswer {
  response: Response;
  done?: () => void;
}

/** A refusal for an MCP client. */
export function refuseWithError(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

/** A refusal for a request that may not come from an MCP client. */
export function refuseWithText(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { ...headers, 'content-type': 'text/plain' } });
}

/** A refusal for a client without a token, or with an unknown one. */
export function refuseWithoutToken(): Response {
  return refuseWithText(401, 'A bearer token is required.', { 'www-authenticate': 'Bearer' });
}
