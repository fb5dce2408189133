// Removes the temporary folders of processes that were killed, because such a folder may hold a conversation and a login.
// It removes only folders of this user whose owner is gone, and follows no links.
import { constants } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRecord } from '../../util/guards.js';
import {
  describeSelf,
  OWNED_FOLDER,
  OWNER_FILE,
  readProcessStart,
  type FolderOwner,
} from './owned-folder.js';

/**
 * The age from which a folder is removed if its owner cannot be looked up. Such an owner ran in another container or on
 * another machine, or left no name.
 */
const STRANGER_AGE_MS = 7 * 24 * 3600 * 1000;

/** The place and the user to sweep for; for tests. */
export interface SweepOptions {
  /** Default: the system's temporary folder. */
  readonly folder?: string;
  /** Default: the user of this process. */
  readonly user?: number | undefined;
  readonly self?: FolderOwner;
  readonly now?: number;
}

let swept: Promise<void> | undefined;

/** Calls `sweepFolders` once per process. Never rejects. */
export function sweepFoldersOnce(): Promise<void> {
  swept ??= sweepFolders();
  return swept;
}

/** Removes the folders of dead processes. Never rejects. */
export async function sweepFolders(options: SweepOptions = {}): Promise<void> {
  const { folder = tmpdir(), user = process.getuid?.() } = options;
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!OWNED_FOLDER.test(name)) continue;
    const path = join(folder, name);
    try {
      // `lstat` does not follow links. Every user can create folders here, so the user that owns the folder counts, not
      // its name.
      const facts = await lstat(path);
      if (!facts.isDirectory() || (user !== undefined && facts.uid !== user)) continue;
      const { self = describeSelf(), now = Date.now() } = options;
      const owner = await readOwner(path);
      if (!isAbandoned(owner, { self, ageMs: now - facts.mtimeMs })) continue;
      await rm(path, { recursive: true, force: true });
    } catch {
      // The folder is gone already, or cannot be removed now. The next process tries again.
    }
  }
}

/** Whether the owner of a folder is gone. An owner that cannot be looked up counts as gone after a week. */
export function isAbandoned(
  owner: FolderOwner | undefined,
  { self, ageMs }: { self: FolderOwner; ageMs: number },
): boolean {
  if (owner !== undefined) {
    if (owner.boot === self.boot && owner.pidSpace === self.pidSpace && isSameHost(owner, self))
      return !isRunning(owner);
    // The same machine has been restarted since.
    if (owner.host === self.host && owner.boot !== self.boot) return true;
  }
  return ageMs > STRANGER_AGE_MS;
}

// `boot` is different on each machine. Only if it is not known do the names of the machines count.
function isSameHost(owner: FolderOwner, self: FolderOwner): boolean {
  return self.boot !== '' || owner.host === self.host;
}

function isRunning({ pid, start }: FolderOwner): boolean {
  if (start !== '') return readProcessStart(pid) === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other error means that the process exists but may not be signalled.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The owner of a folder; undefined if the folder names none. */
export async function readOwner(path: string): Promise<FolderOwner | undefined> {
  try {
    const file = await open(join(path, OWNER_FILE), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const { pid, start, boot, pidSpace, host } = parseRecord(await file.readFile('utf8')) ?? {};
      const texts = [start, boot, pidSpace, host];
      if (!Number.isSafeInteger(pid) || (pid as number) <= 0) return undefined;
      if (!texts.every((text) => typeof text === 'string')) return undefined;
      return { pid, start, boot, pidSpace, host } as FolderOwner;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
