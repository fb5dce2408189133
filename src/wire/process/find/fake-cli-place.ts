// Where fake CLIs are put, so that one can be told from a CLI that may spend money.
import { basename, dirname } from 'node:path';

/** How the names of the folders begin in which fake CLIs are put. */
export const FAKE_CLI_FOLDER = 'inboard-fake-';

/** Whether a program is a fake CLI of `inboard/testing`. */
export function isFakeCli(path: string | undefined): boolean {
  return path !== undefined && basename(dirname(path)).startsWith(FAKE_CLI_FOLDER);
}
