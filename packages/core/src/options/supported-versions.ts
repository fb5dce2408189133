// The supported CLIs, and the warnings about others. The row of an option has the first version with that option.
import { compareVersions } from '../wire/process/find/compare-versions.js';
import type { InboardWarning } from './check/warning.js';

/** The oldest CLI this package is tested with. */
export const OLDEST_VERSION = '2.1.33';

/** The newest CLI this package is tested with. Later ones are treated alike. */
export const NEWEST_VERSION = '2.1.325';

/** Stands for an unknown version that need not be found out: the plan must suit every supported CLI. */
export const ANY_VERSION = Symbol('any version');

/** The version of the CLI that a launch is planned for. Undefined, where it is not known, counts as the newest. */
export type PlannedVersion = string | undefined | typeof ANY_VERSION;

/** Thrown by a plan for any version where the version must be known after all. */
export class VersionNeeded extends Error {}

/** Whether a version is at least the needed one. An unknown version counts as the newest. */
export function reaches(version: string | undefined, needed: string): boolean {
  return version === undefined || compareVersions(version, needed) >= 0;
}

/** Whether the version of a plan is at least the needed one. Throws `VersionNeeded`. */
export function plansFor(version: PlannedVersion, needed: string): boolean {
  if (version === ANY_VERSION) throw new VersionNeeded();
  return reaches(version, needed);
}

/** The found version unchanged, or undefined where the text is no version. */
export function readVersion(found: string | undefined): string | undefined {
  return found !== undefined && /^\s*v?\d+\.\d+/.test(found) ? found : undefined;
}

/** Warns of a CLI that is older than the supported ones, or of unknown version. */
export function findVersionWarnings(found: string | undefined): InboardWarning[] {
  const version = readVersion(found);
  if (version === undefined) {
    const what = found === undefined ? 'is unknown' : `cannot be read from "${found}"`;
    const message =
      `The version of the CLI ${what}, so it is treated like the newest one. ` +
      'If it is older, set the option "claudeCodeVersion".';
    return [{ code: 'CLI_VERSION_UNKNOWN', message, options: ['claudeCodeVersion'] }];
  }
  if (reaches(version, OLDEST_VERSION)) return [];
  const message = `The CLI that was found has version ${version}; the oldest supported version is ${OLDEST_VERSION}. It may not work.`;
  return [{ code: 'CLI_VERSION_UNSUPPORTED', message }];
}
