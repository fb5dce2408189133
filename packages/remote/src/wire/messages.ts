// The messages of the two sides besides streams: greeting, refusal, start, signal and exit. This file reads and checks all of
// them. Of those that are sent, it builds only the greetings.
import { RemoteError, type RemoteFault } from '@inboard/core/errors.js';
import { asString, isRecord, parseRecord } from '@inboard/core/util/guards.js';

/** Add 1 when a side with the previous version would misunderstand a side with the new one. */
const PROTOCOL_VERSION = 1;

const NAME = 'inboard-remote';

/** The first frame of a client that wants a CLI. */
export interface Hello {
  token: string | undefined;
  idleMs: number;
}

/** The answer to a `Hello`. */
export interface Welcome {
  /** The version of the CLI on that host. Undefined if it is not known. */
  version: string | undefined;
  idleMs: number;
}

/** A file that is sent with a start. The bytes of all files follow in this order, with nothing between them. */
export interface SentFile {
  /**
   * `session`: the path is below the project's folder. `argument`: the path is only a name, and a placeholder in the arguments
   * stands for the file.
   */
  kind: 'session' | 'argument';
  path: string;
  size: number;
}

/** The CLI to start: arguments, environment, folder and files. */
export interface Start {
  args: string[];
  env: Record<string, string>;
  cwd: string;
  files: SentFile[];
}

/** How the CLI ended, or why it was not started. */
export interface Exit {
  exitCode: number | null;
  signal: string | null;
  failure: { message: string; retryable: boolean } | undefined;
}

/** Why a client is not let in. */
export interface LinkRefusal {
  code: RemoteFault;
  message: string;
  retryable: boolean;
}

const LONGEST_IDLE_MS = 600_000;

const FAULTS: readonly string[] = ['REMOTE_REFUSED', 'REMOTE_PROTOCOL', 'REMOTE_START_FAILED'];

/**
 * The placeholder in the arguments for the path of a sent file on the other host. It has a NUL character, which no real
 * argument can have.
 */
export function placeholderOf(index: number): string {
  return `\0${index}`;
}

/** The form in which a greeting is sent. */
export function helloOf({ token, idleMs }: Hello): object {
  return { name: NAME, protocol: PROTOCOL_VERSION, token, idleMs };
}

/** The form in which the answer to a greeting is sent. */
export function welcomeOf({ version, idleMs }: Welcome): object {
  return { name: NAME, protocol: PROTOCOL_VERSION, version, idleMs };
}

/** Reads a greeting. Throws a RemoteError if the payload is no greeting of this version. */
export function readHello(payload: Buffer): Hello {
  const fields = readGreeting(payload);
  return { token: asString(fields['token']), idleMs: readIdle(fields['idleMs']) };
}

/** Reads the answer to a greeting. Throws a RemoteError if the payload is no answer of this version. */
export function readWelcome(payload: Buffer): Welcome {
  const fields = readGreeting(payload);
  return { version: asString(fields['version']), idleMs: readIdle(fields['idleMs']) };
}

/** Reads a start. Throws a RemoteError if something is missing, or a path leads out of its folder. */
export function readStart(payload: Buffer): Start {
  const { args, env, cwd, files } = readFields(payload);
  const isRight =
    Array.isArray(args) &&
    args.every((word) => typeof word === 'string') &&
    isRecord(env) &&
    Object.values(env).every((value) => typeof value === 'string') &&
    typeof cwd === 'string' &&
    Array.isArray(files) &&
    files.every(isSentFile);
  if (!isRight) throw unclear('a start message that cannot be read');
  return { args, env: env as Record<string, string>, cwd, files };
}

/** Reads an exit. Throws a RemoteError if the payload cannot be read. */
export function readExit(payload: Buffer): Exit {
  const { exitCode, signal, failure } = readFields(payload);
  return {
    exitCode: typeof exitCode === 'number' ? exitCode : null,
    signal: asString(signal) ?? null,
    failure: isRecord(failure)
      ? { message: asString(failure['message']) ?? 'no reason', retryable: failure['retryable'] === true }
      : undefined,
  };
}

/** Reads a refusal. Never throws, because a refusal that cannot be read is still a refusal. */
export function readRefusal(payload: Buffer): LinkRefusal {
  const { code, message, retryable } = parseRecord(payload.toString('utf8')) ?? {};
  return {
    code: typeof code === 'string' && FAULTS.includes(code) ? (code as RemoteFault) : 'REMOTE_REFUSED',
    message: asString(message) ?? 'no reason was given',
    retryable: retryable === true,
  };
}

/** The signal to send. Undefined for any signal other than SIGTERM and SIGKILL. */
export function readSignal(payload: Buffer): 'SIGTERM' | 'SIGKILL' | undefined {
  const { signal } = parseRecord(payload.toString('utf8')) ?? {};
  return signal === 'SIGTERM' || signal === 'SIGKILL' ? signal : undefined;
}

function isSentFile(value: unknown): value is SentFile {
  if (!isRecord(value)) return false;
  const { kind, path, size } = value;
  const isKind = kind === 'session' || kind === 'argument';
  return isKind && Number.isSafeInteger(size) && (size as number) >= 0 && isInside(path);
}

/** Whether a path stays below the folder it is put into. */
function isInside(path: unknown): path is string {
  if (typeof path !== 'string' || path.length > 1024 || /[\0\\:]/.test(path)) return false;
  const steps = path.split('/');
  return steps.length <= 16 && steps.every((step) => step !== '' && step !== '.' && step !== '..');
}

function readGreeting(payload: Buffer): Record<string, unknown> {
  const fields = readFields(payload);
  if (fields['name'] !== NAME) throw unclear('a greeting that cannot be read');
  if (fields['protocol'] === PROTOCOL_VERSION) return fields;
  const theirs = typeof fields['protocol'] === 'number' ? fields['protocol'] : 'unknown';
  throw new RemoteError(
    'REMOTE_PROTOCOL',
    `The two sides speak different versions of the protocol: ${PROTOCOL_VERSION} here, ${theirs} there. Install the same version of inboard on both.`,
  );
}

function readFields(payload: Buffer): Record<string, unknown> {
  const fields = parseRecord(payload.toString('utf8'));
  if (!fields) throw unclear('something that is not a JSON object');
  return fields;
}

function readIdle(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(value, LONGEST_IDLE_MS) : LONGEST_IDLE_MS;
}

function unclear(what: string): RemoteError {
  return new RemoteError('REMOTE_PROTOCOL', `The other side sent ${what}`);
}
