// Reads the administrator's policy files of this machine: one main file and a folder of additions. Policies in the
// Windows registry and in the managed preferences of macOS are not read here.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../wire/protocol/config/settings.js';
import { messageOf } from '../../util/message-of.js';
import { mergeSettings } from './merge-settings.js';
import { isMissing, readSettingsFile, type SettingsProblem } from './read-settings.js';

/** The policy of the machine. */
export interface MachinePolicyReading {
  settings: Settings | undefined;
  /** Whether a file could not be read, so that the policy may be stricter than `settings`. */
  didNotLoad: boolean;
  problems: SettingsProblem[];
}

/** The folder in which this system keeps the policy files. */
export function findPolicyFolder(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode';
  if (platform === 'win32') return 'C:\\Program Files\\ClaudeCode';
  return '/etc/claude-code';
}

/** Reads the policy of a machine. The additions are read in the order of their names, and later ones override. */
export async function readMachinePolicy(folder: string): Promise<MachinePolicyReading> {
  const reading: MachinePolicyReading = { settings: undefined, didNotLoad: false, problems: [] };
  const additions = join(folder, 'managed-settings.d');
  const names = await readdir(additions).catch((error: unknown) => {
    if (isMissing(error)) return [];
    reading.didNotLoad = true;
    reading.problems.push({ path: additions, message: `could not be read: ${messageOf(error)}` });
    return [];
  });
  const files = names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).toSorted();
  for (const path of [join(folder, 'managed-settings.json'), ...files.map((name) => join(additions, name))]) {
    const file = await readSettingsFile(path, 'policy');
    if (file === undefined) continue;
    reading.problems.push(...file.problems);
    if (file.settings === undefined) reading.didNotLoad = true;
    else reading.settings = mergeSettings(reading.settings ?? {}, file.settings);
  }
  return reading;
}
