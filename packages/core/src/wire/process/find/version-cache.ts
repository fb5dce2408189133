// Keeps the versions that CLIs have reported, for later processes, in one small file of this user. A file that is wrong
// in any way is ignored.
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isRecord } from '../../../util/guards.js';
import type { Environment } from '../operating-system.js';

/** The variable that names another folder for the cache than the user's folder for caches; `off` turns the cache off. */
const CACHE_VARIABLE = 'INBOARD_CACHE';

/** The version of the file's format. A newer file is ignored and replaced. A file without a version counts as this one. */
const CACHE_VERSION = 1;
const CACHE_FILE = 'cli-versions.json';
const MOST_BYTES = 64 * 1024;
const MOST_ENTRIES = 50;
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[\w.]{1,40})?$/;
// How long a version counts. The file that was asked may only start the CLI, and stays the same when the CLI is updated.
const LONGEST_MS = 24 * 60 * 60 * 1000;

interface Entry {
  readonly version: string;
  /** When the CLI was asked, in milliseconds since 1970. */
  readonly at: number;
}

/** The version that the file with this identity reported within the last day; undefined if the cache has none. */
export function readCachedVersion(identity: string, folder = findCacheFolder()): string | undefined {
  const entry = folder === undefined ? undefined : readEntries(folder)[identity];
  const age = entry ? Date.now() - entry.at : NaN;
  return age >= 0 && age < LONGEST_MS ? entry?.version : undefined;
}

/** Adds a version to the cache. Does nothing if that fails. */
export function writeCachedVersion(identity: string, version: string, folder = findCacheFolder()): void {
  if (folder === undefined || !VERSION.test(version)) return;
  const temporary = join(folder, `${CACHE_FILE}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOurs(lstatSync(folder))) return;
    const others = Object.entries(readEntries(folder)).filter(([other]) => other !== identity);
    const latest = others.toSorted(([, a], [, b]) => b.at - a.at).slice(0, MOST_ENTRIES - 1);
    const content = JSON.stringify({
      version: CACHE_VERSION,
      [identity]: { version, at: Date.now() },
      ...Object.fromEntries(latest),
    });
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    // Readers see the old content or the new one, never half of it.
    renameSync(temporary, join(folder, CACHE_FILE));
  } catch {
    // The home folder may be read-only, full or missing. Then every process asks the CLI itself.
    remove(temporary);
  }
}

/** The folder of the cache; undefined if the cache is off, or no absolute path is known for it. */
export function findCacheFolder(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const named = env[CACHE_VARIABLE];
  if (named === 'off') return undefined;
  if (named) return isAbsolute(named) ? named : undefined;
  const base = findUserCache(env, platform);
  return base !== undefined && isAbsolute(base) ? join(base, 'inboard') : undefined;
}

function findUserCache(env: Environment, platform: NodeJS.Platform): string | undefined {
  if (platform === 'win32') return env['LOCALAPPDATA'];
  if (env['XDG_CACHE_HOME']) return env['XDG_CACHE_HOME'];
  try {
    return join(homedir(), ...(platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']));
  } catch {
    // The system has no entry for this user.
    return undefined;
  }
}

function readEntries(folder: string): Record<string, Entry> {
  try {
    const content: unknown = JSON.parse(readOwnFile(join(folder, CACHE_FILE)));
    if (!isRecord(content) || isNewer(content['version'])) return {};
    return Object.fromEntries(
      Object.entries(content).filter((pair): pair is [string, Entry] => isEntry(pair[1])),
    );
  } catch {
    return {};
  }
}

function isNewer(version: unknown): boolean {
  return typeof version === 'number' && version > CACHE_VERSION;
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { version, at } = value;
  return typeof version === 'string' && VERSION.test(version) && Number.isFinite(at);
}

/** Reads a file. Throws unless it is small and only this user can have written it. */
function readOwnFile(path: string): string {
  // Without O_NONBLOCK, opening a pipe would wait for a writer. On Windows the last two flags are undefined, which
  // counts as 0.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || !isOurs(stats) || stats.size > MOST_BYTES) throw new Error(`${path} is not ours`);
    const bytes = Buffer.alloc(stats.size);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

function isOurs({ uid, mode }: Stats): boolean {
  const self = process.getuid?.();
  return self === undefined || (uid === self && (mode & 0o022) === 0);
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A small file that stays does no harm.
  }
}
