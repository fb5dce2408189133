// Temporary folders that end with this process. One that is killed cannot remove them, so each says whose it is, and a
// later process removes those whose owner is gone (`sweep-folders.ts`).
import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { explainFolderFailure } from './folder-failure.js';

/** What a folder is for; part of its name. */
export type OwnedFolderKind = 'resume' | 'launch' | 'inspect' | 'chat';

/** The process a folder belongs to. What the system does not tell is the empty string. */
export interface FolderOwner {
  readonly pid: number;
  /** When the process was started, in the system's own count: a number may be given to another process later. */
  readonly start: string;
  /** The start of the system, after which the count begins anew. */
  readonly boot: string;
  /** The space in which the process has its number: containers have their own. */
  readonly pidSpace: string;
  readonly host: string;
}

/** The names such folders have. */
export const OWNED_FOLDER = /^inboard-(?:resume|launch|inspect|chat)-/;

/** The file in each of them that has its owner. */
export const OWNER_FILE = 'owner.json';

let self: FolderOwner | undefined;

const PURPOSES: Readonly<Record<OwnedFolderKind, string>> = {
  resume: 'the session to resume',
  launch: 'options that are not passed on the command line',
  inspect: 'the older events of the inspector',
  chat: 'the older parts of answers',
};

/** Makes a folder that only this user can read. Whoever asked for it removes it. Throws a LaunchError where none can be made. */
export function createOwnedFolder(kind: OwnedFolderKind): string {
  let folder: string | undefined;
  try {
    // Absolute, because a CLI works elsewhere, and a path that begins with a dash would look like a flag to it.
    folder = mkdtempSync(join(resolve(tmpdir()), `inboard-${kind}-`));
    writeFileSync(join(folder, OWNER_FILE), JSON.stringify(describeSelf()), { mode: 0o600 });
    return folder;
  } catch (error) {
    // On a full disk the folder is made and its first file is not.
    if (folder !== undefined) removeOwnedFolder(folder);
    throw explainWriteFailure(error, kind);
  }
}

/** What to throw when writing into such a folder failed. */
export function explainWriteFailure(error: unknown, kind: OwnedFolderKind): unknown {
  return explainFolderFailure(error, PURPOSES[kind]);
}

/** Removes such a folder; what cannot be removed is left to the next process, which sweeps it. */
export function removeOwnedFolder(folder: string): void {
  attempt(() => rmSync(folder, { recursive: true, force: true }));
}

/** This process, as the owner of folders. */
export function describeSelf(): FolderOwner {
  self ??= {
    pid: process.pid,
    start: readProcessStart(process.pid) ?? '',
    boot: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '',
    pidSpace: attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '',
    host: hostname(),
  };
  return self;
}

/** When a process was started; undefined when it has ended, or the system does not tell (elsewhere than on Linux). */
export function readProcessStart(pid: number): string | undefined {
  return attempt(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may itself hold spaces and parentheses. The start is the 22nd field, the state the 3rd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  });
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
