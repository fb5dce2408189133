// One search: whose data is looked for, where, and what was found so far. The files beside this one look in one kind of place each.
import { lstat, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { messageOf } from '../util/message-of.js';
import type { Environment } from '../wire/process/operating-system.js';
import type { FindSessionDataOptions, SessionDataItem, SessionDataProblem } from './session-data.js';

/** What was found, and how it is deleted. */
export interface FoundItem extends SessionDataItem {
  /** All sessions of the search that it is of, where that is more than one. */
  sessionIds?: readonly string[];
  /** A process of this machine still uses it, whatever is known of the session. */
  isInUse?: boolean;
  /** Deletes it; rejects where that fails, with an `OutsideError` where it leads elsewhere. */
  remove(): Promise<void>;
}

/** Whose data is looked for, and where. */
export interface Search {
  /** In lower case, as the CLI spells them. */
  readonly ids: ReadonlySet<string>;
  readonly env: Environment;
  readonly options: FindSessionDataOptions;
  readonly problems: SessionDataProblem[];
}

/** A path leads out of the folder it seems to be in. */
export class OutsideError extends Error {}

// Whole: an id with more digits before or behind it is somebody else's.
const UUID = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/i;

/** The session a file is named after: the first id in its name. Others, as in `<session>-agent-<agent>.json`, follow it. */
export function sessionOfName(name: string): string | undefined {
  return UUID.exec(name)?.[0].toLowerCase();
}

/** The names in a folder, sorted; none where there is no such folder. What cannot be read is a problem. */
export async function listNames(folder: string, { problems }: Search): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      problems.push({ place: folder, message: `It cannot be read: ${messageOf(error)}` });
    return [];
  }
}

/** A file or folder of a session; undefined where it is gone. `root` is the folder that its path must not lead out of. */
export async function foundFile(
  item: Pick<SessionDataItem, 'sessionId' | 'kind' | 'sharedWith'>,
  path: string,
  root: string,
): Promise<FoundItem | undefined> {
  const bytes = await sizeOf(path);
  if (bytes === undefined) return undefined;
  return { ...item, place: path, bytes, remove: () => removeInside(path, root) };
}

/** Deletes a file or folder whose parent really is inside `root`. A link at the path itself goes; what it leads to stays. */
async function removeInside(path: string, root: string): Promise<void> {
  let parent: string;
  try {
    parent = await realpath(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const inside = await realpath(root);
  if (parent !== inside && !parent.startsWith(inside.endsWith(sep) ? inside : `${inside}${sep}`)) {
    throw new OutsideError(`${dirname(path)} is a symbolic link to ${parent}, which is outside ${root}`);
  }
  await rm(path, { recursive: true, force: true });
}

/** Removes a folder that holds nothing any more: the name of a project's folder tells its path. */
export async function removeIfEmpty(folder: string): Promise<void> {
  // Most often it is not empty, and then it stays.
  await rmdir(folder).catch(() => {});
}

/** Bytes of a file or of all in a folder; links count as links. Undefined where there is nothing. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await lstat(path);
    if (!stats.isDirectory()) return stats.size;
    let total = 0;
    for (const name of await readdir(path)) total += (await sizeOf(join(path, name))) ?? 0;
    return total;
  } catch {
    return undefined;
  }
}
