// What the search for the CLI reads from the operating system, behind one small interface. The code for Windows and macOS
// is tested on Linux with a fake of this interface; that for Windows also under Wine, and that for macOS nowhere else.
import { accessSync, closeSync, constants, openSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { realpathSync, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { readBinaryFormat } from './binary-format.js';
import { readWorkingDirectory } from './start-folder.js';

/** Variables by name; an undefined value counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The facts about a path that exists. */
export interface FileFacts {
  kind: 'file' | 'directory' | 'other';
  size: number;
  mtimeMs: number;
}

/** Queries to the system. What cannot be read is `undefined`, false or empty. No query throws. */
export interface OperatingSystem {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The path rules of this platform, so that a fake Windows on Linux splits paths as Windows does. */
  readonly path: typeof posix;
  readonly env: Environment;
  /** Whether programs here are linked against musl; false outside Linux. */
  isMusl(): boolean;
  /** The working directory; undefined when it has been removed. */
  workingDirectory(): string | undefined;
  statFile(path: string): FileFacts | undefined;
  /** Whether a file may be executed; for a folder, whether it may be entered. */
  canExecute(path: string): boolean;
  canRead(path: string): boolean;
  readText(path: string): string | undefined;
  readBytes(path: string, position: number, length: number): Uint8Array | undefined;
  listFolder(path: string): readonly string[];
  realPath(path: string): string | undefined;
}

/** The system this process runs on. */
export const hostSystem: OperatingSystem = {
  platform: process.platform,
  arch: process.arch,
  path: process.platform === 'win32' ? win32 : posix,
  env: process.env,
  isMusl: () => (muslKnown ??= detectMusl()),
  workingDirectory: readWorkingDirectory,
  statFile: (path) =>
    attempt(() => {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (!stats) return undefined;
      const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
      return { kind, size: stats.size, mtimeMs: stats.mtimeMs } as const;
    }),
  canExecute: (path) => isAllowed(path, constants.X_OK),
  canRead: (path) => isAllowed(path, constants.R_OK),
  readText: (path) => attempt(() => readFileSync(path, 'utf8')),
  readBytes: (path, position, length) => attempt(() => readPart(path, position, length)),
  listFolder: (path) => attempt(() => readdirSync(path)) ?? [],
  realPath: (path) => attempt(() => realpathSync.native(path)),
};

let muslKnown: boolean | undefined;

/** The parsed content of a JSON file, or undefined. */
export function readJsonFile(path: string, os: OperatingSystem): unknown {
  const text = os.readText(path);
  return text === undefined ? undefined : attempt(() => JSON.parse(text) as unknown);
}

/** A variable by its name. Windows ignores the case of names. */
export function readVariable(name: string, env: Environment, os: OperatingSystem): string | undefined {
  if (os.platform !== 'win32' || env[name] !== undefined) return env[name];
  const wanted = name.toLowerCase();
  const key = Object.keys(env).find((candidate) => candidate.toLowerCase() === wanted);
  return key === undefined ? undefined : env[key];
}

// The loader of the running program is the quickest reliable sign. A diagnostic report would take tens of milliseconds. A
// musl loader on disk proves less, because it may belong to a package on a glibc system.
function detectMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const { loader } = readBinaryFormat((position, length) =>
    hostSystem.readBytes(process.execPath, position, length),
  );
  if (loader !== undefined) return loader.includes('ld-musl');
  return hostSystem.listFolder('/lib').some((name) => name.startsWith('ld-musl-'));
}

function readPart(path: string, position: number, length: number): Uint8Array {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, position));
  } finally {
    closeSync(file);
  }
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
