// Checks the fields of the editor's requests that the protocol's library does not check.
import { isAbsolute } from 'node:path';
import { AcpRefusal } from './acp-refusal.js';

/** Throws an AcpRefusal for a folder that is not an absolute path. */
export function checkFolders({
  cwd,
  additionalDirectories = [],
}: {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | undefined;
}): void {
  for (const folder of [cwd, ...additionalDirectories]) {
    if (!isAbsolute(folder)) {
      throw new AcpRefusal('invalidParams', `A folder must be an absolute path, and "${folder}" is not.`);
    }
  }
}

/** The number of the first session on a page of the session list. Throws an AcpRefusal for anything but a cursor of that list. */
export function readCursor(cursor: string | null | undefined): number {
  if (cursor === null || cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new AcpRefusal(
    'invalidParams',
    `"${cursor}" is not a cursor of this list. Leave it out to start at the beginning.`,
  );
}
