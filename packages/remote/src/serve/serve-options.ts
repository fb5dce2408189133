// The options of a host that runs CLIs for others: who may connect, and where and how the CLI is started.
import type { Environment } from '@inboard/core/wire/process/operating-system.js';
import { RemoteError } from '@inboard/core/errors.js';
import { requireShape, shape } from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject, type ObjectTaker } from '@inboard/core/util/options-object.js';
import { isLoopback } from '@inboard/core/util/loopback.js';
import { DEFAULT_IDLE_MS } from '../wire/link.js';
import { LINK_MS, quoteGiven } from '../wire/link-times.js';
import type { RemoteServerEvent } from './server-event.js';

/** Where and how the CLI of this host is started. */
export interface CliPlace {
  /** The CLI. Default: found as `query()` finds it. */
  cli?: string | undefined;
  /** The folder in which CLIs work. Clients may also ask for folders below it. Default: the folder of this process. */
  cwd?: string | undefined;
  /** Further folders that clients may ask for. Folders below them are allowed too. */
  folders?: readonly string[] | undefined;
  /**
   * The environment of the CLI. The variables that the client sends are added to it. Default: the environment of this process.
   */
  env?: Environment | undefined;
  /** Milliseconds of silence after which a link counts as lost and its CLI is killed. Default 5000. */
  idleMs?: number | undefined;
  /** The maximum number of CLIs at the same time. Further ones are refused until one has ended. Default 64. */
  maxSessions?: number | undefined;
  /** The most bytes of files that may be sent with one start, such as the transcript of a session to resume. Default 1 GiB. */
  maxFileBytes?: number | undefined;
  /** Called for each event of links and CLIs, for a log. If it throws, the error is reported as a process warning. */
  onEvent?: ((event: RemoteServerEvent) => void) | undefined;
}

/** Options for a link that the program made itself. */
export interface ServeLinkOptions extends CliPlace {
  /** The secret that both sides know, at least 16 characters. Give several while you replace one by another. */
  token?: string | readonly string[] | undefined;
  /** Set it if the link itself proves who is at the other end, as ssh does. Then no token is needed. */
  trusted?: boolean | undefined;
}

/** Certificates of this side, each as PEM text. */
export interface ServerTls {
  cert: string | Buffer;
  /** The key of `cert`. */
  key: string | Buffer;
  /** The authority that signed the clients' certificates. Needed for `clientCertificates`. */
  ca?: string | Buffer | undefined;
}

/** Where to listen, and who may connect. */
export interface ServeCliOptions extends CliPlace {
  listen: {
    /** Default: a free port, which `address` of the server tells. */
    port?: number | undefined;
    /** Default 127.0.0.1. Any address that others can reach needs `tls`. */
    host?: string | undefined;
    /** The path of a local socket, instead of host and port. */
    path?: string | undefined;
    tls?: ServerTls | undefined;
  };
  /** The secret that both sides know, at least 16 characters. Give several while you replace one by another. */
  token?: string | readonly string[] | undefined;
  /** Lets in only clients with a certificate from `listen.tls.ca`. With `token`, both are needed. */
  clientCertificates?: boolean | undefined;
}

const PLACE = ['cli', 'cwd', 'folders', 'env', 'idleMs', 'maxSessions', 'maxFileBytes', 'onEvent'];

const SERVE_CALL: ObjectTaker = {
  of: 'serveCli()',
  example: 'serveCli({ listen: { port: 7400 }, token })',
  known: [...PLACE, 'listen', 'token', 'clientCertificates'],
};

const LINK_CALL: ObjectTaker = {
  of: 'serveLink()',
  example: 'serveLink(duplex, { token })',
  known: [...PLACE, 'token', 'trusted', 'peer'],
};

const SHORTEST_TOKEN = 16;

/** Reads the tokens. Throws a RemoteError for a token that is easily guessed. */
export function readTokens(token: ServeLinkOptions['token']): string[] {
  const tokens = token === undefined ? [] : typeof token === 'string' ? [token] : [...token];
  if (tokens.some((each) => typeof each !== 'string' || each.length < SHORTEST_TOKEN)) {
    throw notSecure(
      `A token must have at least ${SHORTEST_TOKEN} characters. Make one with: node -p "crypto.randomBytes(32).toString('hex')"`,
    );
  }
  return tokens;
}

/** Throws an InvalidOptionsError for input that `serveCli()` would otherwise ignore. */
export function checkServeOptions(options: ServeCliOptions, others: readonly unknown[]): void {
  checkOptionsObject(options, others, SERVE_CALL);
  checkOptionsObject(options.listen, [], {
    ...SERVE_CALL,
    of: '"listen" of serveCli()',
    known: ['port', 'host', 'path', 'tls'],
  });
}

/** Throws a RemoteError unless every client must show who it is, over a connection that others cannot read. */
export function checkSecurity({ listen, token, clientCertificates }: ServeCliOptions): void {
  const { host = '127.0.0.1', path, tls } = listen;
  if (path === undefined && !tls && !isLoopback(host)) {
    throw notSecure(
      `serveCli() would listen on ${host} without TLS, so others could read and change what is sent. Give "listen.tls".`,
    );
  }
  if (clientCertificates === true && !tls?.ca) {
    throw notSecure(
      '"clientCertificates" needs "listen.tls.ca", the authority whose certificates are accepted.',
    );
  }
  if (clientCertificates !== true && readTokens(token).length === 0) {
    throw notSecure(
      'serveCli() runs programs for whoever can reach it, and would let everyone in. Give a "token", or "clientCertificates" with TLS.',
    );
  }
}

/** Throws a RemoteError if a link would let every client in. */
export function checkLink(options: ServeLinkOptions): void {
  checkOptionsObject(options, [], LINK_CALL);
  const { token, trusted } = options;
  if (trusted !== true && readTokens(token).length === 0) {
    throw notSecure(
      'serveLink() runs programs for whoever is at the other end. Give a "token", or set "trusted: true" if the link itself proves who that is, as ssh does.',
    );
  }
}

const COUNT = shape(
  'a whole number above 0',
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
);

/** Reads the limits, and fills in the defaults. */
export function readLimits({
  idleMs = DEFAULT_IDLE_MS,
  maxSessions = 64,
  maxFileBytes = 2 ** 30,
}: CliPlace): {
  idleMs: number;
  maxSessions: number;
  maxFileBytes: number;
} {
  requireShape('idleMs', idleMs, LINK_MS, { end: quoteGiven });
  for (const [name, value] of Object.entries({ maxSessions, maxFileBytes }))
    requireShape(name, value, COUNT, { end: quoteGiven });
  return { idleMs, maxSessions, maxFileBytes };
}

function notSecure(message: string): RemoteError {
  return new RemoteError('REMOTE_NOT_SECURE', message, { phase: 'options' });
}
