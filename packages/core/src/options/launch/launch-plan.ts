// Plans the launch of a CLI of a given version from options: the command line, the environment, the handshake, and the
// files that must be written before the start. It writes and starts nothing itself.
import type { Environment } from '../../wire/process/operating-system.js';
import type { HookMatcherRegistration } from '../../wire/protocol/hooks/hook-callback.js';
import type { InitializeRequest } from '../../wire/protocol/control/initialize.js';
import { refuseProblems } from '../check/check-options.js';
import { buildArguments } from './cli-arguments.js';
import { findResumeProblems } from '../check/contradictions.js';
import { buildEnvironment, findDroppedVariables } from './environment.js';
import { fitArguments, joinArguments, type PlannedFile } from './fit-arguments.js';
import { fitGoOn } from './go-on-variables.js';
import { isGiven } from '../../util/guards.js';
import { pickGiven } from '../rows/option-rows.js';
import { fitSchema } from '../rows/output.js';
import { buildInitializeRequest, type PlannedServers } from './initialize-request.js';
import { adaptOptions } from './adapt-options.js';
import { carriesFiles } from '../elsewhere.js';
import type { Options } from '../options.js';
import {
  ANY_VERSION,
  findVersionWarnings,
  readVersion,
  VersionNeeded,
  type PlannedVersion,
} from '../supported-versions.js';
import type { InboardWarning } from '../check/warning.js';

export type { PlannedFile } from './fit-arguments.js';
export type { PlannedServers } from './initialize-request.js';

/** The input of a plan. */
export interface LaunchRequest {
  /** The options, as `checkOptions` accepted them. */
  options: Options;
  /** The version of the CLI that will be started; undefined if it could not be determined. */
  version: PlannedVersion;
  /** The environment of this process. */
  hostEnv: Environment;
  /** The hooks, as the handshake declares them. */
  hooks?: Record<string, HookMatcherRegistration[]>;
  sdkServers?: PlannedServers;
  /** The session that was restored from `sessionStore` for `resume` or `continue`, and the config folder with its files. */
  restored?: { sessionId: string; configDir: string };
  platform?: NodeJS.Platform;
}

/** A complete launch. */
export interface LaunchPlan {
  /** The CLI's own arguments. They are complete once every file is placed. */
  args: string[];
  env: Record<string, string>;
  /** The fields of the handshake, without its subtype. */
  initialize: InitializeRequest;
  /** Files to write before the start and remove after the end. */
  files: PlannedFile[];
  warnings: InboardWarning[];
}

/**
 * Plans a launch. Throws `UnsupportedOptionError` for an option that this version does not have, `LaunchError`
 * ARGUMENTS_TOO_LONG, and `InvalidOptionsError` for options that do not suit the restored session.
 */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const { hooks, sdkServers, restored, platform = process.platform } = request;
  const version = request.version === ANY_VERSION ? ANY_VERSION : readVersion(request.version);
  const asked = pickGiven(request.options);
  checkResume(asked, restored !== undefined);
  const options = adaptOptions(asked, version);
  const given = buildArguments({ options, version, restoredId: restored?.sessionId });
  // A file of this machine may not exist where a custom spawner or transport starts the CLI.
  const isElsewhere =
    (isGiven(options.spawnClaudeCodeProcess) || isGiven(options.transport)) && !carriesFiles(options);
  const { large, ...fitted } = isElsewhere
    ? joinArguments(given)
    : { ...fitArguments({ given, platform }), large: [] };
  const env = fitGoOn(buildEnvironment({ options, hostEnv: request.hostEnv, platform }), version);
  if (restored) env['CLAUDE_CONFIG_DIR'] = restored.configDir;
  return {
    ...fitted,
    env,
    initialize: buildInitializeRequest({ options, version, hooks, sdkServers }),
    warnings: [
      ...(request.version === ANY_VERSION ? [] : findVersionWarnings(request.version)),
      ...findDroppedVariables({ options, hostEnv: request.hostEnv, platform }),
      ...large.map(warnOfLength),
      ...findLostLimits(options, version),
    ],
  };
}

/**
 * Plans a launch that suits every supported CLI, so that the CLI's version need not be known before the start. Returns
 * undefined if some versions would refuse an option or need it in another form. Throws the same errors as `planLaunch`.
 */
export function planForAll(request: Omit<LaunchRequest, 'version'>): LaunchPlan | undefined {
  try {
    return planLaunch({ ...request, version: ANY_VERSION });
  } catch (error) {
    if (error instanceof VersionNeeded) return undefined;
    throw error;
  }
}

// With `output`, this process checks the answer in full. With `outputFormat`, only the CLI checks it.
function findLostLimits({ output, outputFormat }: Options, version: PlannedVersion): InboardWarning[] {
  if (!outputFormat || output !== undefined) return [];
  const { lost } = fitSchema(outputFormat.schema, version);
  if (lost.length === 0) return [];
  const message =
    `The CLI ${String(version ?? '')} cannot check every limit of the schema in "outputFormat": ${lost.join(', ')}. The model ` +
    'reads them in descriptions. Pass the schema as "output" to have the answer checked in full.';
  return [{ code: 'SCHEMA_LIMITS_UNCHECKED', message, options: ['outputFormat'] }];
}

function warnOfLength(option: string): InboardWarning {
  return {
    code: 'ARGUMENTS_LARGE',
    message:
      `The option "${option}" is longer than most systems allow on a command line. A custom spawner still ` +
      'gets it there, because a file on this machine may not exist where it starts the CLI.',
    options: [option],
  };
}

// With a session store, it is not known before this point whether "continue" resumes a session.
function checkResume(options: Options, isRestored: boolean): void {
  const isLocal = !!options.continue && !isGiven(options.sessionStore);
  refuseProblems(findResumeProblems({ options, isResuming: isRestored || !!options.resume || isLocal }));
}
