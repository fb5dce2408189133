// Serves any number of clients over streamable HTTP: those of 2025 in sessions of their own, newer ones
// request by request. Who may ask is decided before anything of theirs is read.
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError } from '../terminal/usage-error.js';
import type { Bridge } from './bridge.js';
import type { HttpTransport, McpLibrary } from './mcp-library.js';
import { sendWebResponse, toWebRequest } from './web-request.js';

/** Where to listen, and who may ask. */
export interface HttpOptions {
  library: McpLibrary;
  host: string;
  port: number;
  /** Required of every request when given. */
  token: string | undefined;
  /** Names besides those of loopback by which clients may call the server. */
  allowedHosts: readonly string[];
  onError: (error: Error) => void;
}

/** A running server. */
export interface HttpService {
  url: string;
  close(): Promise<void>;
}

const PATH = '/mcp';
// A client that never says goodbye must not be remembered for ever.
const MOST_SESSIONS = 256;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/;

/** Whether only this machine reaches an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Starts listening; throws a CommandError when the address cannot be had. */
export async function serveHttp(bridge: Bridge, options: HttpOptions): Promise<HttpService> {
  const sessions = new Map<string, HttpTransport>();
  const modern = options.library.createMcpHandler(() => bridge.createServer(), {
    legacy: 'reject',
    onerror: options.onError,
  });
  bridge.onListChange((kind) => modern.notify[`${kind}Changed`]());
  const answer = async (request: Request): Promise<Response> =>
    refuse(request, options) ??
    ((await options.library.isLegacyRequest(request))
      ? answerInSession({ request, bridge, sessions, library: options.library })
      : modern.fetch(request));

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing, answer).catch((error: unknown) => {
      options.onError(error instanceof Error ? error : new Error(String(error)));
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    });
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}${PATH}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.allSettled([...sessions.values()].map((transport) => transport.close()));
      await modern.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const { request, release } = toWebRequest(incoming, outgoing);
  try {
    await sendWebResponse(await answer(request), outgoing);
  } finally {
    release();
  }
}

function refuse(request: Request, options: HttpOptions): Response | undefined {
  const { library, host, token, allowedHosts } = options;
  const names = [...library.localhostAllowedHostnames(), ...allowedHosts];
  // Bound to every address, a server does not know its names; there the token keeps strangers out.
  const isNamed = isLoopback(host) || allowedHosts.length > 0;
  const refused =
    (isNamed ? library.hostHeaderValidationResponse(request, names) : undefined) ??
    library.originValidationResponse(request, names);
  if (refused) return refused;
  if (token !== undefined && !isAuthorized(request, token)) {
    return new Response('A bearer token is required.\n', {
      status: 401,
      headers: { 'www-authenticate': 'Bearer', 'content-type': 'text/plain' },
    });
  }
  if (new URL(request.url).pathname !== PATH) {
    return new Response(`The MCP endpoint is ${PATH}.\n`, {
      status: 404,
      headers: { 'content-type': 'text/plain' },
    });
  }
  return undefined;
}

function isAuthorized(request: Request, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  const [left, right] = [Buffer.from(given), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}

interface SessionRequest {
  request: Request;
  bridge: Bridge;
  sessions: Map<string, HttpTransport>;
  library: McpLibrary;
}

async function answerInSession({ request, bridge, sessions, library }: SessionRequest): Promise<Response> {
  const id = request.headers.get('mcp-session-id');
  const known = id === null ? undefined : sessions.get(id);
  if (known) return known.handleRequest(request);
  if (id !== null) {
    const error = { code: -32001, message: 'Session not found' };
    return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
  }
  const transport = new library.WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (session) => {
      forgetOldest(sessions);
      sessions.set(session, transport);
    },
    onsessionclosed: (session) => void sessions.delete(session),
  });
  const server = bridge.createServer();
  await server.connect(transport);
  const response = await transport.handleRequest(request);
  // No handshake came of it, so nobody can ever name this session.
  if (transport.sessionId === undefined) await server.close();
  return response;
}

function forgetOldest(sessions: Map<string, HttpTransport>): void {
  if (sessions.size < MOST_SESSIONS) return;
  const [oldest] = sessions;
  if (!oldest) return;
  sessions.delete(oldest[0]);
  oldest[1].close().catch(() => {});
}

function listen(server: Server, { host, port }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const hint = error.code === 'EADDRINUSE' ? ' Choose another with --port, or 0 for a free one.' : '';
      reject(
        new CommandError('NOT_LISTENING', `Cannot listen on ${host}, port ${port}: ${error.message}.${hint}`),
      );
    });
    server.listen(port, host, resolve);
  });
}
