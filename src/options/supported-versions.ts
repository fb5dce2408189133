// Which CLIs are supported. Since when an option works is in its row.
import { compareVersions } from '../wire/process/find/cli-version.js';

/** The oldest CLI this package is tested with. */
export const OLDEST_VERSION = '2.1.33';

/** The newest CLI this package is tested with; later ones are treated alike. */
export const NEWEST_VERSION = '2.1.325';

/** Whether a version is at least the needed one; an unknown version is taken for the newest. */
export function reaches(version: string | undefined, needed: string): boolean {
  return version === undefined || compareVersions(version, needed) >= 0;
}
