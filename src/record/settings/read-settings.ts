// One settings object, checked key by key. In a file of the user or the project an unusable value makes the whole file
// unusable, as in the CLI; in a policy only itself, and a setting that restricts then has its strictest value.
import { isRecord } from '../../util/guards.js';
import type { Settings } from '../../wire/protocol/config/settings.js';
import { findStrictValue } from './policy-locks.js';
import { BAD, type Reader } from './setting-readers.js';
import type { SettingRule } from './setting-kinds.js';
import { SETTINGS_TABLE } from './settings-table.js';

/** Something in the settings that is not used as written. */
export interface SettingsProblem {
  /** The file; absent for settings that were passed as an object. */
  path?: string;
  /** Which setting, as in `permissions.allow[2]`; absent when it is the file as a whole. */
  key?: string;
  message: string;
}

/** What could be used; `settings` is undefined when nothing was. */
export interface SettingsReading {
  settings: Settings | undefined;
  problems: SettingsProblem[];
}

/** Settings that have an effect only in a policy. */
const POLICY_ONLY = new Set(['deniedModels']);

/** Checks a parsed settings object. */
export function readSettings(value: unknown, tier: 'file' | 'policy'): SettingsReading {
  if (!isRecord(value)) return { settings: undefined, problems: [{ message: 'is not a JSON object' }] };
  const problems: SettingsProblem[] = [];
  const settings: Settings = {};
  let isRefused = false;
  for (const [name, given] of Object.entries(value)) {
    // Assigned as a key it would set the prototype.
    if (name === '__proto__') continue;
    const key = name === 'allowedMarketplaces' ? 'strictKnownMarketplaces' : name;
    if (tier === 'file' && POLICY_ONLY.has(key)) {
      problems.push({ key, message: 'counts only in a policy' });
      continue;
    }
    const { result, fault } = readOne(key, given, (part, why) =>
      problems.push({ key: `${key}${part}`, message: why }),
    );
    if (fault === undefined) {
      if (result !== undefined) settings[key] = result;
    } else {
      problems.push({ key, message: `must be ${fault.expected}` });
      if (tier === 'policy') setStrictly(settings, key, given);
      else if (fault.costs === 'file') isRefused = true;
    }
  }
  return { settings: isRefused ? undefined : settings, problems };
}

function readOne(
  key: string,
  value: unknown,
  note: Parameters<Reader>[1],
): { result?: unknown; fault?: SettingRule } {
  const rule = SETTINGS_TABLE.get(key);
  if (!rule) return { result: value };
  const result = rule.read(value, note);
  return result === BAD ? { fault: rule } : { result };
}

function setStrictly(settings: Settings, key: string, value: unknown): void {
  const strict = findStrictValue(key, value);
  if (strict !== undefined) settings[key] = strict;
}
