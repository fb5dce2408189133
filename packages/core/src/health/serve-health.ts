// A small server for `/healthz`, `/readyz` and `/metrics`. It keeps no process alive, and has a limit for everything that a
// client could hold up.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HealthError } from '../errors.js';
import { isOwnHostName, readHostName } from '../util/loopback-http.js';
import { bareHost, isLoopback, urlHost } from '../util/loopback.js';
import { messageOf } from '../util/message-of.js';
import { oneAtATime } from '../util/one-at-a-time.js';
import { checkShape, filledText, requireShape, texts, wholeNumber } from '../util/option-shapes.js';
import { checkOptionsObject, refuseFurtherArguments } from '../util/options-object.js';
import {
  checkHandlerOptions,
  checkSubject,
  createHealthHandler,
  HANDLER_OPTIONS,
  type HealthHandlerOptions,
} from './health-handler.js';
import { HEALTH_TIMEOUT_MS, type HealthSubject } from './health-report.js';
import { limitConnections } from './limit-connections.js';

/** Where to listen, and what to show there. */
export interface ServeHealthOptions extends HealthHandlerOptions {
  /** The port, or 0 for a free one. */
  port: number;
  /** The address to listen on. Default 127.0.0.1. In a container, probes and scrapes come from outside: 0.0.0.0. */
  host?: string | undefined;
  /**
   * Names by which the server may be called, besides those of loopback. Without this list, a server on another address than
   * loopback may be called by any name.
   */
  allowedHosts?: readonly string[] | undefined;
}

/** A running server for health. Close it last, so that it tells of the drain. */
export interface HealthServer extends AsyncDisposable {
  /** Its address, such as `http://127.0.0.1:9465`. */
  readonly url: string;
  readonly port: number;
  /** Ends all connections. */
  close(): Promise<void>;
}

const CALL = {
  of: 'serveHealth()',
  example: 'serveHealth(cluster, { port: 9465 })',
  known: [...HANDLER_OPTIONS, 'port', 'host', 'allowedHosts'],
};
/** Probes and scrapes are few and short. */
const MOST_CONNECTIONS = 64;
const REQUEST_MS = 5000;
const ANSWER_READ_MS = 5000;

/**
 * Serves `/healthz`, `/readyz` and `/metrics` of a cluster, or of a server that `serveCli()` has started. The server does not
 * keep the process alive. Rejects with a HealthError if it cannot listen on the address.
 */
export async function serveHealth(subject: HealthSubject, options: ServeHealthOptions): Promise<HealthServer>;
export async function serveHealth(
  subject: HealthSubject,
  options: ServeHealthOptions,
  ...others: readonly unknown[]
): Promise<HealthServer> {
  checkSubject(CALL.of, subject);
  refuseFurtherArguments(others, CALL);
  checkOptionsObject(options, [], CALL);
  const { port, host = '127.0.0.1', allowedHosts, ...shown } = options;
  requireShape('port', port, wholeNumber(0, 65_535));
  requireShape('host', host, filledText);
  checkShape('allowedHosts', allowedHosts, texts);
  checkHandlerOptions(shown);
  const { listener } = createHealthHandler(subject, shown);
  const server = createServer(
    {
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 1000,
    },
    oneAtATime((incoming, outgoing) => {
      // The connection ends with the answer. If a part of the body was still under way then, the client could lose the answer.
      incoming.resume().once('end', () => {
        if (isCalledRightly(incoming, host, allowedHosts)) listener(incoming, outgoing);
        else
          outgoing
            .writeHead(403, { 'content-type': 'text/plain' })
            .end('This server does not go by that name.');
      });
    }),
  );
  limitConnections(server, {
    most: MOST_CONNECTIONS,
    mostMs: REQUEST_MS + (shown.timeoutMs ?? HEALTH_TIMEOUT_MS) + ANSWER_READ_MS,
  });
  server.unref();
  server.on('connection', (socket) => socket.unref());
  const chosen = await listen(server, host, port);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }));
  return {
    url: `http://${urlHost(bareHost(host))}:${chosen}`,
    port: chosen,
    close,
    [Symbol.asyncDispose]: close,
  };
}

// A site can let one of its names lead to 127.0.0.1, and its pages could then read the metrics.
function isCalledRightly(
  { headers }: IncomingMessage,
  host: string,
  allowedHosts: readonly string[] | undefined,
): boolean {
  if (!isLoopback(host) && allowedHosts === undefined) return true;
  const name = readHostName(headers.host);
  return name !== undefined && isOwnHostName(name, allowedHosts ?? []);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void =>
      reject(
        new HealthError(
          'HEALTH_NOT_LISTENING',
          `serveHealth() cannot listen on ${host}, port ${port}: ${messageOf(cause)}. Choose another "port", or 0 for a free one.`,
          { cause },
        ),
      );
    server.once('error', fail);
    server.listen(port, bareHost(host), () => {
      server.off('error', fail);
      server.on('error', () => {});
      resolve((server.address() as AddressInfo).port);
    });
  });
}
