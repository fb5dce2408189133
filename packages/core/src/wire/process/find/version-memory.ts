// The versions of CLIs that were found out, by file: a file whose path, size and time are the same is the same file. Only in
// this process; `version-cache` keeps what was asked for across processes.
import { hostSystem } from '../operating-system.js';

const REMEMBERED_FILES = 64;

const versions = new Map<string, string>();

/** A file as it is now. One that is only a link is known by both names: a program may act by the name it is called. */
export function identifyFile(path: string): string {
  const facts = hostSystem.statFile(path);
  return JSON.stringify([path, hostSystem.realPath(path), facts?.size, facts?.mtimeMs]);
}

/** The version of the CLI in this file; undefined where it is not known here. */
export function recallVersion(path: string): string | undefined {
  // Most processes have found out none, and need not look at the file.
  return versions.size === 0 ? undefined : versions.get(identifyFile(path));
}

/** The CLI in this file has said that it is of this version. */
export function rememberVersion(path: string, version: string): void {
  if (versions.size >= REMEMBERED_FILES) versions.clear();
  versions.set(identifyFile(path), version);
}
