// Finds the settings that a session in a folder would have, and where each comes from, without starting a CLI. The
// layers are, from weak to strong: user, project, local, policy.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { InvalidOptionsError } from '../../errors.js';
import type { Settings, SettingSource } from '../../wire/protocol/config/settings.js';
import { findPolicyFolder, readMachinePolicy } from './machine-policy.js';
import { choosePolicy, POLICY_CHOICES, type PolicySettingsOrigin } from './choose-policy.js';
import { mergeSettings } from './merge-settings.js';
import { readSettingsFile, type SettingsProblem } from './read-settings.js';

/** The folder and the layers to resolve. */
export interface ResolveSettingsOptions {
  /**
   * The folder of the session. Default: the working directory of this process. Only its own `.claude` folder is read,
   * not those of its parents.
   */
  cwd?: string | undefined;
  /** Which files to read. Default: all; `[]` for none. Policies are always read. */
  settingSources?: SettingSource[] | undefined;
  /**
   * A policy of the host program. Only its restrictions count. It is ignored if there is an administrator's policy, unless
   * that policy asks for both to be merged.
   */
  managedSettings?: Settings | undefined;
  /** An administrator's policy from the network. It is stronger than the policy files of this machine. */
  serverManagedSettings?: Settings | undefined;
}

/** The kind of layer that a setting comes from. `resolveSettings` never returns `flag`. */
export type ResolvedSettingSource = SettingSource | 'flag' | 'managed';

/** Where a setting comes from. */
export interface SettingOrigin {
  source: ResolvedSettingSource;
  /** The file; absent for policies. */
  path?: string;
  policyOrigin?: PolicySettingsOrigin;
}

/** The official name of `SettingOrigin`. */
export type ProvenanceEntry = SettingOrigin;

/** The settings of one file or policy, before they are merged with the others. */
export interface SettingsLayer extends SettingOrigin {
  settings: Settings;
}

/** The settings that would apply in a folder, and which file or policy each comes from. */
export interface ResolvedSettings {
  effective: Settings;
  /** For each setting, the strongest layer that has it. Lists and objects may also have parts from weaker layers. */
  provenance: Record<string, SettingOrigin>;
  /** The layers that were found, from weak to strong. */
  sources: SettingsLayer[];
  /** The kinds of policy that exist and could not be read. */
  machinePolicy?: { didNotLoad: false | Array<'file' | 'profile' | 'registry'> };
  /** The parts of files and of an administrator's policy that are not used as written. */
  problems: SettingsProblem[];
}

/** The folders of the user's settings and of the policy files. Tests use temporary ones. */
export interface SettingsFolders {
  configDir: string;
  policyFolder: string;
}

const SOURCES: readonly SettingSource[] = ['user', 'project', 'local'];

/** Reads and merges all settings of a folder. An unusable file is not an error, but is reported in `problems`. */
export async function resolveSettings(options: ResolveSettingsOptions = {}): Promise<ResolvedSettings> {
  return await resolveSettingsAt(options, {
    configDir: resolve(process.env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude')),
    policyFolder: findPolicyFolder(),
  });
}

/** Like `resolveSettings`, with the folders given. */
export async function resolveSettingsAt(
  options: ResolveSettingsOptions,
  folders: SettingsFolders,
): Promise<ResolvedSettings> {
  checkPolicies(options);
  const problems: SettingsProblem[] = [];
  const sources: SettingsLayer[] = [];
  const wanted = options.settingSources ?? SOURCES;
  for (const source of SOURCES.filter((name) => wanted.includes(name))) {
    const path = findFile(source, options.cwd, folders);
    const file = await readSettingsFile(path, 'file');
    problems.push(...(file?.problems ?? []));
    if (file?.settings) sources.push({ source, settings: file.settings, path });
  }
  const machine = await readMachinePolicy(folders.policyFolder);
  problems.push(...machine.problems);
  const policy = choosePolicy({ ...options, machine: machine.settings, problems });
  if (policy) sources.push({ source: 'managed', ...policy });
  return {
    ...mergeLayers(sources),
    sources,
    machinePolicy: { didNotLoad: machine.didNotLoad && ['file'] },
    problems,
  };
}

function findFile(source: SettingSource, cwd: string | undefined, folders: SettingsFolders): string {
  if (source === 'user') return join(folders.configDir, 'settings.json');
  const name = source === 'project' ? 'settings.json' : 'settings.local.json';
  return join(resolve(cwd ?? '.'), '.claude', name);
}

function mergeLayers(sources: readonly SettingsLayer[]): Pick<ResolvedSettings, 'effective' | 'provenance'> {
  let effective: Settings = {};
  const provenance: Record<string, SettingOrigin> = {};
  for (const { settings, ...origin } of sources) {
    const choices = origin.source === 'managed' ? POLICY_CHOICES : undefined;
    effective = mergeSettings(effective, settings, choices);
    for (const key of Object.keys(settings)) provenance[key] = { ...origin };
  }
  return { effective, provenance };
}

function checkPolicies(options: ResolveSettingsOptions): void {
  for (const name of ['managedSettings', 'serverManagedSettings'] as const) {
    const value: unknown = options[name];
    if (value === undefined || value === null || typeof value === 'object') continue;
    throw new InvalidOptionsError(
      [name],
      `${name} is a ${typeof value}. Pass the settings as an object; JSON text must be parsed first.`,
    );
  }
}
