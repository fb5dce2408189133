// The known versions of CLIs in this process, by file. A file whose path, size and time are the same is the same file.
// `version-cache` keeps versions across processes.
import { hostSystem } from '../operating-system.js';

const REMEMBERED_FILES = 64;

const versions = new Map<string, string>();

/**
 * Identifies the current state of a file. A link is identified by both names, because a program may act by the name it
 * is called.
 */
export function identifyFile(path: string): string {
  const facts = hostSystem.statFile(path);
  return JSON.stringify([path, hostSystem.realPath(path), facts?.size, facts?.mtimeMs]);
}

/** The version of the CLI in this file; undefined where this process does not know it. */
export function recallVersion(path: string): string | undefined {
  // Most processes know none, and need not look at the file.
  return versions.size === 0 ? undefined : versions.get(identifyFile(path));
}

/** Notes the version that the CLI in this file has given. */
export function rememberVersion(path: string, version: string): void {
  if (versions.size >= REMEMBERED_FILES) versions.clear();
  versions.set(identifyFile(path), version);
}
