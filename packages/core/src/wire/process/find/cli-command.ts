// Builds the command that starts a CLI. A native program is started directly, a script by a JavaScript runtime.
import { LaunchError } from '../../../errors.js';
import type { FoundExecutable } from './find-executable.js';
import { detectHostRuntime, type HostRuntime, type Runtime } from './host-runtime.js';
import { hostSystem, type Environment, type OperatingSystem } from '../operating-system.js';
import { searchPath } from './search-path.js';
import { isShimName, resolveShim } from './windows-shim.js';

/** A program and its arguments, as passed to the system. */
export interface SystemCommand {
  command: string;
  args: string[];
}

/** The CLI to start, and its arguments. */
export interface CommandParts {
  executable: Pick<FoundExecutable, 'path' | 'kind'>;
  /** The option `executable`: the name of a runtime, or its path. Default: the runtime this process runs in. */
  runtime?: Runtime | (string & Record<never, never>);
  /** The option `executableArgs`: arguments of the runtime; not used for a native program. */
  runtimeArgs?: readonly string[];
  args: readonly string[];
  env: Environment;
  /** Whether the command may run on another machine (a custom spawner). The runtime is then not looked up here. */
  elsewhere?: boolean;
  os?: OperatingSystem;
  host?: HostRuntime;
}

/** The command that starts the CLI. Throws `LaunchError` RUNTIME_NOT_FOUND when there is no runtime for a script. */
export function buildCommand(parts: CommandParts): SystemCommand {
  const { executable, args } = parts;
  // Programs without types may pass null.
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
  // A runtime that the caller names is looked up on PATH. Otherwise the runtime of this process is the safest choice.
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

// Deno runs a file only through a subcommand, and asks for each permission at the terminal, which a child does not
// have. If the caller gave permissions, no others are added.
function completeDenoArguments(runtimeArgs: readonly string[]): string[] {
  if (runtimeArgs[0] === 'run') return [...runtimeArgs];
  const hasPermissions = runtimeArgs.some((argument) =>
    /^(?:-[AP]|--(?:allow|deny|permission))/.test(argument),
  );
  return ['run', ...(hasPermissions ? [] : ['-A']), ...runtimeArgs];
}
