// The state of one search: the sessions, where to look, and the problems so far. Also lists, measures and deletes files.
// The files `look-in-*` search one kind of place each.
import { lstat, readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { messageOf } from '../util/message-of.js';
import type { Environment } from '../wire/process/operating-system.js';
import type { FindSessionDataOptions, SessionDataItem, SessionDataProblem } from './session-data.js';

/** A found item, and how it is deleted. */
export interface FoundItem extends SessionDataItem {
  /** All sessions of the search that the item belongs to. Set only for a file that may contain several sessions. */
  sessionIds?: readonly string[];
  /** Whether a process on this machine still uses it, even if the session is not known to run. */
  isInUse?: boolean;
  /** Deletes the item. Rejects if that fails, with an `OutsideError` if the path leads out of its folder. */
  remove(): Promise<void>;
}

/** The sessions to search for, and where to look for them. */
export interface Search {
  /** The session ids in lower case, as the CLI spells them. */
  readonly ids: ReadonlySet<string>;
  readonly env: Environment;
  readonly options: FindSessionDataOptions;
  readonly problems: SessionDataProblem[];
}

/** Thrown for a path that leads out of the folder it seems to be in. */
export class OutsideError extends Error {}

// Matches whole ids only: more digits before or after would make it something else.
const UUID = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/i;

/**
 * The session that a file is named after: the first id in its name. Other ids may follow, as in
 * `<session>-agent-<agent>.json`.
 */
export function sessionOfName(name: string): string | undefined {
  return UUID.exec(name)?.[0].toLowerCase();
}

/** The names in a folder, sorted; empty if there is no such folder. A folder that cannot be read is reported as a problem. */
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

/** The item for a file or folder of a session; undefined if it is gone. It is deleted only if it is inside `root`. */
export async function foundFile(
  item: Pick<SessionDataItem, 'sessionId' | 'kind' | 'sharedWith'>,
  path: string,
  root: string,
): Promise<FoundItem | undefined> {
  const bytes = await sizeOf(path);
  if (bytes === undefined) return undefined;
  return { ...item, place: path, bytes, remove: () => removeInside(path, root) };
}

/**
 * Deletes a file or folder whose parent really is inside `root`. A link at the path itself is removed, but not its
 * target.
 */
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

/** Removes a folder if it is empty, because the name of a project's folder reveals the project's path. */
export async function removeIfEmpty(folder: string): Promise<void> {
  // Most folders are not empty. Then this fails, and the folder stays.
  await rmdir(folder).catch(() => {});
}

/** The bytes of a file, or of everything in a folder. Links are not followed. Undefined if there is nothing. */
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
