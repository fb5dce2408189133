// The settings that restrict, and their strictest values. A policy value that cannot be read counts as the strictest,
// because a mistake in a policy must not allow what the policy was meant to forbid.
import { isRecord } from '../../util/guards.js';
import { BAD, type Reader } from './table/setting-readers.js';
import { SETTINGS_TABLE } from './table/settings-table.js';
import { STRICT_PERMISSIONS, STRICT_SANDBOX } from './table/strict-values.js';

const HOST_SETTINGS = [...SETTINGS_TABLE].filter(([, rule]) => rule.isForHosts);

/** The switches that a policy of the host program (`managedSettings`) may set, each with the value that restricts. */
export const HOST_LOCKS: ReadonlyMap<string, boolean> = new Map(
  HOST_SETTINGS.flatMap(([name, { strict }]) => (typeof strict === 'boolean' ? [[name, strict]] : [])),
);

/** The allow lists that a policy of the host program may set. An empty list allows nothing. */
export const HOST_LISTS: readonly string[] = HOST_SETTINGS.flatMap(([name, { strict }]) =>
  Array.isArray(strict) ? [name] : [],
);

/** The replacement for a policy value that cannot be read; undefined if the setting then stays unset. */
export function findStrictValue(key: string, value: unknown): unknown {
  const strict = SETTINGS_TABLE.get(key)?.strict;
  // An allow list that is null allows nothing. Any other setting is unset by null. A `disable` lock is unset by false.
  if (Array.isArray(strict)) return strict;
  if (value === null || (strict === 'disable' && value === false)) return undefined;
  if (key === 'permissions') return isRecord(value) ? salvagePermissions(value) : STRICT_PERMISSIONS;
  if (key !== 'sandbox') return strict;
  return isRecord(value)
    ? salvage(value, { read: readerOf(key), strict: { ...STRICT_SANDBOX, enabled: true } })
    : STRICT_SANDBOX;
}

function salvagePermissions(value: Record<string, unknown>): unknown {
  const strict = { ...STRICT_PERMISSIONS, defaultMode: 'default' };
  const parts = salvage(value, { read: readerOf('permissions'), strict });
  // If the deny or the ask list is lost, the allow list alone would allow too much.
  const isDenialLost = ['deny', 'ask'].some((list) => list in value && !(parts && list in parts));
  if (parts && isDenialLost) delete parts['allow'];
  return parts && Object.keys(parts).length > 0 ? parts : undefined;
}

interface Salvage {
  read: Reader;
  strict: unknown;
}

/** Keeps every part that can be read, and takes the strict value for each part that cannot. */
function salvage(
  value: Record<string, unknown>,
  { read, strict }: Salvage,
): Record<string, unknown> | undefined {
  const parts: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const alone = read({ [name]: part }, () => {});
    if (isRecord(alone)) Object.assign(parts, alone);
    else {
      const strictPart = isRecord(strict) ? strict[name] : undefined;
      const kept = isRecord(part)
        ? salvage(part, { read: readerWithin(read, name), strict: strictPart })
        : strictPart;
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
