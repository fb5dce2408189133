// From options to a running CLI: find it, learn its version, plan the command, put large values into
// private files, start it. Everything up to the version question runs in the caller's own tick.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Options } from '../options/options.js';
import { buildEnvironment } from '../options/environment.js';
import { planLaunch, type LaunchPlan, type PlannedServers } from '../options/launch-plan.js';
import { buildCommand } from '../process/cli-command.js';
import { probeCliVersion } from '../process/cli-version.js';
import { findExecutable } from '../process/find-executable.js';
import { checkWorkingDirectory } from '../process/working-directory.js';
import type { HookMatcherRegistration } from '../protocol/hook-payload.js';
import { createProcessTransport } from '../transport/process-transport.js';
import { tapTransport } from '../trace/tap-transport.js';
import type { Transport } from '../transport/transport.js';

/** What a launch needs to know beside the options. */
export interface LaunchInput {
  options: Options;
  hooks: Record<string, HookMatcherRegistration[]> | undefined;
  servers: PlannedServers | Promise<PlannedServers>;
  onWarning: (error: Error) => void;
}

/** A CLI that has been started and not yet been spoken to. */
export interface Launched {
  transport: Transport;
  initialize: LaunchPlan['initialize'];
  /** Undefined when nobody could tell. */
  version: string | undefined;
  warnings: LaunchPlan['warnings'];
  /** Removes the private files; the CLI reads them while it starts, so not before it ends. */
  discard: () => void;
}

/** Starts a CLI; rejects with the typed error of whatever was missing, having started nothing. */
export type Launch = (input: LaunchInput) => Promise<Launched>;

/** The real one: a child process. */
export const launchCli: Launch = async ({ options, hooks, servers, onWarning }) => {
  const env = buildEnvironment({ options, hostEnv: process.env });
  const elsewhere = options.spawnClaudeCodeProcess !== undefined;
  const cwd = elsewhere ? (options.cwd ?? process.cwd()) : checkWorkingDirectory(options.cwd);
  const executable = findExecutable({ explicit: options.pathToClaudeCodeExecutable, env, cwd, elsewhere });
  const commandFor = (args: readonly string[]) =>
    buildCommand({
      executable,
      runtime: options.executable,
      runtimeArgs: options.executableArgs,
      args,
      env,
      elsewhere,
    });
  let version = options.claudeCodeVersion ?? executable.version;
  if (version === undefined && !elsewhere) version = await probeCliVersion({ ...commandFor([]), env, cwd });
  const sdkServers = servers instanceof Promise ? await servers : servers;
  const plan = planLaunch({ options, version, hostEnv: process.env, hooks, sdkServers });
  const files = placeFiles(plan);
  try {
    const started = createProcessTransport({
      ...commandFor(plan.args),
      cwd,
      env: plan.env,
      spawner: options.spawnClaudeCodeProcess,
      maxLineBytes: options.maxLineBytes,
      onStderr: options.stderr,
      onWarning: (message, cause) => onWarning(new Error(message, { cause })),
    });
    const { onWireLine } = options;
    const transport = onWireLine
      ? tapTransport(started, onWireLine, (cause) =>
          onWarning(new Error('The callback "onWireLine" threw', { cause })),
        )
      : started;
    return {
      transport,
      initialize: plan.initialize,
      version,
      warnings: plan.warnings,
      discard: files.discard,
    };
  } catch (error) {
    files.discard();
    throw error;
  }
};

/** Writes what is too long for a command line into a folder only this user can read. */
function placeFiles(plan: LaunchPlan): { discard: () => void } {
  if (plan.files.length === 0) return { discard: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'inboard-'));
  plan.files.forEach((file, index) => {
    const path = join(folder, `${index}-${file.name}`);
    writeFileSync(path, file.content, { mode: 0o600 });
    file.place(path);
  });
  return { discard: () => rmSync(folder, { recursive: true, force: true }) };
}
