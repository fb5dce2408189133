// Which settings restrict, and what their strictest value is. A policy value that cannot be read counts as that:
// a mistake in a policy must not open what the policy was to close.
import { isRecord } from '../../util/guards.js';
import { BAD, type Reader } from './setting-readers.js';
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

/** Permissions at their strictest. */
export const SEALED_PERMISSIONS: Readonly<Record<string, unknown>> = {
  disableBypassPermissionsMode: 'disable',
  disableAutoMode: 'disable',
  blockReadsOutsideWorkingDirectories: true,
  blockWritesOutsideWorkingDirectories: true,
  denyInsteadOfPrompting: true,
};

/** A sandbox at its strictest; whether there is one at all is not said. */
export const SEALED_SANDBOX = {
  autoAllowBashIfSandboxed: false,
  allowUnsandboxedCommands: false,
  enableWeakerNestedSandbox: false,
  enableWeakerNetworkIsolation: false,
  allowAppleEvents: false,
  allowNestedUserNamespaces: false,
  network: {
    allowManagedDomainsOnly: true,
    strictAllowlist: true,
    allowAllUnixSockets: false,
    allowLocalBinding: false,
  },
  filesystem: { allowManagedReadPathsOnly: true, disabled: false },
  credentials: {
    allowPlaintextInject: false,
    sigv4: { streaming: 'deny', presigned: 'deny', sigv4a: 'deny' },
  },
} as const satisfies Record<string, unknown>;

/** Switches of an administrator's policy that a host's cannot set, by their strict value. */
const ADMIN_SWITCHES: readonly [names: string, strict: unknown][] = [
  ['disableBundledSkills fastModePerSessionOptIn isolatePeerMachines strictPluginOnlyCustomization', true],
  [
    'autoContinueAtUsageLimit autoUploadSessions channelsEnabled enableAllProjectMcpServers remoteControlAtStartup ' +
      'skipAutoPermissionPrompt skipDangerousModePermissionPrompt skipWebFetchPreflight useAutoModeDuringPlan',
    false,
  ],
  ['disableAutoMode disableDeepLinkRegistration', 'disable'],
  ['allowedChannelPlugins allowedHttpHookUrls forceLoginOrgUUID httpHookAllowedEnvVars', []],
];

const STRICT_VALUES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...[...TRUE_LOCKS].map((key) => [key, true] as const),
  ...[...FALSE_LOCKS].map((key) => [key, false] as const),
  ...[...ALLOW_LISTS].map((key) => [key, []] as const),
  ...ADMIN_SWITCHES.flatMap(([names, strict]) => names.split(' ').map((name) => [name, strict] as const)),
]);

/** What stands in a policy for a value that cannot be read; undefined where nothing would restrict. */
export function findStrictValue(key: string, value: unknown): unknown {
  const strict = STRICT_VALUES.get(key);
  // A list that is null allows nothing; anything else that is null, or a lock that is plainly off, is not set.
  if (Array.isArray(strict)) return strict;
  if (value === null || (strict === 'disable' && value === false)) return undefined;
  if (key === 'permissions') return isRecord(value) ? salvagePermissions(value) : SEALED_PERMISSIONS;
  if (key !== 'sandbox') return strict;
  return isRecord(value)
    ? salvage(value, { read: readerOf(key), sealed: { ...SEALED_SANDBOX, enabled: true } })
    : SEALED_SANDBOX;
}

function salvagePermissions(value: Record<string, unknown>): unknown {
  const sealed = { ...SEALED_PERMISSIONS, defaultMode: 'default' };
  const parts = salvage(value, { read: readerOf('permissions'), sealed });
  // Without the list of what is denied, the list of what is allowed says too much.
  const isDenialLost = ['deny', 'ask'].some((list) => list in value && !(parts && list in parts));
  if (parts && isDenialLost) delete parts['allow'];
  return parts && Object.keys(parts).length > 0 ? parts : undefined;
}

interface Salvage {
  read: Reader;
  sealed: unknown;
}

/** Every part that can be read, and the strict value of those that cannot. */
function salvage(
  value: Record<string, unknown>,
  { read, sealed }: Salvage,
): Record<string, unknown> | undefined {
  const parts: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const alone = read({ [name]: part }, () => {});
    if (isRecord(alone)) Object.assign(parts, alone);
    else {
      const strict = isRecord(sealed) ? sealed[name] : undefined;
      const kept = isRecord(part)
        ? salvage(part, { read: readerWithin(read, name), sealed: strict })
        : strict;
      if (kept !== undefined) parts[name] = kept;
    }
  }
  return Object.keys(parts).length === 0 ? undefined : parts;
}

function readerWithin(read: Reader, name: string): Reader {
  return (value, note) => {
    const whole = read({ [name]: value }, note);
    return isRecord(whole) ? whole[name] : BAD;
  };
}

function readerOf(key: string): Reader {
  return SETTINGS_TABLE.get(key)?.read ?? ((value) => value);
}
