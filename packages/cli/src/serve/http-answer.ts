// What is sent to a client over HTTP, and how a refusal looks: as a JSON-RPC error where a client of MCP reads it, as a line
// of text where anybody else may have asked.

/** A response, and what to do once it has been sent or the client is gone. */
export interface HttpAnswer {
  response: Response;
  done?: () => void;
}

/** A refusal for a client of MCP. */
export function refuseWithError(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

/** A refusal for anybody. */
export function refuseWithText(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { ...headers, 'content-type': 'text/plain' } });
}

/** A refusal for a client without a token, or with one that nobody knows. */
export function refuseWithoutToken(): Response {
  return refuseWithText(401, 'A bearer token is required.', { 'www-authenticate': 'Bearer' });
}
