// Serves any number of clients over streamable HTTP. Clients of the 2025 protocol have sessions. For newer ones, each
// request stands alone. `http-access.ts` decides which requests are answered, before their bodies are read.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bareHost, urlHost } from '@inboard/core/util/loopback.js';
import { readBearer } from '@inboard/core/util/loopback-http.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { oneAtATime } from '@inboard/core/util/one-at-a-time.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import { describeListenFailure } from '../port-option.js';
import { isRefusedClient } from '../tools-file/client-context.js';
import type { Bridge } from './bridge.js';
import { refuseWithText, refuseWithoutToken, type HttpAnswer } from './http-answer.js';
import { MCP_PATH, refuseHttpRequest, type HttpAccess } from './http-access.js';
import { HttpSessions } from './http-sessions.js';
import type { McpAuth } from './mcp-library.js';
import { logRefusal } from './request-log.js';
import { sendWebResponse, toWebRequest } from './web-request.js';

/** Where to listen, and which requests to answer. */
export interface HttpOptions extends HttpAccess {
  port: number;
  onError: (error: Error) => void;
  /** Gets a line for each request that was answered with the status of an error. */
  onRefused?: ((line: string) => void) | undefined;
}

/** A running server. */
export interface HttpService {
  url: string;
  close(): Promise<void>;
}

/** Starts to listen. Throws a CommandError if it cannot listen on the address. */
export async function serveHttp(bridge: Bridge, options: HttpOptions): Promise<HttpService> {
  const sessions = new HttpSessions(bridge, options.library);
  const modern = options.library.createMcpHandler(() => bridge.createServer(), {
    legacy: 'reject',
    onerror: options.onError,
  });
  bridge.listen({
    onListChange: (kind) => modern.notify[`${kind}Changed`](),
    onUpdate: (uri) => modern.notify.resourceUpdated(uri),
  });
  const answer = async (request: Request): Promise<HttpAnswer> => {
    const client = await identify(bridge, request);
    if (client instanceof Response) return { response: client };
    return (await options.library.isLegacyRequest(request))
      ? sessions.answer(request, client.authInfo)
      : { response: await modern.fetch(request, withoutUndefined(client)) };
  };

  const attend = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const refused = refuseHttpRequest(incoming, options);
    const given = refused ? sendRefusal(refused, incoming, outgoing) : handle(incoming, outgoing, answer);
    given.catch((error: unknown) => {
      options.onError(error instanceof Error ? error : new Error(messageOf(error)));
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    });
    if (options.onRefused) logRefusal(incoming, outgoing, options.onRefused);
  };
  const server = createServer(oneAtATime(attend));
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${urlHost(options.host)}:${port}${MCP_PATH}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await sessions.close();
      await modern.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<HttpAnswer>,
): Promise<void> {
  const converted = toWebRequest(incoming, outgoing);
  if (converted === undefined) {
    await sendRefusal(refuseWithText(400, 'The request is malformed.'), incoming, outgoing);
    return;
  }
  let answered: HttpAnswer | undefined;
  try {
    answered = await answer(converted.request);
    await sendWebResponse(answered.response, outgoing);
  } finally {
    answered?.done?.();
    converted.release();
  }
}

// Finds out which client sent a request. The tools file is asked for each request, so that a withdrawn token stops
// working at once.
async function identify(bridge: Bridge, request: Request): Promise<{ authInfo?: McpAuth } | Response> {
  if (!bridge.asksForClients) return {};
  const token = readBearer(request.headers.get('authorization') ?? undefined);
  if (token === '') return refuseWithoutToken();
  try {
    const context = await bridge.contextFor({ via: 'http', token });
    return { authInfo: { token, clientId: '', scopes: [], extra: { context } } };
  } catch (error) {
    if (isRefusedClient(error)) return refuseWithoutToken();
    throw error;
  }
}

// The rest of the body is read and dropped, because a client that is cut off while it writes may not see the answer.
async function sendRefusal(
  refusal: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  incoming.resume();
  await sendWebResponse(refusal, outgoing);
}

function listen(server: Server, { host, port }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(describeListenFailure(error, { host, port })));
    server.listen(port, bareHost(host), resolve);
  });
}
