// The supported versions of the CLI, and the warnings about others. The first version that has an option is in the
// option's row.
import { compareVersions } from '../wire/process/find/compare-versions.js';
import type { InboardWarning } from './check/warning.js';

/** The oldest CLI that Inboard is tested with. */
export const OLDEST_VERSION = '2.1.33';

/** The newest CLI that Inboard is tested with. Later CLIs are treated like it. */
export const NEWEST_VERSION = '2.1.325';

/** Stands for every supported version. A plan for it suits all of them, so the version of the CLI need not be known. */
export const ANY_VERSION = Symbol('any version');

/** The version of the CLI that a launch is planned for. If it is undefined, the CLI is treated like the newest. */
export type PlannedVersion = string | undefined | typeof ANY_VERSION;

/** Thrown when a plan for `ANY_VERSION` turns out to need the version. */
export class VersionNeeded extends Error {}

/** Whether a version is at least the needed one. An unknown version counts as the newest. */
export function reaches(version: string | undefined, needed: string): boolean {
  return version === undefined || compareVersions(version, needed) >= 0;
}

/** Whether the version of a plan is at least the needed one. Throws `VersionNeeded` for `ANY_VERSION`. */
export function plansFor(version: PlannedVersion, needed: string): boolean {
  if (version === ANY_VERSION) throw new VersionNeeded();
  return reaches(version, needed);
}

/** The found version unchanged, or undefined if the text is not a version. */
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
