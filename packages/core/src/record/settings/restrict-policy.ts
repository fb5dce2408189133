// Reduces the policy of the host program (`managedSettings`) to its restrictions. A setting that would choose or run
// something is ignored. A switch that cannot be read counts as its strictest value.
import { isRecord } from '../../util/guards.js';
import type { Settings } from '../../wire/protocol/config/settings.js';
import { HOST_LISTS, HOST_LOCKS } from './policy-locks.js';
import { readRules } from './table/read-permissions.js';
import { BAD, readStrings, type Note, type Reader } from './table/setting-readers.js';
import { SETTINGS_TABLE } from './table/settings-table.js';
import { STRICT_PERMISSIONS, STRICT_SANDBOX } from './table/strict-values.js';

type Fields = Readonly<Record<string, Reader>>;

/** Reads a switch. Its opposite value and null leave it unset. Any other value counts as the restricting value. */
function lock(restricting: boolean): Reader {
  return (value) => (value === null || value === !restricting ? undefined : restricting);
}

/** Reads a switch whose restricting value is the word `disable`. */
const readDisable: Reader = (value) => (value === null || value === false ? undefined : 'disable');

/** Readers for all switches among the strict values. */
function lockAll(strict: Readonly<Record<string, unknown>>): Fields {
  const switches = Object.entries(strict).filter(([, value]) => !isRecord(value));
  return Object.fromEntries(
    switches.map(([key, value]) => [key, value === 'disable' ? readDisable : lock(value === true)]),
  );
}

const keepStrings: Reader = (value, note) => {
  const strings = readStrings(value, note);
  return strings === BAD ? undefined : strings;
};

const keepRules = (list: 'allow' | 'deny' | 'ask'): Reader => {
  const read = readRules(list);
  return (value, note) => {
    const rules = read(value, note);
    // A deny or ask list of which no entry could be read is left out.
    const isVoid = rules === BAD || (list !== 'allow' && isEmptied(value, rules));
    return isVoid ? undefined : rules;
  };
};

const PERMISSION_FIELDS: Fields = {
  allow: keepRules('allow'),
  deny: keepRules('deny'),
  ask: keepRules('ask'),
  additionalDirectories: keepStrings,
  ...lockAll(STRICT_PERMISSIONS),
};

const SANDBOX_FIELDS: Fields = {
  enabled: lock(true),
  failIfUnavailable: (value) => (value === true ? true : undefined),
  ...lockAll(STRICT_SANDBOX),
  network: keepFields(
    { ...lockAll(STRICT_SANDBOX.network), allowedDomains: keepStrings, deniedDomains: keepStrings },
    STRICT_SANDBOX.network,
  ),
  filesystem: keepFields(
    {
      ...lockAll(STRICT_SANDBOX.filesystem),
      allowRead: keepStrings,
      denyRead: keepStrings,
      denyWrite: keepStrings,
    },
    STRICT_SANDBOX.filesystem,
  ),
  credentials: keepFields(
    { ...lockAll(STRICT_SANDBOX.credentials), files: keepDenials, envVars: keepDenials },
    STRICT_SANDBOX.credentials,
  ),
};

const FIELDS: Fields = {
  ...lockAll(Object.fromEntries(HOST_LOCKS)),
  ...Object.fromEntries(HOST_LISTS.map((key) => [key, keepAllowList(key)])),
  // A list with entries could allow more than another layer does. An empty list cannot.
  allowedHttpHookUrls: keepOnlyEmpty,
  httpHookAllowedEnvVars: keepOnlyEmpty,
  deniedModels: (value) => keepItems(value, (item) => typeof item === 'string'),
  blockedMarketplaces: (value) => keepItems(value, isRecord),
  deniedMcpServers: (value, note) => SETTINGS_TABLE.get('deniedMcpServers')?.read(value, note),
  disableAutoMode: readDisable,
  availableModelsMatch: (value) => (value === 'prefix' || value === null ? undefined : 'exact'),
  forceLoginOrgUUID: (value) =>
    typeof value === 'string' ? value : readStrings(value, () => {}) === BAD ? [] : value,
  strictPluginOnlyCustomization: (value) =>
    value === false || value === null ? undefined : Array.isArray(value) ? value : true,
  permissions: keepPermissions,
  sandbox: keepFields(SANDBOX_FIELDS, STRICT_SANDBOX),
};

/** The restricting part of a policy of the host program; undefined when no part restricts. */
export function restrictPolicy(policy: Readonly<Record<string, unknown>>): Settings | undefined {
  const renamed = { ...policy };
  if (renamed['allowedMarketplaces'] !== undefined) {
    renamed['strictKnownMarketplaces'] ??= renamed['allowedMarketplaces'];
  }
  // The host program cannot forbid all hooks. It can only forbid hooks that do not come from an administrator.
  if (lock(true)(renamed['disableAllHooks'] ?? false, () => {}) === true)
    renamed['allowManagedHooksOnly'] = true;
  const restricted = keepFields(FIELDS)(renamed, () => {}) as Settings | undefined;
  const attribution = restrictAttribution(policy);
  return attribution === undefined ? restricted : { ...restricted, attribution };
}

function restrictAttribution(policy: Readonly<Record<string, unknown>>): object | undefined {
  const { attribution, includeCoAuthoredBy } = policy;
  const given = isRecord(attribution) ? attribution : {};
  const isOff = attribution === false;
  const parts = {
    ...((includeCoAuthoredBy === false || given['commit'] === '' || isOff) && { commitTrailers: false }),
    ...((given['sessionUrl'] === false || isOff) && { sessionUrl: false }),
  };
  return Object.keys(parts).length === 0 ? undefined : parts;
}

function keepPermissions(value: unknown, note: Note): unknown {
  const kept = keepFields(PERMISSION_FIELDS, STRICT_PERMISSIONS)(value, note);
  if (!isRecord(kept) || !isRecord(value)) return kept;
  // If the deny or the ask list is lost, the allow list alone would allow too much.
  const isDenialLost = ['deny', 'ask'].some((list) => list in value && !Array.isArray(value[list]));
  const { allow, ...others } = kept;
  if (!isDenialLost || allow === undefined) return kept;
  return Object.keys(others).length === 0 ? undefined : others;
}

/** Reads the given fields and ignores all others. Null leaves the whole unset. Any other value but an object is `strict`. */
function keepFields(fields: Fields, strict?: unknown): Reader {
  return (value, note) => {
    if (!isRecord(value)) return value === null ? undefined : strict;
    const kept: Record<string, unknown> = {};
    for (const [key, read] of Object.entries(fields)) {
      if (!Object.hasOwn(value, key)) continue;
      const part = read(value[key], note);
      if (part !== undefined && part !== BAD) kept[key] = part;
    }
    return Object.keys(kept).length === 0 ? undefined : kept;
  };
}

function keepAllowList(key: string): Reader {
  return (value, note) => {
    if (key === 'strictKnownMarketplaces')
      return value === null ? undefined : (keepItems(value, isRecord) ?? []);
    const list = SETTINGS_TABLE.get(key)?.read(value, note) ?? readStrings(value, note);
    return list === BAD ? [] : list;
  };
}

function keepOnlyEmpty(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
    ? undefined
    : [];
}

function keepItems(value: unknown, fits: (item: unknown) => boolean): unknown[] | undefined {
  const items = Array.isArray(value) ? value.filter(fits) : [];
  return items.length === 0 ? undefined : items;
}

function keepDenials(value: unknown): unknown {
  return keepItems(value, (item) => isRecord(item) && item['mode'] === 'deny');
}

function isEmptied(before: unknown, after: unknown): boolean {
  return Array.isArray(before) && before.length > 0 && Array.isArray(after) && after.length === 0;
}
