// Temporary folders that belong to this process. A process that is killed cannot remove its folders. So each folder names
// the process that owns it, and a later process removes it if the owner is gone (`sweep-folders`).
import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { explainFolderFailure } from './folder-failure.js';

/** The purpose of a folder, which is part of its name. */
export type OwnedFolderKind = 'resume' | 'launch' | 'inspect' | 'chat';

/** The process that a folder belongs to. A text is empty if the system does not provide it. */
export interface FolderOwner {
  readonly pid: number;
  /** When the process was started, in ticks since the system's start. It tells processes with the same id apart. */
  readonly start: string;
  /** Identifies this start of the system. After a restart, ids and ticks begin anew. */
  readonly boot: string;
  /** The namespace of the process id. Each container has its own. */
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

/** Creates a folder that only this user can read, or throws a LaunchError. The caller removes the folder. */
export function createOwnedFolder(kind: OwnedFolderKind): string {
  let folder: string | undefined;
  try {
    // The path must be absolute: the CLI has another working directory, and would read a leading dash as a flag.
    folder = mkdtempSync(join(resolve(tmpdir()), `inboard-${kind}-`));
    writeFileSync(join(folder, OWNER_FILE), JSON.stringify(describeSelf()), { mode: 0o600 });
    return folder;
  } catch (error) {
    // On a full disk, the folder can be created but its first file cannot.
    if (folder !== undefined) removeOwnedFolder(folder);
    throw explainWriteFailure(error, kind);
  }
}

/** The error to throw when writing into such a folder failed. */
export function explainWriteFailure(error: unknown, kind: OwnedFolderKind): unknown {
  return explainFolderFailure(error, PURPOSES[kind]);
}

/** Removes such a folder. If that fails, a later process removes it. */
export function removeOwnedFolder(folder: string): void {
  attempt(() => rmSync(folder, { recursive: true, force: true }));
}

/** This process, as the owner of folders. */
export function describeSelf(): FolderOwner {
  self ??= {
    pid: process.pid,
    start: readProcessStart(process.pid) ?? '',
    boot: readProc(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '',
    pidSpace: readProc(() => readlinkSync('/proc/self/ns/pid')) ?? '',
    host: hostname(),
  };
  return self;
}

/** When a process was started. Undefined if it has ended, and on systems other than Linux, which do not say. */
export function readProcessStart(pid: number): string | undefined {
  return readProc(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may contain spaces and parentheses. The state is the 3rd field, the start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  });
}

// On Windows the path means a folder of the current drive, in which every user can make one.
function readProc<Value>(read: () => Value): Value | undefined {
  return process.platform === 'win32' ? undefined : attempt(read);
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
