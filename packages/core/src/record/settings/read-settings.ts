// Checks one settings file or object key by key. In a file of the user or the project, most unusable values make the
// whole file unusable, as in the CLI. In a policy, only the unusable value itself is not used, and a setting that
// restricts then gets its strictest value.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isRecord } from '../../util/guards.js';
import { messageOf } from '../../util/message-of.js';
import type { Settings } from '../../wire/protocol/config/settings.js';
import { findStrictValue } from './policy-locks.js';
import { BAD, type Note } from './table/setting-readers.js';
import { SETTINGS_TABLE } from './table/settings-table.js';

/** A part of the settings that is not used as written. */
export interface SettingsProblem {
  /** The file; absent for settings that were passed as an object. */
  path?: string;
  /** The setting, as in `permissions.allow[2]`; absent when the problem is the file as a whole. */
  key?: string;
  message: string;
}

/** The usable settings; `settings` is undefined when nothing could be used. */
export interface SettingsReading {
  settings: Settings | undefined;
  problems: SettingsProblem[];
}

const LARGEST_FILE = 16 * 1024 * 1024;

/** Settings that have an effect only in a policy. */
const POLICY_ONLY = new Set(['deniedModels']);

/** Checks a parsed settings object. */
export function readSettings(value: unknown, tier: 'file' | 'policy'): SettingsReading {
  if (!isRecord(value)) return { settings: undefined, problems: [{ message: 'is not a JSON object' }] };
  const problems: SettingsProblem[] = [];
  const settings: Settings = {};
  let isRefused = false;
  for (const [name, given] of Object.entries(value)) {
    // Assigning this key would set the prototype.
    if (name === '__proto__') continue;
    const key = name === 'allowedMarketplaces' ? 'strictKnownMarketplaces' : name;
    if (tier === 'file' && POLICY_ONLY.has(key)) {
      problems.push({ key, message: 'has an effect only in a policy' });
      continue;
    }
    const note: Note = (part, why) => problems.push({ key: `${key}${part}`, message: why });
    const rule = SETTINGS_TABLE.get(key);
    let result = rule ? rule.read(given, note) : given;
    if (rule && result === BAD) {
      problems.push({ key, message: `must be ${rule.expected}` });
      if (tier === 'file' && rule.costs === 'file') isRefused = true;
      result = tier === 'policy' ? findStrictValue(key, given) : undefined;
    }
    if (result !== undefined) settings[key] = result;
  }
  return { settings: isRefused ? undefined : settings, problems };
}

/**
 * Reads and checks a settings file. Undefined when the file is missing or has no settings. If the file cannot be read or
 * parsed, the result has a problem and no settings.
 */
export async function readSettingsFile(
  path: string,
  tier: 'file' | 'policy',
): Promise<SettingsReading | undefined> {
  try {
    const value = await readJsonFile(path);
    if (value === undefined || (isRecord(value) && Object.keys(value).length === 0)) return undefined;
    const { settings, problems } = readSettings(value, tier);
    return { settings, problems: problems.map((problem) => ({ path, ...problem })) };
  } catch (error) {
    return { settings: undefined, problems: [{ path, message: `could not be read: ${messageOf(error)}` }] };
  }
}

async function readJsonFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readBounded(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  // Editors on Windows write a byte order mark at the start.
  const json = text.replace(/^\uFEFF/, '');
  return json.trim() === '' ? undefined : (JSON.parse(json) as unknown);
}

// A link in a repository may lead anywhere. A device may never end, and a pipe without a writer would be waited for
// forever. So only regular files are read.
async function readBounded(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is not a regular file');
    const chunks: Buffer[] = [];
    // The limit applies while reading, because some files are longer than `stat` says.
    for await (const chunk of file.createReadStream({ end: LARGEST_FILE, autoClose: false }))
      chunks.push(chunk as Buffer);
    const content = Buffer.concat(chunks);
    if (content.length > LARGEST_FILE) throw new Error(`it is larger than ${LARGEST_FILE} bytes`);
    return content.toString('utf8');
  } finally {
    await file.close();
  }
}

/** Whether a file system error means that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
