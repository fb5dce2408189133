// Finds the hooks of settings files that a call completed without a CLI has missed, because only a CLI runs them. The caller
// warns the program of them.
import { matchesTool } from '../../../answer/hooks/matches.js';
import { buildEnvironment } from '../../../options/launch/environment.js';
import type { Options } from '../../../options/options.js';
import { findConfigFolder } from '../../../record/history/folders/project-folders.js';
import { findPolicyFolder } from '../../../record/settings/machine-policy.js';
import { resolveSettingsAt } from '../../../record/settings/resolve-settings.js';
import { isRecord } from '../../../util/guards.js';
import { readFlagSettings } from './flag-settings.js';

/** A call that has ended without a CLI. */
export interface UnhookedCall {
  readonly toolName: string;
  readonly isError: boolean;
}

/**
 * The hooks that a CLI would have run after these calls, as `PostToolUse in /home/me/.claude/settings.json`. Hooks before a
 * call are left out: they ran when the CLI reached the call.
 */
export async function findSettingsHooks(options: Options, calls: readonly UnhookedCall[]): Promise<string[]> {
  const layers = [...(await readLayers(options)), ...(await readFlagLayer(options))];
  if (layers.some(({ settings }) => settings['disableAllHooks'] === true)) return [];
  const found = new Set<string>();
  for (const { settings, where } of layers) {
    const hooks = isRecord(settings['hooks']) ? settings['hooks'] : {};
    for (const { toolName, isError } of calls) {
      const event = isError ? 'PostToolUseFailure' : 'PostToolUse';
      const matchers = Array.isArray(hooks[event]) ? hooks[event].filter(isRecord) : [];
      const covers = matchers.some(({ matcher, hooks: own }) => {
        const isFor = matchesTool(typeof matcher === 'string' ? matcher : undefined, toolName);
        return isFor && Array.isArray(own) && own.length > 0;
      });
      if (covers) found.add(`${event} in ${where}`);
    }
  }
  return [...found];
}

interface Layer {
  readonly settings: Record<string, unknown>;
  readonly where: string;
}

async function readLayers(options: Options): Promise<Layer[]> {
  const { cwd, settingSources, managedSettings, transport, spawnClaudeCodeProcess } = options;
  // The files of another machine cannot be read.
  if (transport !== undefined || spawnClaudeCodeProcess !== undefined) return [];
  const configDir = findConfigFolder(buildEnvironment({ options, hostEnv: process.env }));
  const folders = { configDir, policyFolder: findPolicyFolder() };
  const { sources } = await resolveSettingsAt({ cwd, settingSources, managedSettings }, folders);
  return sources.map(({ settings, path }) => ({ settings, where: path ?? 'managed settings' }));
}

async function readFlagLayer(options: Options): Promise<Layer[]> {
  const settings = await readFlagSettings(options);
  return settings ? [{ settings, where: 'the option "settings"' }] : [];
}
