// `inboard remote serve`: offers the CLI of this host to programs on other hosts.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Duplex } from 'node:stream';
import { serveHealth, type HealthServer } from '@inboard/core/health/serve-health.js';
import { serveCli, type CliServer } from '@inboard/remote/serve/serve-cli.js';
import { serveLink } from '@inboard/remote/serve/serve-link.js';
import type { CliPlace, ServerTls } from '@inboard/remote/serve/serve-options.js';
import type { RemoteServerEvent } from '@inboard/remote/serve/server-event.js';
import { claimOutput } from '@inboard/core/util/claim-output.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { onAbort } from '@inboard/core/util/on-abort.js';
import { readSwitch, readText, readTexts, type CommandInput } from '../command.js';
import { readPort, startListening } from '../port-option.js';
import { noteLine, printLine } from '../terminal/terminal.js';
import { CommandError, EXIT_CODES, UsageError } from '../terminal/usage-error.js';

const FOR_PORTS = ['host', 'tls-cert', 'tls-key', 'tls-ca', 'health-port', 'health-host'];

/** Serves until the command is stopped. With `--stdio`, it also ends when the program on the standard input has left. */
export async function serveRemote(input: CommandInput): Promise<number> {
  if (input.args[0] !== 'serve')
    throw new UsageError(`There is no "remote ${input.args[0] ?? ''}". Use "remote serve".`);
  const isStdio = readSwitch(input, 'stdio');
  const port = readPort(input);
  if (isStdio === (port !== undefined)) throw new UsageError('Give either --stdio or --port <n>.');
  return port === undefined ? await serveStdio(input) : await servePort(input, port);
}

async function serveStdio(input: CommandInput): Promise<number> {
  const { terminal } = input;
  const extra = FOR_PORTS.find((name) => readText(input, name) !== undefined);
  if (extra) throw new UsageError(`--${extra} needs --port.`);
  const token = readToken(input);
  const { output, restore } = claimOutput(terminal.stdout, terminal.stderr);
  const link = Duplex.from({ readable: terminal.stdin, writable: output });
  const forget = onAbort(terminal.signal, () => link.destroy());
  try {
    // Only problems are printed here, because the other side shows what this command prints.
    const onEvent = (event: RemoteServerEvent): void => {
      if (event.type === 'refused' || event.type === 'failed') note(input, event);
    };
    const access = token === undefined ? { trusted: true } : { token };
    await serveLink(link, { ...readPlace(input), ...access, onEvent });
  } finally {
    forget();
    restore();
  }
  return EXIT_CODES.ok;
}

async function servePort(input: CommandInput, port: number): Promise<number> {
  const { terminal } = input;
  const healthPlace = readHealthPlace(input);
  const tls = readTls(input);
  const host = readText(input, 'host');
  const server = await startListening({ port, host: host ?? '127.0.0.1' }, () =>
    serveCli({
      ...readPlace(input),
      listen: { port, host, tls },
      token: readToken(input),
      clientCertificates: tls?.ca !== undefined,
      onEvent: (event) => note(input, event),
    }),
  );
  const { address } = server;
  if ('port' in address)
    printLine(terminal, `Listening on ${address.host} port ${address.port}. Press Ctrl-C to stop.`);
  const health = await startHealth(input, server, healthPlace);
  await new Promise<void>((done) => {
    onAbort(terminal.signal, done);
  });
  await server.close();
  // It is closed last, so that it tells of the drain.
  await health?.close();
  return EXIT_CODES.ok;
}

function readHealthPlace(input: CommandInput): { port: number; host: string } | undefined {
  const port = readPort(input, 'health-port');
  const host = readText(input, 'health-host');
  if (port === undefined && host !== undefined) throw new UsageError('--health-host needs --health-port.');
  return port === undefined ? undefined : { port, host: host ?? '127.0.0.1' };
}

async function startHealth(
  { terminal }: CommandInput,
  server: CliServer,
  place: { port: number; host: string } | undefined,
): Promise<HealthServer | undefined> {
  if (!place) return undefined;
  try {
    const options = { portOption: 'health-port', hostOption: 'health-host' };
    const health = await startListening({ ...place, ...options }, () => serveHealth(server, place));
    printLine(terminal, `Health on ${health.url}/readyz, metrics on ${health.url}/metrics.`);
    return health;
  } catch (error) {
    await server.close();
    throw error;
  }
}

function readPlace(input: CommandInput): CliPlace {
  const { terminal } = input;
  const cwd = resolve(terminal.cwd, readText(input, 'cwd') ?? '');
  const secret = readText(input, 'token-env');
  return {
    cli: readText(input, 'cli'),
    cwd,
    folders: readTexts(input, 'folder').map((folder) => resolve(terminal.cwd, folder)),
    // The CLI and the processes it starts must not see the token.
    env: Object.fromEntries(Object.entries(terminal.env).filter(([name]) => name !== secret)),
    idleMs: readNumber(input, 'idle'),
    maxSessions: readNumber(input, 'max-sessions'),
  };
}

function readToken(input: CommandInput): string | undefined {
  const name = readText(input, 'token-env');
  if (name === undefined) return undefined;
  const token = input.terminal.env[name];
  if (token) return token;
  throw new CommandError(
    'REMOTE_NOT_SECURE',
    `The variable ${name} that --token-env names is not set, or is empty.`,
  );
}

function readTls(input: CommandInput): ServerTls | undefined {
  const [cert, key, ca] = ['tls-cert', 'tls-key', 'tls-ca'].map((name) => readFile(input, name));
  if (cert === undefined && key === undefined && ca === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError(
      'TLS needs both --tls-cert and --tls-key, the certificate of this host and its key.',
    );
  return { cert, key, ca };
}

function readFile(input: CommandInput, option: string): string | undefined {
  const path = readText(input, option);
  if (path === undefined) return undefined;
  try {
    return readFileSync(resolve(input.terminal.cwd, path), 'utf8');
  } catch (cause) {
    throw new CommandError(
      'FILE_UNREADABLE',
      `The file that --${option} names cannot be read: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
}

function readNumber(input: CommandInput, option: string): number | undefined {
  const text = readText(input, option);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${option} takes a whole number, not "${text}".`);
  return Number(text);
}

function note({ terminal }: CommandInput, event: RemoteServerEvent): void {
  noteLine(terminal, `inboard: ${describe(event)}`);
}

function describe(event: RemoteServerEvent): string {
  const { peer } = event;
  if (event.type === 'refused') return `${peer} was refused: ${event.reason}`;
  if (event.type === 'failed') return `${peer} got no CLI: ${event.reason}`;
  const pid = event.pid ?? 'unknown';
  if (event.type === 'started') return `${peer} has the CLI with process id ${pid}, in ${event.cwd}`;
  const how = event.signal ?? `exit code ${event.exitCode ?? 'unknown'}`;
  const lost = event.lost === undefined ? '' : `: ${event.lost}`;
  return `The CLI ${pid} of ${peer} ended with ${how}${lost}`;
}
