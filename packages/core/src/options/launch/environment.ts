// Builds the environment of the CLI from the caller's. It drops variables that would make the CLI wait for a debugger or
// write logs between its messages. It adds variables that identify this SDK, and those that options ask for. The
// environment of this process is never changed.
import type { Environment } from '../../wire/process/operating-system.js';
import { isGiven } from '../../util/guards.js';
import type { Options } from '../options.js';
import { listGiven } from '../rows/option-rows.js';
import type { InboardWarning } from '../check/warning.js';

// The version of the official SDK whose protocol Inboard speaks. What a CLI sends depends on it.
const PROTOCOL_SDK_VERSION = '0.3.325';

/** The sources of the environment. */
export interface EnvironmentInput {
  options: Options;
  /** The environment of this process. */
  hostEnv: Environment;
  platform?: NodeJS.Platform;
}

// A CLI that inherits the host's debugger settings waits for a debugger. A CLI with DEBUG writes logs between messages.
const DROPPED = new Set([
  'NODE_OPTIONS',
  'DEBUG',
  'NODE_INSPECT_RESUME_ON_START',
  'VSCODE_INSPECTOR_OPTIONS',
]);
// The inspector of this process already shows the CLI. Programs that the CLI starts must not open another one.
const INSPECT_VARIABLE = 'INBOARD_INSPECT';
const DROPPED_PREFIX = 'BUN_INSPECT';

/** The variables that the CLI is started with. */
export function buildEnvironment(input: EnvironmentInput): Record<string, string> {
  const { options } = input;
  const env = Object.fromEntries(
    Object.entries(mergeSources(input))
      .filter(
        ([name, value]) =>
          isGiven(value) && !isDropped(name, input.platform) && !isOurs(name, input.platform),
      )
      .map(([name, value]) => [name, String(value)]),
  );
  // This variable of the official SDK turns on the CLI's debug output.
  if (isOn(env['DEBUG_CLAUDE_AGENT_SDK'])) env['DEBUG'] = '1';
  env['CLAUDE_CODE_ENTRYPOINT'] ??= 'sdk-ts';
  env['CLAUDE_AGENT_SDK_VERSION'] ??= PROTOCOL_SDK_VERSION;
  env['CLAUDE_CODE_SDK_READS_SESSION_STATE'] ??= '1';
  for (const { value, row } of listGiven(options)) {
    const content = row.env?.from(value);
    if (row.env && content) env[row.env.variable] = content;
  }
  return env;
}

/** Warns of variables that the caller set on purpose and that are dropped. */
export function findDroppedVariables(input: EnvironmentInput): InboardWarning[] {
  const { options, hostEnv, platform } = input;
  const source = options.env ? 'env' : 'extendEnv';
  // A variable with the same value as in this process was probably copied with the whole environment.
  const names = Object.entries(options[source] ?? {})
    .filter(([name, value]) => isGiven(value) && isDropped(name, platform) && value !== hostEnv[name])
    .map(([name]) => name);
  return names.map((name) => ({
    code: 'ENV_VARIABLE_DROPPED',
    message: `The variable ${name} in "${source}" is not passed to the CLI: it would make the CLI wait for a debugger, or write logs between its messages.`,
    options: [source],
  }));
}

function mergeSources({ options, hostEnv, platform }: EnvironmentInput): Environment {
  if (options.env) return options.env;
  const { extendEnv } = options;
  if (!extendEnv) return hostEnv;
  if (!ignoresCase(platform)) return { ...hostEnv, ...extendEnv };
  // Names ignore case on Windows. Without this, "PATH" would be added beside the "Path" that it is meant to replace.
  const replaced = new Set(Object.keys(extendEnv).map((name) => name.toUpperCase()));
  const kept = Object.entries(hostEnv).filter(([name]) => !replaced.has(name.toUpperCase()));
  return { ...Object.fromEntries(kept), ...extendEnv };
}

function isDropped(name: string, platform: NodeJS.Platform | undefined): boolean {
  const spelled = ignoresCase(platform) ? name.toUpperCase() : name;
  return DROPPED.has(spelled) || spelled.startsWith(DROPPED_PREFIX);
}

function isOurs(name: string, platform: NodeJS.Platform | undefined): boolean {
  return (ignoresCase(platform) ? name.toUpperCase() : name) === INSPECT_VARIABLE;
}

function ignoresCase(platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32';
}

function isOn(value: string | undefined): boolean {
  return !!value && !['0', 'false', 'no', 'off'].includes(value.toLowerCase());
}
