// The options `--port`, `--host` and `--allow-host`, which several commands take: reads the port, and says with the
// words of the command line why a server cannot listen.
import { InboardError } from '@inboard/core/errors.js';
import { codeOf, messageOf } from '@inboard/core/util/message-of.js';
import { readText, type CommandInput } from './command.js';
import { CommandError, UsageError } from './terminal/usage-error.js';

/**
 * The port, or undefined if none was given. Throws a UsageError for a value that is not a port, such as an empty text.
 */
export function readPort(input: CommandInput, option = 'port'): number | undefined {
  const text = readText(input, option);
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--${option} must be a number from 0 to 65535, not "${text}".`);
}

/** Where a server was to listen. The port is undefined if the server chose it. */
export interface ListenPlace {
  host: string;
  port: number | undefined;
  /** The options of the command line that set them. Default: `port` and `host`. */
  portOption?: string | undefined;
  hostOption?: string | undefined;
}

/** The errors of functions that listen. Their `cause` is the error of Node. */
const NOT_LISTENING = new Set(['INSPECTOR_NOT_LISTENING', 'REMOTE_LISTEN_FAILED', 'HEALTH_NOT_LISTENING']);
/** What to change, by the error code of Node. */
const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Choose another with --port, or 0 for a free one.',
  EACCES: 'Choose another with --port, or 0 for a free one.',
  EADDRNOTAVAIL: 'Choose an address of this machine with --host.',
  ENOTFOUND: 'Choose an address of this machine with --host.',
};

/** The error for a command whose server cannot listen. */
export function describeListenFailure(cause: unknown, place: ListenPlace): CommandError {
  const { host, port, portOption = 'port', hostOption = 'host' } = place;
  const where = port === undefined ? host : `${host}, port ${port}`;
  const advice = (LISTEN_ADVICE[codeOf(cause)] ?? '')
    .replace('--port', `--${portOption}`)
    .replace('--host', `--${hostOption}`);
  const message = `Cannot listen on ${where}: ${messageOf(cause)}. ${advice}`.trimEnd();
  return new CommandError('NOT_LISTENING', message, { cause });
}

/** Starts a server. Its errors about the place to listen name the options of the command line. */
export async function startListening<T>(place: ListenPlace, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof InboardError)) throw error;
    if (NOT_LISTENING.has(error.code)) throw describeListenFailure(error.cause, place);
    if (error.code === 'INSPECTOR_HOST_REFUSED') throw new UsageError(`--allow-host: ${error.message}`);
    throw error;
  }
}
