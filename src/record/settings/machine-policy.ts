// The administrator's policy files of this machine: one main file and a folder of additions. Policies that Windows
// keeps in its registry and macOS in managed preferences are not read here.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../wire/protocol/config/settings.js';
import { messageOf } from '../../util/message-of.js';
import { mergeSettings } from './merge-settings.js';
import { readSettings, type SettingsProblem } from './read-settings.js';

/** What the machine prescribes. */
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

/** Reads the policy of a machine; later additions, by name, override earlier ones. */
export async function readMachinePolicy(folder: string): Promise<MachinePolicyReading> {
  const reading: MachinePolicyReading = { settings: undefined, didNotLoad: false, problems: [] };
  const additions = join(folder, 'managed-settings.d');
  const names = await readdir(additions).catch((error: unknown) => {
    if (!isMissing(error)) fail(reading, additions, error);
    return [];
  });
  const files = names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).toSorted();
  for (const path of [join(folder, 'managed-settings.json'), ...files.map((name) => join(additions, name))]) {
    await addFile(reading, path);
  }
  return reading;
}

async function addFile(reading: MachinePolicyReading, path: string): Promise<void> {
  let value: unknown;
  try {
    value = await readJsonFile(path);
  } catch (error) {
    fail(reading, path, error);
    return;
  }
  if (value === undefined) return;
  const { settings, problems } = readSettings(value, 'policy');
  reading.problems.push(...problems.map((problem) => ({ path, ...problem })));
  if (settings === undefined) reading.didNotLoad = true;
  else reading.settings = mergeSettings(reading.settings ?? {}, settings);
}

/** The JSON of a file; undefined when there is no file, or nothing in it. Throws when it cannot be read or parsed. */
export async function readJsonFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  // Editors on Windows put a byte order mark at the start.
  const json = text.replace(/^\uFEFF/, '');
  return json.trim() === '' ? undefined : (JSON.parse(json) as unknown);
}

function fail(reading: MachinePolicyReading, path: string, error: unknown): void {
  reading.didNotLoad = true;
  reading.problems.push({ path, message: `could not be read: ${messageOf(error)}` });
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
