// The kinds of settings. A kind says how a value is read, whether an unusable value makes the whole file unusable, and
// which value restricts most. `settings-table` says which setting is of which kind.
import { readHooks } from './read-hooks.js';
import { readPermissions } from './read-permissions.js';
import {
  readChoice,
  readEither,
  readFields,
  readFlag,
  readFraction,
  readOnlyRecords,
  readOrNull,
  readRecord,
  readRecords,
  readString,
  readStrings,
  readValues,
  readWholeNumber,
  type Reader,
} from './setting-readers.js';
import { STRICT_SANDBOX } from './strict-values.js';

/** How one setting is checked. */
export interface SettingRule {
  readonly read: Reader;
  /** Describes a correct value, as the end of the sentence "must be …". */
  readonly expected: string;
  /** Whether an unusable value makes the whole file unusable, or only this setting. */
  readonly costs: 'file' | 'key';
  /** The value that restricts most. It replaces an unusable value in a policy. */
  readonly strict?: unknown;
  /** Whether a policy of the host program may set it, and not only an administrator's policy. */
  readonly isForHosts?: boolean;
}

const readServers = readOnlyRecords((item) => {
  const { serverName } = item;
  if (serverName !== undefined) return typeof serverName === 'string' && /^[\w-]+$/.test(serverName);
  return item['serverCommand'] !== undefined || item['serverUrl'] !== undefined;
});

// A single name is also accepted in place of a list.
const readServerNames: Reader = (value, note) =>
  typeof value === 'string' && /^[\w-]+$/.test(value) ? [value] : readStrings(value, note);

// `true` asks for the usual attribution, `false` for none.
const readAttribution: Reader = (value, note) => {
  if (value === true) return {};
  if (value === false) return { commit: '', pr: '', sessionUrl: false };
  return readRecord(value, note);
};

const readSandbox = readFields({
  enabled: readFlag,
  failIfUnavailable: readFlag,
  ...readFlagsOf(STRICT_SANDBOX),
  excludedCommands: readStrings,
  network: readFields({
    ...readFlagsOf(STRICT_SANDBOX.network),
    allowedDomains: readStrings,
    deniedDomains: readStrings,
  }),
  filesystem: readFields({
    ...readFlagsOf(STRICT_SANDBOX.filesystem),
    allowRead: readStrings,
    denyRead: readStrings,
    allowWrite: readStrings,
    denyWrite: readStrings,
  }),
});

function readFlagsOf(switches: Readonly<Record<string, unknown>>): Record<string, Reader> {
  const names = Object.keys(switches).filter((name) => typeof switches[name] === 'boolean');
  return Object.fromEntries(names.map((name) => [name, readFlag]));
}

export const string = define('a string', readString);
export const stringOrNull = define('a string', readOrNull(readString));
export const filledString = define('a string', (value, note) =>
  readString(value === '' ? undefined : value, note),
);
export const strings = define('a list of strings', readStrings);
export const stringOrStrings = define('a string or a list of strings', readEither(readString, readStrings));
export const serverNames = define('a list of server names', readServerNames);
export const flag = define('true or false', readFlag);
export const flagOrList = define('true, false or a list', (value, note) =>
  Array.isArray(value) ? value : readFlag(value, note),
);
export const number = define('a whole number', readWholeNumber(0));
export const positiveNumber = define('a whole number of at least 1', readWholeNumber(1));
export const rate = define('a number from 0 to 1', readFraction({ isZeroAllowed: true }));
export const fraction = define('a number up to 1', readFraction({ isZeroAllowed: false }));
export const effort = define('low, medium, high or xhigh', readChoice('low', 'medium', 'high', 'xhigh'));
export const merging = define('merge or first-wins', readChoice('merge', 'first-wins'));
export const record = define('an object', readRecord);
export const records = define('a list of objects', readRecords);
export const recordsOrNull = define('a list of objects', readOrNull(readRecords));
export const usableRecords = define('a list of objects', readOnlyRecords());
export const servers = define('a list of servers', readServers);
export const variables = define(
  'an object',
  readValues((value) => String(value)),
);
export const stringValues = define('an object whose values are strings', readValues(readString));
export const plugins = define(
  'an object whose values are true, false or lists of strings',
  readValues(readEither(readFlag, readStrings)),
);
export const attribution = define('an object, true or false', readAttribution);
export const permissions = define('an object with lists of rules and a known defaultMode', readPermissions);
export const hooks = define('usable on the events that guard tool calls', readHooks);
export const sandbox = define(
  'an object whose switches are true or false and whose lists are lists',
  readSandbox,
);
/** A switch whose only value is the word `disable`. */
export const disabled = {
  ...define('disable', readOrNull(readChoice('disable'))),
  strict: 'disable',
};

/** A switch with one value that restricts. `null` leaves it unset. A policy of the host program may not set it. */
export function adminLock(strict: boolean): SettingRule {
  return { ...define('true or false', readOrNull(readFlag)), strict };
}

/** Like `adminLock`, for a switch that a policy of the host program may set as well. */
export function hostLock(strict: boolean): SettingRule {
  return { ...adminLock(strict), isForHosts: true };
}

/** An allow list. An empty list allows nothing. A policy of the host program can at most make it stricter. */
export function adminList(rule: SettingRule): SettingRule {
  return { ...rule, strict: [] };
}

/** Like `adminList`, for a list that a policy of the host program may set as well. */
export function hostList(rule: SettingRule): SettingRule {
  return { ...adminList(rule), isForHosts: true };
}

/** The same kind, except that an unusable value makes only the setting unusable, and not the whole file. */
export function alone(rule: SettingRule): SettingRule {
  return { ...rule, costs: 'key' };
}

function define(expected: string, read: Reader): SettingRule {
  return { read, expected, costs: 'file' };
}
