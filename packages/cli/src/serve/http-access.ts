// Decides which HTTP requests are answered: by the host name in the request, the origin of the page, and a token.
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '@inboard/core/util/loopback.js';
import { isSameSecret, readBearer, readTarget } from '@inboard/core/util/loopback-http.js';
import { refuseWithText, refuseWithoutToken } from './http-answer.js';
import type { McpLibrary } from './mcp-library.js';

/** The settings by which requests are accepted or refused. */
export interface HttpAccess {
  library: McpLibrary;
  /** The address that is listened on. */
  host: string;
  /** If given, every request must have this token. */
  token: string | undefined;
  /** Host names that requests may have, besides those of loopback. */
  allowedHosts: readonly string[];
}

/** The path of the MCP endpoint. */
export const MCP_PATH = '/mcp';

/**
 * The response to a request that is refused. Undefined for a request that may be answered. Only three headers and the
 * path are read, so that nothing else in an untrusted request can cause an error first.
 */
export function refuseHttpRequest(
  incoming: Pick<IncomingMessage, 'headers' | 'url'>,
  { library, host, token, allowedHosts }: HttpAccess,
): Response | undefined {
  const { authorization } = incoming.headers;
  const asked = readHeaders(incoming);
  if (asked === undefined) return refuseWithText(400, 'The Host or Origin of the request is malformed.');
  const names = [...library.localhostAllowedHostnames(), ...allowedHosts];
  // A server that other machines can reach does not know its own names, unless the user gave them. If it does not know
  // them, only the token and the origin decide.
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

// A request with only the headers that the library checks. Undefined if they are malformed.
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
