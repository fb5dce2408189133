// The options for a CLI on another host: how to reach it, how each side proves who it is, and which variables are sent along.
import type { Duplex } from 'node:stream';
import { InvalidOptionsError, RemoteError } from '@inboard/core/errors.js';
import { checkShape, inWords, requireShape, wholeNumber } from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject, type ObjectTaker } from '@inboard/core/util/options-object.js';
import { bareHost, isLoopback, urlHost } from '@inboard/core/util/loopback.js';
import { DEFAULT_IDLE_MS } from '../wire/link.js';
import { LINK_MS, quoteGiven } from '../wire/link-times.js';

/** Certificates of this side, and the authority it trusts, each as PEM text. */
export interface RemoteTls {
  /** The authority that signed the other side's certificate. Default: those that Node trusts. */
  ca?: string | Buffer | undefined;
  /** This side's own certificate, if the other side asks for one. */
  cert?: string | Buffer | undefined;
  /** The key of `cert`. */
  key?: string | Buffer | undefined;
  /** The name that the other side's certificate must have. Default: `host`. */
  servername?: string | undefined;
}

/** Which CLI to use. Exactly one of `port`, `path`, `command` and `link` says how to reach it. */
export interface ConnectCliOptions {
  /** Default 127.0.0.1. */
  host?: string | undefined;
  /** The port of `serveCli()`. */
  port?: number | undefined;
  /** `true`, or certificates. Needed for every host other than this machine. */
  tls?: boolean | RemoteTls | undefined;
  /** The path of a local socket, instead of host and port. */
  path?: string | undefined;
  /**
   * A program whose input and output are the link, such as `['ssh', 'host', 'npx', 'inboard', 'remote', 'serve', '--stdio']`.
   */
  command?: readonly string[] | undefined;
  /** Creates a stream to the other host for each CLI, such as a WebSocket as a Node stream. It must be secure by itself. */
  link?: (() => Duplex | Promise<Duplex>) | undefined;
  /** The secret that both sides know. */
  token?: string | undefined;
  /**
   * The folder on the other host in which the CLI works. Default: that of `serveCli()`. The option `cwd` of a query takes
   * precedence.
   */
  cwd?: string | undefined;
  /**
   * The key of the project in a session store. Default: derived from the folder on the other host, or `remote`. The option
   * `projectKey` of a query takes precedence.
   */
  projectKey?: string | undefined;
  /**
   * Variables of this process to send along, by name or pattern, such as `ANTHROPIC_*`. Default: none. Variables that the
   * options of a query set are always sent, unless this process has the same value.
   */
  env?: readonly string[] | undefined;
  /** Milliseconds of silence after which the link counts as lost. Default 5000. */
  idleMs?: number | undefined;
  /** Milliseconds to reach the other side and be accepted. Default 15000. */
  connectTimeoutMs?: number | undefined;
}

/** The options, checked and with defaults. */
export interface RemoteSite extends ConnectCliOptions {
  host: string;
  env: readonly string[];
  idleMs: number;
  connectTimeoutMs: number;
  /** The name of the other host in messages. */
  name: string;
}

const PORT = inWords('a number from 1 to 65535', wholeNumber(1, 65_535));
const WAYS = ['port', 'path', 'command', 'link'] as const;

/** How error messages name the call `connectCli()` and its options. */
export const CONNECT_CALL: ObjectTaker = {
  of: 'connectCli()',
  example: 'connectCli({ host: "…", port: 7400, tls: true, token })',
  known: ['host', 'tls', 'token', 'cwd', 'projectKey', 'env', 'idleMs', 'connectTimeoutMs', ...WAYS],
};

/** Reads the options. Throws an InvalidOptionsError, or a RemoteError if a connection to another host would have no TLS. */
export function readConnectOptions(given: ConnectCliOptions): RemoteSite {
  checkOptionsObject(given, [], CONNECT_CALL);
  const { env = [], idleMs = DEFAULT_IDLE_MS, connectTimeoutMs = 15_000, tls } = given;
  const host = bareHost(given.host ?? '127.0.0.1');
  const ways = WAYS.filter((way) => given[way] !== undefined);
  const refuse = (option: string, message: string): InvalidOptionsError =>
    new InvalidOptionsError([option], message);
  if (ways.length !== 1) {
    const found = ways.length === 0 ? 'none of them' : ways.join(' and ');
    throw refuse(
      'transport',
      `connectCli() needs exactly one of ${WAYS.join(', ')}, to know how to reach the other host; it got ${found}.`,
    );
  }
  checkShape('port', given.port, PORT, { called: 'The port of connectCli()', end: quoteGiven });
  if (given.command?.length === 0 || given.command?.some((word) => typeof word !== 'string'))
    throw refuse('command', 'The command of connectCli() must be a list of words, the program first.');
  for (const [name, value] of Object.entries({ idleMs, connectTimeoutMs }))
    requireShape(name, value, LINK_MS, { called: `"${name}" of connectCli()`, end: quoteGiven });
  if (!Array.isArray(env) || env.some((name) => typeof name !== 'string'))
    throw refuse(
      'env',
      '"env" of connectCli() must be a list of variable names; their values come from this process.',
    );
  if (given.port !== undefined && !tls && !isLoopback(host)) {
    throw new RemoteError(
      'REMOTE_NOT_SECURE',
      `connectCli() would connect to ${host} without TLS, so others could read and change what is sent. Give "tls".`,
      { phase: 'options' },
    );
  }
  return { ...given, host, env, idleMs, connectTimeoutMs, name: nameOf(given, host) };
}

function nameOf({ port, path, command }: ConnectCliOptions, host: string): string {
  if (port !== undefined) return `${urlHost(host)}:${port}`;
  if (path !== undefined) return path;
  return command ? `the host behind "${command[0] ?? ''}"` : 'the other host';
}
