// Explains why a process could not be started. The obstacles that can be checked were ruled out before. This file is for
// what has changed since then, and for what only the system knows.
import { messageOf } from '../../../util/message-of.js';
import { LaunchError, type LaunchFailure } from '../../../errors.js';
import { readBinaryFormat } from '../binary-format.js';
import { hostSystem, type Environment, type OperatingSystem } from '../operating-system.js';

/** The start that failed. */
export interface FailedStart {
  command: string;
  args: readonly string[];
  cwd: string | undefined;
  /** The environment of the process; undefined if it is not known. */
  env?: Environment;
  error: unknown;
  os?: OperatingSystem;
}

/** The typed error for a failed start; the system's own error is its cause. */
export function explainSpawnFailure(start: FailedStart): LaunchError {
  const { command, cwd, error: cause, os = hostSystem } = start;
  const code = readErrorCode(cause);
  const explain = (failure: LaunchFailure, text: string, retryable = false): LaunchError =>
    new LaunchError(failure, `${text} (${code})`, { cause, retryable });
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return explainMissing(start, os, explain);
    case 'EACCES':
    case 'EPERM':
      return cwd !== undefined && !os.canExecute(cwd)
        ? explain('CWD_NOT_FOUND', `The working directory ${cwd} may not be entered by this user`)
        : explain('EXECUTABLE_NOT_PERMITTED', `The system does not let this user execute ${command}`);
    case 'E2BIG':
    case 'ENAMETOOLONG':
      return explain(...describeLength(start));
    case 'ENOEXEC':
    case 'EBADARCH':
    case 'EFTYPE':
    case 'UNKNOWN':
      return explain(
        'WRONG_PLATFORM',
        `${command} is not a program for this system, ${os.platform}-${os.arch}`,
      );
    case 'EMFILE':
    case 'ENFILE':
    case 'EAGAIN':
    case 'ENOMEM':
      return explain(
        'SPAWN_FAILED',
        `The system cannot start another process or open its pipes right now; ${command} was not started`,
        true,
      );
    default:
      return explain('SPAWN_FAILED', `${command} could not be started: ${messageOf(cause)}`);
  }
}

function explainMissing(
  { command, cwd }: FailedStart,
  os: OperatingSystem,
  explain: (failure: LaunchFailure, text: string) => LaunchError,
): LaunchError {
  if (cwd !== undefined && os.statFile(cwd)?.kind !== 'directory') {
    return explain('CWD_NOT_FOUND', `The working directory ${cwd} does not exist or is not a directory`);
  }
  if (!os.statFile(command)) return explain('SPAWN_FAILED', `${command} does not exist`);
  // The file exists, so the program that has to load it is missing.
  const binary = readBinaryFormat((position, length) => os.readBytes(command, position, length));
  return binary.format === 'script'
    ? explain('RUNTIME_NOT_FOUND', `The interpreter named in the first line of ${command} does not exist`)
    : explain(
        'WRONG_PLATFORM',
        `${command} needs the loader ${binary.loader ?? 'of another system'}, which is not installed`,
      );
}

// Linux accepts no single argument or variable of this length, whatever the total is.
const LONGEST_WORD = 128 * 1024;

// The system does not say whether the arguments or the environment are too long. Both count towards the same limit.
function describeLength({ args, env = {} }: FailedStart): [LaunchFailure, string] {
  const words = measure(args.map((word) => ['', Buffer.byteLength(word) + 1]));
  const variables = measure(
    Object.entries(env).map(([name, value]) => [name, Buffer.byteLength(`${name}=${value ?? ''}`) + 1]),
  );
  const lengths =
    `${args.length} arguments of ${words.total} bytes, the longest ${words.longest}; ` +
    `${variables.count} variables of ${variables.total} bytes, the longest ${variables.name} with ${variables.longest}`;
  const isEnvironment =
    words.longest > LONGEST_WORD ? false : variables.longest > LONGEST_WORD || variables.total > words.total;
  return isEnvironment
    ? [
        'ENVIRONMENT_TOO_LONG',
        `The environment is too long for this system: ${lengths}. Use the option "env" to leave out long variables`,
      ]
    : [
        'ARGUMENTS_TOO_LONG',
        `The command line is too long for this system: ${lengths}. Move long values out of the arguments, e.g. settings into a file`,
      ];
}

interface Measured {
  count: number;
  total: number;
  longest: number;
  /** The name of the longest variable. Its value is not kept, because it may be secret. */
  name: string;
}

function measure(sizes: ReadonlyArray<readonly [name: string, bytes: number]>): Measured {
  const [name, longest] = sizes.toSorted((a, b) => b[1] - a[1])[0] ?? ['none', 0];
  return { count: sizes.length, total: sizes.reduce((sum, [, bytes]) => sum + bytes, 0), longest, name };
}

// macOS reports a wrong processor with an error number for which Node has no name.
function readErrorCode(error: unknown): string {
  const { code, errno } = (error ?? {}) as { code?: unknown; errno?: unknown };
  if (errno === -86) return 'EBADARCH';
  return typeof code === 'string' ? code : 'unknown error';
}
