// Tells which user this process runs as, and whether the system's user ids distinguish all users.
import { disk } from './system/disk.js';

/** The facts about users. `own` is undefined if the system has no user ids, as on Windows. */
export interface HostUsers {
  /** The id of the user whose files this process writes. */
  readonly own: number | undefined;
  /** Whether other users may have the same id here. A user namespace shows all users without an id of their own as one. */
  readonly isAmbiguous: boolean;
}

export const WRITABLE_BY_GROUP = 0o020;
export const WRITABLE_BY_ALL = 0o002;
/** In a folder with this bit, only the owner of a file can move or delete it. */
export const STICKY = 0o1000;
export const ROOT = 0;

/** The users of this system. */
export function describeUsers(): HostUsers {
  const own = process.geteuid?.();
  return { own, isAmbiguous: own !== undefined && isOverflow(own) };
}

// In a user namespace that maps only some users, the files of all others seem to belong to this one.
function isOverflow(uid: number): boolean {
  const read = (file: string): string | undefined => {
    try {
      return disk.readFileSync(file, 'utf8').trim();
    } catch {
      // Only Linux has such namespaces.
      return undefined;
    }
  };
  if (String(uid) !== read('/proc/sys/fs/overflowuid')) return false;
  const map = read('/proc/self/uid_map');
  return map !== undefined && !/^0\s+0\s+4294967295$/.test(map);
}

/** A mode as it is written for `chmod`, like 0644. */
export function formatMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}
