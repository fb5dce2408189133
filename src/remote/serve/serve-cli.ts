// Listens for links and serves each: TCP on loopback, TLS beyond it, or a local socket. Never open for everybody.
import { createServer as createPlain, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createSecure } from 'node:tls';
import { RemoteError } from '../../errors.js';
import { messageOf } from '../../util/message-of.js';
import { attendLink, LinkHost } from './serve-link.js';
import { checkSecurity, checkServeOptions, readTokens, type ServeCliOptions } from './serve-options.js';
import { tell } from './server-event.js';

/** A host that runs CLIs for others. Close it when you are done. */
export interface CliServer extends AsyncDisposable {
  /** Where it listens. */
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string };
  /** How many CLIs are running for others now. */
  readonly sessions: number;
  /**
   * Lets nobody else in, and ends the running CLIs: end of input, then SIGTERM after 2 seconds, then SIGKILL after 5. A client
   * that does not read what its CLI wrote within another 2 seconds loses the rest.
   */
  close(): Promise<void>;
}

/** Links that were accepted beyond the CLIs that may run: those that have not shown yet who they are. */
const MOST_STRANGERS = 128;

/** How long a TLS handshake may take. */
const TLS_HANDSHAKE_MS = 5000;

/**
 * Runs a CLI for each link that authenticates itself. Rejects with a RemoteError REMOTE_NOT_SECURE if everyone would be let in or
 * others could listen, and rejects if the address cannot be used.
 */
export async function serveCli(options: ServeCliOptions): Promise<CliServer>;
export async function serveCli(options: ServeCliOptions, ...others: readonly unknown[]): Promise<CliServer> {
  checkServeOptions(options, others);
  checkSecurity(options);
  const host = new LinkHost(options, readTokens(options.token));
  const links = new Map<Socket, Promise<void>>();
  const server = createListener(options, (socket) => {
    const peer = describePeer(socket);
    socket.on('error', () => {});
    if (host.closing.signal.aborted || links.size >= host.limits.maxSessions + MOST_STRANGERS) {
      tell(options.onEvent, { type: 'refused', peer, reason: 'too many links' });
      socket.destroy();
      return;
    }
    socket.setNoDelay(true);
    links.set(
      socket,
      attendLink(socket, host, peer).finally(() => links.delete(socket)),
    );
  });
  server.on('tlsClientError', (error: Error, socket: Socket) => {
    tell(options.onEvent, { type: 'refused', peer: describePeer(socket), reason: messageOf(error) });
  });
  await listen(server, options);
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      host.closing.abort();
      await Promise.all(links.values());
      await closed;
    })();
    return closing;
  };
  const address = server.address() as AddressInfo | string;
  return {
    address: typeof address === 'string' ? { path: address } : { host: address.address, port: address.port },
    get sessions() {
      return host.sessions;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createListener(
  { listen: { tls }, clientCertificates }: ServeCliOptions,
  onLink: (socket: Socket) => void,
): Server {
  if (!tls) return createPlain(onLink);
  const isMutual = clientCertificates === true;
  try {
    return createSecure(
      {
        ...tls,
        requestCert: isMutual,
        rejectUnauthorized: isMutual,
        handshakeTimeout: TLS_HANDSHAKE_MS,
        minVersion: 'TLSv1.2',
      },
      onLink,
    );
  } catch (cause) {
    throw new RemoteError(
      'REMOTE_NOT_SECURE',
      `The certificates of serveCli() cannot be used: ${messageOf(cause)}`,
      {
        phase: 'options',
        cause,
      },
    );
  }
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
    server.listen(path === undefined ? { port, host } : { path }, () => {
      server.off('error', onError);
      server.on('error', () => {});
      resolve();
    });
  });
}

function describePeer({ remoteAddress, remotePort }: Socket): string {
  return remoteAddress === undefined ? 'a local socket' : `${remoteAddress}:${remotePort ?? 0}`;
}
