// Puts options into a form that a CLI of a given version accepts. It leaves out what an older CLI does anyway, and uses an
// older form of an option if there is one. An option without an older form is refused, never silently dropped.
import { isDeepStrictEqual } from 'node:util';
import { UnsupportedOptionError } from '../../errors.js';
import { isRecord } from '../../util/guards.js';
import { compareVersions } from '../../wire/process/find/compare-versions.js';
import type { Options } from '../options.js';
import { findOptionRow, listGiven, pickGiven, type GivenOption } from '../rows/option-rows.js';
import type { OptionForm, OptionRow } from '../rows/option-row.js';
import {
  ANY_VERSION,
  NEWEST_VERSION,
  OLDEST_VERSION,
  reaches,
  VersionNeeded,
  type PlannedVersion,
} from '../supported-versions.js';

/** An option, by its path, and the version that it needs. */
export interface Demand {
  option: string;
  needed: string;
}

/**
 * The options in a form that this version accepts. Throws `UnsupportedOptionError` for the first option without such a
 * form. For `ANY_VERSION`, throws `VersionNeeded` if no single form suits every version.
 */
export function adaptOptions(options: Options, version: PlannedVersion): Options {
  if (version === ANY_VERSION) return checkForAll(options);
  // This version accepts every option as it is given.
  if (reaches(version, NEWEST_VERSION)) return options;
  const adapted = useOlderForms(options, version);
  const unmet = findDemands(adapted).filter(({ needed }) => !reaches(version, needed));
  const [first] = unmet;
  if (!first) return adapted;
  const { option } = first;
  const needed = unmet.filter((demand) => demand.option === option).map((demand) => demand.needed);
  const newest = needed.toSorted(compareVersions).at(-1) ?? first.needed;
  const hint = findOptionRow(option.replace(/\..*/, ''))?.hint;
  throw new UnsupportedOptionError(option, String(version), newest, hint);
}

/** Whether a CLI of this version accepts all these options, if necessary in an older form. */
export function suitsVersion(options: Options, version: string): boolean {
  const adapted = useOlderForms(pickGiven(options), version);
  return findDemands(adapted).every(({ needed }) => reaches(version, needed));
}

function checkForAll(options: Options): Options {
  const older: Record<string, unknown> = { ...useOlderForms(options, OLDEST_VERSION) };
  const isAlike = Object.entries(options).every(
    ([name, value]) => older[name] === value || isDeepStrictEqual(older[name], value),
  );
  if (!isAlike || findDemands(options).length > 0) throw new VersionNeeded();
  return options;
}

function useOlderForms(options: Options, version: string | undefined): Options {
  const adapted: Record<string, unknown> = { ...options };
  for (const { name, row } of listGiven(options)) {
    if (row.since === undefined && !row.forms) continue;
    for (const [, form] of listForms(name, row)) {
      if (form.older && !reaches(version, form.since)) adapted[name] = form.older(adapted[name]);
    }
    if (adapted[name] === undefined) delete adapted[name];
  }
  return adapted;
}

/** The versions that the options need. An option that every supported CLI has is not listed. */
export function findDemands(options: Options): Demand[] {
  return listGiven(options)
    .filter(({ row }) => row.since !== undefined || row.forms || row.entryForms)
    .flatMap((given) => [...findFormDemands(given, options), ...findEntryDemands(given)]);
}

function findFormDemands({ name, value, row }: GivenOption, options: Options): Demand[] {
  return listForms(name, row).flatMap(([feature, form]) => {
    const { path, isSet } = readFeature(feature);
    const [, ...parts] = path.split('.');
    const isUsed = form.isUsed ? form.isUsed(value, options) : isSet(parts.reduce(partOf, value));
    return isUsed && !form.hasOlderForm ? [{ option: path, needed: form.since }] : [];
  });
}

function findEntryDemands({ name, value, row }: GivenOption): Demand[] {
  if (!row.entryForms) return [];
  const forms = Object.entries(row.entryForms);
  return Object.entries(value as Record<string, never>).flatMap(([entry, content]) => {
    const option = `${name}.${entry}`;
    const ofParts = forms.flatMap(([feature, given]) => {
      const form = typeof given === 'string' ? { since: given } : given;
      const { path, isSet } = readFeature(feature);
      const part = form.part ?? path.replace(`${name}.`, '');
      const value = partOf(content, part);
      const isUsed = form.isUsed ? form.isUsed(content, value) : isSet(value);
      return isUsed ? [{ option: `${option}.${part}`, needed: form.since }] : [];
    });
    const needed = row.findEntryVersion?.(entry);
    return needed === undefined ? ofParts : [...ofParts, { option, needed }];
  });
}

// The forms of an option that came later. If the option itself came later, it is the first in the list.
function listForms(
  name: string,
  { forms = {}, ...whole }: OptionRow<unknown>,
): Array<[feature: string, form: OptionForm<unknown>]> {
  const { since } = whole;
  const later = Object.entries(forms).map(
    ([feature, form]) =>
      [feature, typeof form === 'string' ? { since: form } : form] as [string, OptionForm<unknown>],
  );
  return since === undefined ? later : [[name, { ...whole, since }], ...later];
}

// `thinking.display` counts as used if that part is set; `effort xhigh` counts as used if the option has that value.
function readFeature(feature: string): { path: string; isSet: (value: unknown) => boolean } {
  const [path = '', wanted] = feature.split(' ');
  return { path, isSet: (value) => (wanted === undefined ? !!value : value === wanted) };
}

function partOf(value: unknown, part: string): unknown {
  return isRecord(value) ? value[part] : undefined;
}
