// Which settings restrict, and what their strictest value is. A policy value that cannot be read counts as that:
// a mistake in a policy must not open what the policy was to close.
import { BAD, isRecord } from './setting-readers.js';
import { SETTINGS_TABLE } from './settings-table.js';

/** Locks that restrict when they are true. */
export const TRUE_LOCKS: ReadonlySet<string> = new Set([
  'allowManagedHooksOnly',
  'allowManagedMcpServersOnly',
  'allowManagedPermissionRulesOnly',
  'disableAgentView',
  'disableArtifact',
  'disableClaudeAiConnectors',
  'disableCommandPluginSources',
  'disableRemoteControl',
  'disableSideloadFlags',
  'disableSkillShellExecution',
  'disableWindowsBashCommandSplit',
  'disableWorkflows',
  'enforceAvailableModels',
]);

/** Locks that restrict when they are false. */
export const FALSE_LOCKS: ReadonlySet<string> = new Set([
  'enableArtifact',
  'enableWorkflows',
  'syncClaudeAiPlugins',
  'syncClaudeAiSkills',
]);

/** Lists of what alone is allowed: an empty one allows nothing. */
export const ALLOW_LISTS: ReadonlySet<string> = new Set([
  'allowedMcpServers',
  'allowedProviders',
  'availableModels',
  'strictKnownMarketplaces',
]);

/** What stands in a policy for a value that cannot be read; undefined where nothing would restrict. */
export function findStrictValue(key: string, value: unknown): unknown {
  if (TRUE_LOCKS.has(key)) return true;
  if (FALSE_LOCKS.has(key)) return false;
  if (ALLOW_LISTS.has(key)) return [];
  if (key === 'permissions' && isRecord(value)) return readPermissionParts(value);
  return undefined;
}

/** Of permissions that are wrong somewhere, every part that is right, and a careful mode for a wrong one. */
function readPermissionParts(value: Record<string, unknown>): Record<string, unknown> {
  const parts: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const alone = SETTINGS_TABLE.get('permissions')?.read({ [name]: part }, () => {});
    if (alone !== BAD && isRecord(alone)) Object.assign(parts, alone);
    else if (name === 'defaultMode') parts[name] = 'default';
    else if (name.startsWith('disable')) parts[name] = 'disable';
  }
  return parts;
}
