// Decides which HTTP requests are answered: by the host name in the request, the origin of the page, and a token.
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '@inboard/core/util/loopback.js';
import { isSameSecret, readBearer, readTarget } from '@inboard/core/util/loopback-http.js';
import { refuseWithText, refuseWithoutToken } from './http-answer.js';
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

/**
 * The response to a request that is refused; undefined for one that may be answered. It reads only the three headers and
 * the path, so that nothing else in an untrusted request can cause an error first.
 */
export function refuseHttpRequest(
  incoming: Pick<IncomingMessage, 'headers' | 'url'>,
  { library, host, token, allowedHosts }: HttpAccess,
): Response | undefined {
  const { authorization } = incoming.headers;
  const asked = readHeaders(incoming);
  if (asked === undefined) return refuseWithText(400, 'The Host or Origin of the request is malformed.');
  const names = [...library.localhostAllowedHostnames(), ...allowedHosts];
  // A server that is bound to all addresses does not know its own names. There the token alone decides.
  const isNamed = isLoopback(host) || allowedHosts.length > 0;
  const refused =
    (isNamed ? library.hostHeaderValidationResponse(asked, names) : undefined) ??
    library.originValidationResponse(asked, names);
  if (refused) return refused;
  if (token !== undefined && !isSameSecret(readBearer(authorization), token)) {
    return refuseWithoutToken();
  }
  const target = readTarget(incoming.url);
  if (target === undefined) return refuseWithText(400, 'The address of the request is malformed.');
  return target.pathname === MCP_PATH ? undefined : refuseWithText(404, `The MCP endpoint is ${MCP_PATH}.`);
}

// Only the headers that the library looks at.
function readHeaders({ headers }: Pick<IncomingMessage, 'headers'>): Request | undefined {
  const { host, origin } = headers;
  try {
    const kept = new Headers();
    if (host !== undefined) kept.set('host', host);
    if (origin !== undefined) kept.set('origin', origin);
    return new Request('http://localhost', { headers: kept });
  } catch {
    return undefined;
  }
}
