// Turns a found CLI and its arguments into the command that is started: a program directly, a script
// through a JavaScript runtime.
import { LaunchError } from '../../../errors.js';
import type { FoundExecutable } from './find-executable.js';
import { hostSystem } from '../operating-system.js';
import type { Environment, OperatingSystem } from '../operating-system.js';
import { searchPath } from './search-path.js';
import { isShimName, resolveShim } from './windows-shim.js';

/** The runtimes that can run a CLI script. */
export type Runtime = 'node' | 'bun' | 'deno';

/** A program and its arguments, as handed to the system. */
export interface Command {
  command: string;
  args: string[];
}

/** The runtime this process itself runs in. */
export interface HostRuntime {
  runtime: Runtime;
  /** The runtime's own file; undefined when this process is some other program, e.g. Electron or a single-file app. */
  file: string | undefined;
}

/** What the command is made of. */
export interface CommandParts {
  executable: Pick<FoundExecutable, 'path' | 'kind'>;
  /** The option `executable`: a name, or what programs also give, the path of one. Default: the runtime this process runs in. */
  runtime?: Runtime | (string & Record<never, never>);
  /** The option `executableArgs`: arguments of the runtime; a program has no use for them. */
  runtimeArgs?: readonly string[];
  args: readonly string[];
  env: Environment;
  /** The command may run on another machine (a custom spawner): the runtime stays a bare name, unchecked. */
  elsewhere?: boolean;
  os?: OperatingSystem;
  host?: HostRuntime;
}

/** The command that starts the CLI; throws `LaunchError` RUNTIME_NOT_FOUND when a script has nothing to run it. */
export function buildCommand(parts: CommandParts): Command {
  const { executable, args } = parts;
  // Plain JavaScript callers write null for none.
  const runtimeArgs = parts.runtimeArgs ?? [];
  if (executable.kind === 'native') return { command: executable.path, args: [...args] };
  const host = parts.host ?? detectHostRuntime();
  const runtime = parts.runtime ?? host.runtime;
  const command = parts.elsewhere || isPath(runtime) ? runtime : findRuntime({ runtime, host, parts });
  const before = /(?:^|[\\/])deno(?:\.exe)?$/.test(runtime)
    ? completeDenoArguments(runtimeArgs)
    : runtimeArgs;
  return { command, args: [...before, executable.path, ...args] };
}

/** Which runtime this process is. */
export function detectHostRuntime(versions: NodeJS.ProcessVersions = process.versions): HostRuntime {
  const runtime = versions.bun !== undefined ? 'bun' : 'deno' in versions ? 'deno' : 'node';
  const file = process.execPath;
  // Electron, and programs compiled to a single file, call themselves Node without being able to run a script.
  const isItself = new RegExp(`(?:^|[\\\\/])${runtime}(?:js|-?v?[\\d.]+)?(?:\\.exe)?$`, 'i').test(file);
  return { runtime, file: isItself && versions['electron'] === undefined ? file : undefined };
}

function isPath(runtime: string): boolean {
  return /[\\/]/.test(runtime);
}

interface RuntimeSearch {
  runtime: string;
  host: HostRuntime;
  parts: CommandParts;
}

function findRuntime({ runtime, host, parts }: RuntimeSearch): string {
  const { env, os = hostSystem } = parts;
  const own = host.runtime === runtime ? host.file : undefined;
  // Asked for by name, the one on PATH counts; otherwise the one that already runs is the surest.
  if (parts.runtime === undefined && own !== undefined) return own;
  const found = searchPath({ name: runtime, env, os });
  const program = found !== undefined && isShimName(found, os) ? resolveShim(found, os) : found;
  if (program !== undefined) return program;
  if (own !== undefined) return own;
  throw new LaunchError(
    'RUNTIME_NOT_FOUND',
    `The CLI at ${parts.executable.path} is a script and needs "${runtime}" to run, which is not on PATH. ` +
      `Put ${runtime} on PATH, choose another runtime with the option "executable", or install the native CLI ` +
      'with "npm install @anthropic-ai/claude-code".',
  );
}

// Deno runs a file only through a subcommand and asks for every permission at the terminal, which a child
// does not have. Permissions the caller gave are taken as the whole answer.
function completeDenoArguments(runtimeArgs: readonly string[]): string[] {
  if (runtimeArgs[0] === 'run') return [...runtimeArgs];
  const hasPermissions = runtimeArgs.some((argument) =>
    /^(?:-[AP]|--(?:allow|deny|permission))/.test(argument),
  );
  return ['run', ...(hasPermissions ? [] : ['-A']), ...runtimeArgs];
}
