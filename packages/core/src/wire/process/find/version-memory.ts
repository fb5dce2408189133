// The versions of CLIs that this process knows, by file. A file with the same path, size and time counts as unchanged.
// `version-cache` keeps versions for later processes.
import { hostSystem } from '../operating-system.js';

const REMEMBERED_FILES = 64;

const versions = new Map<string, string>();

/**
 * Identifies the current state of a file. For a link, both its path and its target count, because a program may behave
 * differently under another name.
 */
export function identifyFile(path: string): string {
  const facts = hostSystem.statFile(path);
  return JSON.stringify([path, hostSystem.realPath(path), facts?.size, facts?.mtimeMs]);
}

/** The version of the CLI in this file; undefined if this process does not know it. */
export function recallVersion(path: string): string | undefined {
  // Most processes know no version. They need not look at the file.
  return versions.size === 0 ? undefined : versions.get(identifyFile(path));
}

/** Notes the version that the CLI in this file has reported. */
export function rememberVersion(path: string, version: string): void {
  if (versions.size >= REMEMBERED_FILES) versions.clear();
  versions.set(identifyFile(path), version);
}
