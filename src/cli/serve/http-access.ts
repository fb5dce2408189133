// Who may ask a server over HTTP: by the name it is called by, the origin of the page, and a token.
import { timingSafeEqual } from 'node:crypto';
import type { McpLibrary } from './mcp-library.js';

/** What decides about a request. */
export interface HttpAccess {
  library: McpLibrary;
  /** The address that is listened on. */
  host: string;
  /** Required of every request when given. */
  token: string | undefined;
  /** Names besides those of loopback by which clients may call the server. */
  allowedHosts: readonly string[];
}

/** The path of the MCP endpoint. */
export const MCP_PATH = '/mcp';

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/;

/** Whether only this machine reaches an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** The response to a request that may not be answered; undefined for one that may. */
export function refuseRequest(
  request: Request,
  { library, host, token, allowedHosts }: HttpAccess,
): Response | undefined {
  const names = [...library.localhostAllowedHostnames(), ...allowedHosts];
  // Bound to every address, a server does not know its own names; there the token decides alone.
  const isNamed = isLoopback(host) || allowedHosts.length > 0;
  const refused =
    (isNamed ? library.hostHeaderValidationResponse(request, names) : undefined) ??
    library.originValidationResponse(request, names);
  if (refused) return refused;
  if (token !== undefined && !isAuthorized(request, token)) {
    return textResponse(401, 'A bearer token is required.\n', { 'www-authenticate': 'Bearer' });
  }
  if (new URL(request.url).pathname === MCP_PATH) return undefined;
  return textResponse(404, `The MCP endpoint is ${MCP_PATH}.\n`);
}

function isAuthorized(request: Request, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  const [left, right] = [Buffer.from(given), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function textResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers: { ...headers, 'content-type': 'text/plain' } });
}
