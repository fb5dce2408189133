// Chooses the policy that counts. The server's policy outranks the machine's files, and both outrank the policy of the host
// program. An administrator can ask for them to be merged (`managedSourcesBehavior`, `parentSettingsBehavior`).
import { isRecord } from '../../util/guards.js';
import type { Settings } from '../../wire/protocol/config/settings.js';
import { fillSettings, mergeSettings } from './merge-settings.js';
import { HOST_LOCKS } from './policy-locks.js';
import { readSettings, type SettingsProblem } from './read-settings.js';
import { restrictPolicy } from './restrict-policy.js';

/** The origin of a policy. Inboard reads only `parent` (the host program), `remote` (a server) and `file` (this machine). */
export type PolicySettingsOrigin = 'parent' | 'remote' | 'file' | 'helper' | 'hkcu' | 'hklm' | 'plist';

/** Settings whose list in a policy is complete, so that no other layer adds to it. */
export const POLICY_CHOICES: ReadonlySet<string> = new Set(['availableModels']);

interface Policies {
  machine: Settings | undefined;
  managedSettings?: Settings | null | undefined;
  serverManagedSettings?: Settings | null | undefined;
  problems: SettingsProblem[];
}

/** The policy that counts, or undefined when there is none. */
export function choosePolicy(
  policies: Policies,
): { settings: Settings; policyOrigin: PolicySettingsOrigin } | undefined {
  const { machine, problems } = policies;
  const host = isRecord(policies.managedSettings) ? restrictPolicy(policies.managedSettings) : undefined;
  const remote = readRemote(policies.serverManagedSettings, problems);
  if (remote !== undefined)
    return { settings: joinHost(joinMachine(remote, machine), host), policyOrigin: 'remote' };
  if (isFilled(machine)) return { settings: joinHost(machine, host), policyOrigin: 'file' };
  return host && { settings: host, policyOrigin: 'parent' };
}

function readRemote(value: unknown, problems: SettingsProblem[]): Settings | undefined {
  if (!isRecord(value)) return undefined;
  const reading = readSettings(value, 'policy');
  problems.push(
    ...reading.problems.map(({ key, message }) => ({ key: `serverManagedSettings.${key}`, message })),
  );
  return isFilled(reading.settings) ? reading.settings : undefined;
}

/** Adds the machine's environment variables to a server's policy, and the rest only if the server asks for it. */
function joinMachine(remote: Settings, machine: Settings = {}): Settings {
  const { managedSourcesBehavior, ...own } = remote;
  const { env } = machine;
  if (managedSourcesBehavior !== 'merge') return env === undefined ? own : fillSettings(own, { env });
  const { managedSourcesBehavior: _, ...rest } = machine;
  const isOpenLock = (key: string, value: unknown): boolean =>
    typeof value === 'boolean' && HOST_LOCKS.get(key) === !value;
  const closed = Object.entries(rest).filter(([key, value]) => !isOpenLock(key, value));
  return fillSettings(own, Object.fromEntries(closed), POLICY_CHOICES);
}

function joinHost(admin: Settings, host: Settings | undefined): Settings {
  if (host === undefined || admin['parentSettingsBehavior'] !== 'merge') return admin;
  const joined = mergeSettings(host, admin, POLICY_CHOICES);
  for (const [key, strict] of HOST_LOCKS) if (host[key] === strict) joined[key] = strict;
  return joined;
}

function isFilled(settings: Settings | undefined): settings is Settings {
  return settings !== undefined && Object.keys(settings).length > 0;
}
