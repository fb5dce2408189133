// Owns "always allow" for answers that were given while there was no CLI, or to one that is gone. What a person changed with an
// answer applies to every later CLI of the session. What was decided for good is also written to the CLI's settings files.
import { join, resolve } from 'node:path';
import { buildEnvironment } from '../../../options/launch/environment.js';
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import { findConfigFolder } from '../../../record/history/folders/project-folders.js';
import {
  changePermissions,
  changePermissionsInFile,
  type ChangedPermissions,
} from '../../../record/settings/change-permissions.js';
import { isRecord } from '../../../util/guards.js';
import { messageOf } from '../../../util/message-of.js';
import type { PermissionMode, PermissionUpdate } from '../../../wire/protocol/control/permissions.js';
import { readFlagSettings } from './flag-settings.js';

type FileDestination = 'userSettings' | 'projectSettings' | 'localSettings';

export interface PermissionChangesInput {
  readonly options: Options;
  readonly warnings: WarningReporter;
  /** Called when an answer changes the permission mode. */
  readonly onMode: (mode: PermissionMode) => void;
}

/** The changes of one conversation. */
export class PermissionChanges {
  readonly #input: PermissionChangesInput;
  /** The changes by destination, because replacing the rules of one destination leaves those of the others. */
  readonly #changed = new Map<string, ChangedPermissions>();
  #mode: PermissionMode | undefined;
  /** The value of the option `settings`, to which the changes are added; null where it cannot be read. */
  #settings: Record<string, unknown> | null | undefined;

  constructor(input: PermissionChangesInput) {
    this.#input = input;
  }

  /**
   * Takes the changes in their order, and writes those that are meant for settings files into them. Never rejects: a change
   * that does not take full effect gives a warning.
   */
  async take(updates: readonly PermissionUpdate[]): Promise<void> {
    if (updates.length === 0) return;
    if (this.#settings === undefined) this.#settings = (await readFlagSettings(this.#input.options)) ?? null;
    for (const update of updates) {
      const problem = await this.#takeOne(update).catch((error: unknown) => messageOf(error));
      if (problem !== undefined) this.#warn(update, problem);
    }
  }

  /** The options of a start, with the changes added. */
  apply<T extends Pick<Options, 'settings' | 'permissionMode'>>(options: T): T {
    const mode = this.#mode === undefined ? {} : { permissionMode: this.#mode };
    if (!this.#settings || this.#changed.size === 0) return { ...options, ...mode };
    const given = isRecord(this.#settings['permissions']) ? this.#settings['permissions'] : {};
    const permissions = { ...given };
    for (const changed of this.#changed.values())
      for (const [key, values] of Object.entries(changed))
        permissions[key] = [...new Set([...listOf(permissions[key]), ...listOf(values)])];
    return { ...options, ...mode, settings: { ...this.#settings, permissions } };
  }

  /** Returns why the change has no effect; undefined where it has. */
  async #takeOne(update: PermissionUpdate): Promise<string | undefined> {
    const { destination } = update;
    const unwritten = isFile(destination) ? await this.#write(destination, update) : undefined;
    return this.#takeForSession(update) ?? unwritten;
  }

  #takeForSession(update: PermissionUpdate): string | undefined {
    const { destination, type } = update;
    if (type === 'setMode') {
      const { allowDangerouslySkipPermissions: maySkip } = this.#input.options;
      if (update.mode === 'bypassPermissions' && maySkip !== true)
        return 'the session was not opened with "allowDangerouslySkipPermissions"';
      this.#mode = update.mode;
      this.#input.onMode(update.mode);
      return undefined;
    }
    if (destination === 'cliArg' && !type.startsWith('add'))
      return 'what the session was opened with stays in force';
    if (this.#settings === null) return 'the file that the option "settings" names cannot be read';
    this.#changed.set(destination, changePermissions(this.#changed.get(destination) ?? {}, [update]));
    return undefined;
  }

  async #write(destination: FileDestination, update: PermissionUpdate): Promise<string | undefined> {
    const { options } = this.#input;
    const { transport, spawnClaudeCodeProcess, projectConfigRoot, cwd } = options;
    const lasts = 'It applies until the session ends.';
    if (transport !== undefined || spawnClaudeCodeProcess !== undefined)
      return `the CLI and its settings files may be on another machine. ${lasts}`;
    if (destination !== 'userSettings' && projectConfigRoot !== undefined)
      return `the settings of "projectConfigRoot" are not changed from here. ${lasts}`;
    const project = join(resolve(cwd ?? '.'), '.claude');
    const path = {
      userSettings: join(
        findConfigFolder(buildEnvironment({ options, hostEnv: process.env })),
        'settings.json',
      ),
      projectSettings: join(project, 'settings.json'),
      localSettings: join(project, 'settings.local.json'),
    }[destination];
    try {
      await changePermissionsInFile(path, [update]);
      return undefined;
    } catch (error) {
      return `${messageOf(error)}. ${lasts}`;
    }
  }

  #warn(update: PermissionUpdate, problem: string): void {
    const { type, destination } = update;
    this.#input.warnings.emit({
      code: 'PERMISSION_CHANGE_LOST',
      message: `A change of permissions (${type}, ${destination}) that came with an answer does not take full effect: ${problem}`,
    });
  }
}

function isFile(destination: string): destination is FileDestination {
  return (
    destination === 'userSettings' || destination === 'projectSettings' || destination === 'localSettings'
  );
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
