// Turns options into a transport to a CLI. It finds the CLI, learns its version if something depends on it, plans the
// command, and puts large values into private files. `open` of the transport starts the CLI. Once this module is loaded,
// everything up to asking for the version runs in the caller's own tick.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from '../options/options.js';
import { suitsVersion } from '../options/launch/adapt-options.js';
import { buildEnvironment } from '../options/launch/environment.js';
import { checkLiveRun } from '../options/launch/live-guard.js';
import { OUTPUT } from '../options/rows/output.js';
import { planForAll, planLaunch, type LaunchPlan } from '../options/launch/launch-plan.js';
import { callListener } from '../util/call-listener.js';
import { isThenable } from '../util/guards.js';
import { loadPart } from '../util/load-part.js';
import { buildCommand } from '../wire/process/find/cli-command.js';
import { isFakeCli } from '../wire/process/find/executable-path.js';
import { explainIgnoredCli, findExecutable, findIgnoredCli } from '../wire/process/find/find-executable.js';
import { hostSystem, type Environment } from '../wire/process/operating-system.js';
import { createOwnedFolder, explainWriteFailure, removeOwnedFolder } from '../wire/process/owned-folder.js';
import { checkWorkingDirectory } from '../wire/process/find/working-directory.js';
import { recallVersion, rememberVersion } from '../wire/process/find/version-memory.js';
import { guardTransport } from '../wire/transport/guard-transport.js';
import { createProcessTransport } from '../wire/transport/process-transport.js';
import type { SessionClaim } from '../record/history/running/session-claims.js';
import type { PrivateConfig } from '../record/history/store/private-config.js';
import { tapTransport } from '../record/trace/recorder/tap-transport.js';
import { findTraceOption } from '../record/trace/recorder/find-trace-option.js';
import type { Transport, TransportFactory, TransportRequest } from '../wire/transport/transport.js';
import { claimIn, restoreFromStore, startFreshIfTaken, warnOfLeftover } from './launch-config.js';
import type { LaunchHost } from './launch-host.js';

export interface LaunchInput {
  options: Options;
  host: LaunchHost;
  /** Whether an in-process server is told the CLI's version. */
  tellsServersVersion?: boolean | undefined;
  onWarning: (error: Error) => void;
  /** Called when a callback of the options threw or rejected. The fault is only reported. */
  onFault: (callback: string, cause: unknown) => void;
  /**
   * Called once, after the caller's own tick. Returns whether partial messages are wanted although the options do not ask for
   * them.
   */
  streamsText?: () => boolean;
  /** Messages for calls that were completed before this start. The recording of this start begins with them. */
  completed?: readonly object[] | undefined;
  /** Aborts when this CLI is not wanted any more. A launch that waits for a session store then stops. */
  signal?: AbortSignal | undefined;
}

/** A CLI that can be started. `open` of its transport starts it. */
export interface Launched {
  transport: Transport;
  /** The handshake request from the options, without hooks and in-process servers. */
  initialize: LaunchPlan['initialize'];
  /** Undefined if the version could not be learned, or was not asked for. */
  version: string | undefined;
  /** Set if the version was not asked for, because nothing depends on it. */
  openVersion?: OpenVersion | undefined;
  warnings: LaunchPlan['warnings'];
  /** Removes the private files and releases the claim to the session's id. To be called when the CLI has ended. */
  discard: () => void;
  /**
   * Set if the CLI has a config folder of its own. Until the session store has the whole transcript, this folder has
   * the only copy.
   */
  config?: PrivateConfig | undefined;
}

/** A version that is not known but can be learned. */
export interface OpenVersion {
  /** Asks the CLI. Resolves with undefined if the CLI does not say. */
  ask(): Promise<string | undefined>;
  /** Notes the version that the CLI has reported, for the next launch of the same CLI. */
  remember(version: string): void;
}

/** Prepares a CLI, so that only `open` of its transport is left to do. Rejects with a typed error if something is missing. */
export type Launch = (input: LaunchInput) => Promise<Launched>;

export const launchCli: Launch = async (input) => {
  const env = buildEnvironment({ options: input.options, hostEnv: input.host.env });
  const claim = claimIn(input.options, env);
  try {
    const launched = await launchClaimed(input, env, claim);
    const discard = (): void => {
      claim?.release();
      launched.discard();
    };
    return { ...launched, discard };
  } catch (error) {
    claim?.release();
    throw error;
  }
};

async function launchClaimed(
  input: LaunchInput,
  env: Environment,
  claim: SessionClaim | undefined,
): Promise<Launched> {
  const { options, host, onWarning, onFault, streamsText, completed } = input;
  const site = options.transport ? chooseTransport(input, options.transport) : findCli(input, env);
  const { cwd } = site;
  let version = options.claudeCodeVersion ?? site.version;
  const open = version === undefined ? site.openVersion : undefined;
  const planForAny = open && planUnasked(input);
  if (open && !planForAny) version = await open.ask();
  const restoring = restoreFromStore(input, cwd, env);
  const restored = restoring && (await restoring);
  const starting = restoring ? undefined : startFreshIfTaken({ ...input, claim }, cwd, env);
  const fresh = starting && (await starting);
  const config: PrivateConfig | undefined = restored ?? fresh;
  let files: PlacedFiles = NO_FILES;
  const discard = (): void => files.discard();
  try {
    const plan = planForAny ?? planLaunch({ options, version, hostEnv: host.env, restored });
    // Only a CLI that may ask a real model is checked. A custom transport or a fake CLI is not.
    if (!options.transport && !isFakeCli(options.pathToClaudeCodeExecutable))
      checkLiveRun({ hostEnv: host.env, cliEnv: plan.env });
    files = placeFiles(plan);
    const isTraced = findTraceOption(options.trace, host.env) !== undefined;
    const recorder = isTraced
      ? await loadPart(() => import('../record/trace/recorder/trace-option.js'))
      : undefined;
    // This is decided last, because the caller may still ask for a text stream in the tick of `query()`.
    await Promise.resolve();
    const args = streamsText?.() ? [PARTIAL_MESSAGES, ...plan.args] : plan.args;
    const cliEnv = fresh ? { ...plan.env, CLAUDE_CONFIG_DIR: fresh.configDir } : plan.env;
    const request = { args, env: cliEnv, cwd, hostEnv: host.env, files: files.paths, restored };
    const connected = site.connect(request, onWarning);
    const transport = connected instanceof Promise ? await connected : connected;
    const traced = { option: options.trace, env, hostEnv: host.env, claudeCodeVersion: version };
    const recorded = recorder?.traceTransport({ ...traced, transport, cwd, completed, onWarning });
    return {
      transport: tapLines(recorded ?? transport, options, onFault),
      initialize: plan.initialize,
      version,
      openVersion: planForAny && open,
      warnings: [...plan.warnings, ...site.warnings, ...(fresh ? [warnOfLeftover(fresh)] : [])],
      discard,
      config,
    };
  } catch (error) {
    discard();
    void config?.remove();
    throw error;
  }
}

/**
 * Plans for a CLI of unknown version. Undefined if something depends on the version, so that it must be asked for
 * first.
 */
function planUnasked({ options, host, tellsServersVersion }: LaunchInput): LaunchPlan | undefined {
  // A recording names the version at its head. A replay acts as a CLI of that version.
  const isRecorded = findTraceOption(options.trace, host.env) !== undefined;
  if (tellsServersVersion || isRecorded) return undefined;
  return planForAll({ options, hostEnv: host.env });
}

/** Where the CLI runs, and how to connect to it. */
interface CliSite {
  cwd: string;
  version: string | undefined;
  warnings: LaunchPlan['warnings'];
  /** Undefined if the CLI cannot be asked for its version. */
  openVersion: OpenVersion | undefined;
  connect(request: TransportRequest, onWarning: LaunchInput['onWarning']): Transport | Promise<Transport>;
}

function chooseTransport(
  { options, host, onFault }: LaunchInput,
  given: Transport | TransportFactory,
): CliSite {
  const { askVersion, cwd = host.workingDirectory ?? process.cwd() }: Partial<TransportFactory> =
    typeof given === 'function' ? given : {};
  const guard = (transport: Transport): Transport =>
    guardTransport(transport, (method, cause) => onFault(`transport.${method}`, cause));
  return {
    cwd: options.cwd ?? cwd,
    version: given.claudeCodeVersion,
    warnings: [],
    openVersion: askVersion && { ask: askVersion, remember: () => {} },
    connect: (request) => {
      const { maxLineBytes } = options;
      const onStderr = readStderr(options, onFault);
      const made = typeof given === 'function' ? given({ ...request, onStderr, maxLineBytes }) : given;
      // `Promise.resolve` is used because a foreign `then` may throw.
      return isThenable(made) ? Promise.resolve(made).then(guard) : guard(made);
    },
  };
}

function findCli({ options, host, onFault }: LaunchInput, env: Environment): CliSite {
  const os = { ...hostSystem, env: host.env, workingDirectory: () => host.workingDirectory };
  const elsewhere = options.spawnClaudeCodeProcess !== undefined;
  const cwd = elsewhere
    ? (options.cwd ?? host.workingDirectory ?? process.cwd())
    : checkWorkingDirectory(options.cwd, os);
  const { startFolder } = host;
  const search = { explicit: options.pathToClaudeCodeExecutable, env, startFolder, elsewhere, os };
  const executable = findExecutable(search);
  const isNamed = executable.source === 'option' || executable.source === 'environment';
  const ignored = isNamed || elsewhere ? undefined : findIgnoredCli(search);
  const commandFor = (args: readonly string[]) =>
    buildCommand({
      executable,
      runtime: options.executable,
      runtimeArgs: options.executableArgs,
      args,
      env,
      elsewhere,
    });
  return {
    cwd,
    version: executable.version ?? (elsewhere ? undefined : recallVersion(executable.path)),
    warnings:
      ignored === undefined ? [] : [{ code: 'LOCAL_CLI_IGNORED', message: explainIgnoredCli(ignored) }],
    openVersion: elsewhere
      ? undefined
      : {
          ask: async () => {
            const { probeCliVersion } = await loadPart(() => import('../wire/process/find/cli-version.js'));
            const isEnough = (version: string): boolean => suitsVersion(options, version);
            return await probeCliVersion({ ...commandFor([]), env, cwd, isEnough });
          },
          remember: (version) => rememberVersion(executable.path, version),
        },
    connect: (request, onWarning) =>
      createProcessTransport({
        ...commandFor(request.args),
        cwd,
        env: request.env,
        spawner: options.spawnClaudeCodeProcess,
        whenHostDies: options.whenHostDies,
        maxLineBytes: options.maxLineBytes,
        onStderr: readStderr(options, onFault),
        onWarning: (message, cause) => onWarning(new Error(message, { cause })),
      }),
  };
}

/** Wraps the callback `stderr`, so that its errors are reported as faults. */
function readStderr({ stderr }: Options, onFault: LaunchInput['onFault']): TransportRequest['onStderr'] {
  return (
    stderr &&
    ((text) =>
      callListener(
        () => stderr(text),
        (cause) => onFault('stderr', cause),
      ))
  );
}

/** Lets the callback `onWireLine` see each line. */
function tapLines(transport: Transport, { onWireLine }: Options, onFault: LaunchInput['onFault']): Transport {
  return onWireLine
    ? tapTransport(transport, onWireLine, (cause) => onFault('onWireLine', cause))
    : transport;
}

const PARTIAL_MESSAGES = OUTPUT.includePartialMessages.argv.flag;

/** The files that were written for the CLI to read. */
interface PlacedFiles {
  paths?: readonly string[];
  discard(): void;
}

const NO_FILES: PlacedFiles = { discard: () => {} };

/** Writes values that are too long for a command line into a folder that only this user can read. */
function placeFiles(plan: LaunchPlan): PlacedFiles {
  if (plan.files.length === 0) return NO_FILES;
  const folder = createOwnedFolder('launch');
  const discard = (): void => removeOwnedFolder(folder);
  try {
    const paths = plan.files.map((file, index) => {
      const path = join(folder, `${index}-${file.name}`);
      writeFileSync(path, file.content, { mode: 0o600 });
      file.place(path);
      return path;
    });
    return { paths, discard };
  } catch (error) {
    discard();
    throw explainWriteFailure(error, 'launch');
  }
}
