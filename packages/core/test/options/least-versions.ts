// Every feature that not all supported CLIs have, with the first that does, out of the rows of the options.
import { OPTION_ROWS } from '../../src/options/rows/option-rows.js';
import type { OptionRow } from '../../src/options/rows/option-row.js';
import { reaches } from '../../src/options/supported-versions.js';

type Rows = typeof OPTION_ROWS;

/** An option, or a form of one, as docs/cli-versions.md names it. */
export type Feature = {
  [Name in keyof Rows]:
    | (Rows[Name] extends { since: string } ? Name : never)
    | (Rows[Name] extends { forms: infer Forms } ? keyof Forms : never)
    | (Rows[Name] extends { entryForms: infer Forms } ? keyof Forms : never);
}[keyof Rows];

export const LEAST_VERSIONS = Object.fromEntries(
  Object.entries<OptionRow<unknown>>(OPTION_ROWS).flatMap(([name, { since, forms, entryForms }]) => [
    ...(since === undefined ? [] : [[name, since]]),
    ...Object.entries({ ...forms, ...entryForms }).map(([feature, form]) => [
      feature,
      typeof form === 'string' ? form : form.since,
    ]),
  ]),
) as Record<Feature, string>;

export function hasFeature(feature: Feature, version: string | undefined): boolean {
  return reaches(version, LEAST_VERSIONS[feature]);
}
