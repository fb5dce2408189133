// Finds the CLI of this host, asks for its version, and starts it for a client.
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { InvalidOptionsError, LaunchError } from '@inboard/core/errors.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { buildCommand } from '@inboard/core/wire/process/find/cli-command.js';
import { probeCliVersion } from '@inboard/core/wire/process/find/cli-version.js';
import { findExecutable } from '@inboard/core/wire/process/find/find-executable.js';
import { checkWorkingDirectory } from '@inboard/core/wire/process/find/working-directory.js';
import type { Environment } from '@inboard/core/wire/process/operating-system.js';
import type { Child } from '@inboard/core/wire/process/run/child.js';
import { startChild } from '@inboard/core/wire/process/run/local-child.js';
import type { CliPlace } from './serve-options.js';

// Variables that a CLI must not get. A CLI that inherits a debugger's variables waits for the debugger. The variables of this
// package are meant for this process alone.
const OWN_ALONE = /^(?:NODE_OPTIONS$|NODE_INSPECT|VSCODE_INSPECTOR|BUN_INSPECT|INBOARD_)/i;
// These variables decide what code a program loads, so a client must not set them here.
const LOADER = /^(?:LD_|DYLD_)/i;

/** The CLI of this host. */
export class LocalCli {
  readonly #place: CliPlace;

  constructor(place: CliPlace) {
    this.#place = place;
  }

  /** Whether the CLI is found. It is only looked for, not started. */
  isThere(): boolean {
    try {
      this.#find();
      return true;
    } catch {
      // The start of a CLI fails for the same reason, and reports it.
      return false;
    }
  }

  /** The version of the CLI. Undefined if the CLI is not found or gives none. Never rejects. */
  async version(): Promise<string | undefined> {
    try {
      const { executable, env } = this.#find();
      if (executable.version !== undefined) return executable.version;
      const cwd = checkWorkingDirectory(this.#place.cwd);
      return await probeCliVersion({ ...buildCommand({ executable, args: [], env }), env, cwd });
    } catch {
      // The later start fails for the same reason, and reports it.
      return undefined;
    }
  }

  /** The folder that a client asks for. Throws a LaunchError if it does not exist or is not allowed. */
  async folder(asked: string): Promise<string> {
    const base = checkWorkingDirectory(this.#place.cwd);
    const path = checkWorkingDirectory(resolve(base, asked));
    const real = await realpath(path);
    for (const root of [base, ...(this.#place.folders ?? [])]) {
      const above = await realpath(resolve(base, root)).catch(() => undefined);
      if (above !== undefined && isBelow(above, real)) return path;
    }
    throw new LaunchError(
      'CWD_NOT_FOUND',
      `the folder ${path} is not allowed here; allowed are ${base}, the "folders" of serveCli(), and everything below them`,
    );
  }

  /** The environment of a CLI: the variables of this host, overridden by those that the client sent. */
  environment(sent: Readonly<Record<string, string>>): Record<string, string> {
    const own = Object.entries(this.#place.env ?? process.env).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && !OWN_ALONE.test(pair[0]),
    );
    const theirs = Object.entries(sent).filter(([name]) => !OWN_ALONE.test(name) && !LOADER.test(name));
    return { ...Object.fromEntries(own), ...Object.fromEntries(theirs) };
  }

  /** Starts the CLI. Throws a typed error if the CLI is not found. A failure to start is reported with the child's exit. */
  start({ args, env, cwd }: { args: string[]; env: Record<string, string>; cwd: string }): Child {
    const { executable, env: own } = this.#find();
    return startChild({ ...buildCommand({ executable, args, env: own }), env, cwd, whenHostDies: 'kill' });
  }

  // The CLI is looked up each time, because it may be installed or replaced while this process runs.
  #find(): { executable: ReturnType<typeof findExecutable>; env: Environment } {
    const env = this.#place.env ?? process.env;
    const { cli } = this.#place;
    return { executable: findExecutable({ env, ...(cli !== undefined && { explicit: cli }) }), env };
  }
}

/**
 * Throws an InvalidOptionsError for a named folder or CLI that cannot be used. Without this check, every client would be
 * refused, and the operator of this host would not learn why. If no CLI was named, none is looked for, because one may still be
 * installed later.
 */
export function checkPlace({ cli, cwd, folders = [], env = process.env }: CliPlace): void {
  const base = checkNamed('cwd', () => checkWorkingDirectory(cwd));
  for (const folder of folders) checkNamed('folders', () => checkWorkingDirectory(resolve(base, folder)));
  if (cli !== undefined) checkNamed('cli', () => findExecutable({ env, explicit: cli }));
}

/**
 * Runs a check, and puts the name of this option into the message of its error. The checks use the option names of `query()`.
 */
function checkNamed<T>(option: keyof CliPlace, check: () => T): T {
  try {
    return check();
  } catch (cause) {
    const message = messageOf(cause)
      .replaceAll('option "cwd"', `option "${option}"`)
      .replaceAll('"pathToClaudeCodeExecutable"', `"${option}"`);
    throw new InvalidOptionsError([option], message, { cause });
  }
}

function isBelow(folder: string, path: string): boolean {
  const step = relative(folder, path);
  return step === '' || !(step === '..' || step.startsWith(`..${sep}`) || isAbsolute(step));
}
