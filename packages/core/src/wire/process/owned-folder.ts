// Temporary folders that end with this process. A process that is killed cannot remove them. So each folder names its
// owner, and a later process removes those whose owner is gone (`sweep-folders`).
import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { explainFolderFailure } from './folder-failure.js';

/** The purpose of a folder, which is part of its name. */
export type OwnedFolderKind = 'resume' | 'launch' | 'inspect' | 'chat';

/** The process that a folder belongs to. What the system does not tell is the empty string. */
export interface FolderOwner {
  readonly pid: number;
  /** When the process was started, in the system's own count. A process id may be given to another process later. */
  readonly start: string;
  /** The start of the system. The count begins anew after it. */
  readonly boot: string;
  /** The namespace of the process id: containers have their own. */
  readonly pidSpace: string;
  readonly host: string;
}

/** The names of such folders. */
export const OWNED_FOLDER = /^inboard-(?:resume|launch|inspect|chat)-/;

/** The file in each folder that names its owner. */
export const OWNER_FILE = 'owner.json';

let self: FolderOwner | undefined;

const PURPOSES: Readonly<Record<OwnedFolderKind, string>> = {
  resume: 'the session to resume',
  launch: 'options that are not passed on the command line',
  inspect: 'the older events of the inspector',
  chat: 'the older parts of answers',
};

/** Makes a folder that only this user can read. The caller removes it. Throws a LaunchError where none can be made. */
export function createOwnedFolder(kind: OwnedFolderKind): string {
  let folder: string | undefined;
  try {
    // Absolute, because the CLI has another working directory, and takes a path that begins with a dash for a flag.
    folder = mkdtempSync(join(resolve(tmpdir()), `inboard-${kind}-`));
    writeFileSync(join(folder, OWNER_FILE), JSON.stringify(describeSelf()), { mode: 0o600 });
    return folder;
  } catch (error) {
    // On a full disk, the folder can be made but not its first file.
    if (folder !== undefined) removeOwnedFolder(folder);
    throw explainWriteFailure(error, kind);
  }
}

/** The error to throw when writing into such a folder failed. */
export function explainWriteFailure(error: unknown, kind: OwnedFolderKind): unknown {
  return explainFolderFailure(error, PURPOSES[kind]);
}

/** Removes such a folder. If that fails, the next process sweeps it. */
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

/** When a process was started. Undefined when it has ended, or where the system does not tell (only Linux does). */
export function readProcessStart(pid: number): string | undefined {
  return attempt(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain spaces and parentheses. The state is the 3rd field, the start the 22nd.
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
