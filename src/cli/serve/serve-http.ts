// Serves any number of clients over streamable HTTP: those of the 2025 protocol in sessions, newer ones request by request.
// `http-access.ts` decides who may ask, before a request is read.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../util/message-of.js';
import { CommandError } from '../terminal/usage-error.js';
import type { Bridge } from './bridge.js';
import { MCP_PATH, refuseRequest, type HttpAccess } from './http-access.js';
import { HttpSessions } from './http-sessions.js';
import { sendWebResponse, toWebRequest } from './web-request.js';

/** Where to listen, and who may ask. */
export interface HttpOptions extends HttpAccess {
  port: number;
  onError: (error: Error) => void;
}

/** A running server. */
export interface HttpService {
  url: string;
  close(): Promise<void>;
}

/** Starts listening; throws a CommandError when the address cannot be had. */
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
  const answer = async (request: Request): Promise<Response> =>
    refuseRequest(request, options) ??
    ((await options.library.isLegacyRequest(request)) ? sessions.answer(request) : modern.fetch(request));

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing, answer).catch((error: unknown) => {
      options.onError(error instanceof Error ? error : new Error(messageOf(error)));
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    });
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}${MCP_PATH}`,
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
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const { request, release } = toWebRequest(incoming, outgoing);
  try {
    await sendWebResponse(await answer(request), outgoing);
  } finally {
    release();
  }
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
