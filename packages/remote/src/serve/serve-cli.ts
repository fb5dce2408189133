// Listens for links and serves each of them. It listens with TCP on loopback, with TLS beyond it, or on a local socket. Every
// client must prove who it is.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createSecure, type Server as SecureServer, type TLSSocket } from 'node:tls';
import { RemoteError } from '@inboard/core/errors.js';
import type { HealthOptions, HealthReport } from '@inboard/core/health/health-report.js';
import { bareHost } from '@inboard/core/util/loopback.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { checkPlace } from './local-cli.js';
import { attendLink, LinkHost } from './serve-link.js';
import {
  checkSecurity,
  checkServeOptions,
  readTokens,
  type ServeCliOptions,
  type ServerTls,
} from './serve-options.js';
import { tell, type RemoteServerEvent } from './server-event.js';
import { ServerHealth } from './server-health.js';
import { Strangers, type Stranger } from './strangers.js';

/** A host that runs CLIs for others. Close it when you are done. */
export interface CliServer extends AsyncDisposable {
  /** The address or path on which the host listens. */
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string };
  /** How many CLIs run for others now, or are about to be started. */
  readonly sessions: number;
  /**
   * Whether another client would get a CLI now: the server is not closing, has a place free, finds the CLI, and has room on its
   * disk. Never rejects.
   */
  health(options?: HealthOptions): Promise<HealthReport>;
  /** What this server has done, and how many CLIs run, in the text format of Prometheus. */
  metrics(options?: HealthOptions): Promise<string>;
  /**
   * Lets no further client in, and ends the running CLIs: end of input, then SIGTERM after 2 seconds, then SIGKILL after 5. A
   * client that does not read the output of its CLI within another 2 seconds loses the rest.
   */
  close(): Promise<void>;
}

/**
 * How many clients that have not shown who they are there may be, in addition to `maxSessions`. One program may start
 * `maxSessions` CLIs at once, and each begins as such a client.
 */
const MOST_STRANGERS = 128;
const MOST_OF_ONE_ADDRESS = 32;

/** How long a TLS handshake may take. */
const TLS_HANDSHAKE_MS = 5000;

/**
 * Runs a CLI for each client that authenticates itself. Rejects with a RemoteError REMOTE_NOT_SECURE if everyone would be let
 * in or others could listen. Rejects with an InvalidOptionsError if a named folder or the named CLI does not exist. Rejects
 * with a RemoteError REMOTE_LISTEN_FAILED if the address cannot be used.
 */
export async function serveCli(options: ServeCliOptions): Promise<CliServer>;
export async function serveCli(given: ServeCliOptions, ...others: readonly unknown[]): Promise<CliServer> {
  checkServeOptions(given, others);
  checkSecurity(given);
  checkPlace(given);
  const onEvent = (event: RemoteServerEvent): unknown => {
    health.note(event);
    return given.onEvent?.(event);
  };
  const options: ServeCliOptions = { ...given, onEvent };
  const host = new LinkHost(options, readTokens(options.token));
  const { maxSessions } = host.limits;
  const health = new ServerHealth({
    isClosing: () => host.closing.signal.aborted,
    sessions: () => host.sessions,
    maxSessions,
    hasCli: () => host.cli.isThere(),
  });
  const strangers = new Strangers({
    most: maxSessions + MOST_STRANGERS,
    mostOfOne: maxSessions + MOST_OF_ONE_ADDRESS,
  });
  const links = new Map<Socket, Promise<void>>();
  const attend = (socket: Socket, stranger: Stranger): void => {
    stranger.hasLink = true;
    socket.setNoDelay(true);
    const served = attendLink(socket, host, { stranger, onKnown: () => strangers.know(stranger) });
    links.set(
      stranger.socket,
      served.finally(() => links.delete(stranger.socket)),
    );
  };
  const secure = createSecureServer(options, attend);
  const server = createServer((socket) => {
    const stranger = strangers.meet(socket);
    socket.on('error', () => {});
    if (!secure) {
      attend(socket, stranger);
      return;
    }
    socket.once('close', () => {
      // If a certificate is not accepted, Node closes the socket without an error.
      const reason =
        stranger.reason ?? 'the TLS handshake was not finished, or its certificate is not accepted here';
      if (!stranger.hasLink) tell(options.onEvent, { type: 'refused', peer: stranger.peer, reason });
    });
    secure(stranger);
  });
  await listen(server, options);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      host.closing.abort();
      // A client that has a link gets a goodbye. A client in the middle of a handshake cannot be told anything.
      for (const { socket, hasLink } of strangers.list()) if (!hasLink) socket.destroy();
      await Promise.all(links.values());
      await closed;
      health.close();
    })();
    return closing;
  };
  const address = server.address() as AddressInfo | string;
  return {
    address: typeof address === 'string' ? { path: address } : { host: address.address, port: address.port },
    get sessions() {
      return host.sessions;
    },
    health: (asked) => health.report(asked),
    metrics: (asked) => health.metrics(asked),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Makes the function that takes a stranger through the TLS handshake. Undefined if TLS is not used. */
function createSecureServer(
  options: ServeCliOptions,
  onLink: (socket: TLSSocket, stranger: Stranger) => void,
): ((stranger: Stranger) => void) | undefined {
  const { tls } = options.listen;
  if (!tls) return undefined;
  const server = createSecureListener(tls, options.clientCertificates === true);
  // Finds the stranger of a TLS socket. The TLS socket does not name the socket that it was made from, and a local socket has
  // no address to compare.
  const meant = new AsyncLocalStorage<Stranger>();
  server.on('secureConnection', (socket) => {
    const stranger = meant.getStore();
    socket.on('error', () => {});
    if (stranger) onLink(socket, stranger);
    else socket.destroy();
  });
  // Node emits this event after any failure, even for a handshake that took too long, and leaves the socket open.
  server.on('tlsClientError', (error, socket) => {
    const stranger = meant.getStore();
    if (stranger) stranger.reason ??= `the TLS handshake failed: ${describeTlsError(error)}`;
    socket.destroy();
    stranger?.socket.destroy();
  });
  return (stranger) => meant.run(stranger, () => server.emit('connection', stranger.socket));
}

function createSecureListener(tls: ServerTls, isMutual: boolean): SecureServer {
  try {
    return createSecure({
      ...tls,
      requestCert: isMutual,
      rejectUnauthorized: isMutual,
      handshakeTimeout: TLS_HANDSHAKE_MS,
      minVersion: 'TLSv1.2',
    });
  } catch (cause) {
    throw new RemoteError(
      'REMOTE_NOT_SECURE',
      `The certificates of serveCli() cannot be used: ${messageOf(cause)}`,
      { phase: 'options', cause },
    );
  }
}

// The reason is preferred, because the message of OpenSSL includes positions in the source of OpenSSL.
function describeTlsError(error: Error): string {
  const { reason, code } = error as NodeJS.ErrnoException & { reason?: string };
  return reason === undefined ? error.message : `${reason}${code === undefined ? '' : ` (${code})`}`;
}

function listen(
  server: Server,
  { listen: { port = 0, host = '127.0.0.1', path } }: ServeCliOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (cause: Error): void =>
      reject(
        new RemoteError('REMOTE_LISTEN_FAILED', `serveCli() cannot listen: ${cause.message}`, { cause }),
      );
    server.once('error', onError);
    server.listen(path === undefined ? { port, host: bareHost(host) } : { path }, () => {
      server.off('error', onError);
      server.on('error', () => {});
      resolve();
    });
  });
}
