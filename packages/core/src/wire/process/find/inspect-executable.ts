// Decides whether a file can be started as a CLI on this machine, and how. It looks for obstacles before a process is
// started, because the system's own errors (`ENOENT`, `EACCES`) often name the wrong file.
import { readBinaryFormat, type BinaryFormat, type PartReader } from '../binary-format.js';
import { LEAST_CLI_BYTES, readBundleVersion, readProgramVersion } from './embedded-version.js';
import { readOwnPackage, readVersionFromPath } from './executable-path.js';
import type { OperatingSystem } from '../operating-system.js';
import { isShimName, resolveShim } from './windows-shim.js';

/** How a file is started: directly, or by a JavaScript runtime. */
export type ExecutableKind = 'native' | 'script';

/** A file that can be started. `path` may differ from the given path, because of a symbolic link, a shim or an archive. */
export interface UsableFile {
  path: string;
  kind: ExecutableKind;
  version: string | undefined;
}

/** Why a file cannot be started; `reason` completes the sentence "<path> …". */
export interface UnusableFile {
  problem: 'missing' | 'not-a-file' | 'not-permitted' | 'wrong-platform' | 'stub' | 'unresolved-shim';
  reason: string;
}

const SCRIPT_NAME = /\.[cm]?[jt]sx?$/i;
const ARCHIVE_PART = /\.asar(?=[\\/])/;

/** Whether a file of that name needs a JavaScript runtime to start. */
export function isScriptName(path: string): boolean {
  return SCRIPT_NAME.test(path);
}

/** Whether and how a file can be started; nothing is started. */
export function inspectExecutable(asked: string, os: OperatingSystem): UsableFile | UnusableFile {
  // Electron can read files inside its archives like others, but the system cannot start them.
  const path = asked.replace(ARCHIVE_PART, '.asar.unpacked');
  const facts = os.statFile(path);
  if (!facts) {
    const isArchived = path !== asked;
    const why = isArchived
      ? `is inside an Electron archive, and ${path} does not exist: add it to "asarUnpack"`
      : 'does not exist';
    return { problem: 'missing', reason: why };
  }
  if (facts.kind !== 'file') {
    return {
      problem: 'not-a-file',
      reason: facts.kind === 'directory' ? 'is a directory' : 'is not a regular file',
    };
  }
  const real = os.realPath(path) ?? path;
  if (isScriptName(path) || isScriptName(real)) {
    return inspectScript(isScriptName(path) ? path : real, facts.size, os);
  }
  if (isShimName(path, os)) return inspectShim(path, os);
  return inspectNative({ path, real, size: facts.size, mtimeMs: facts.mtimeMs }, os);
}

function inspectScript(path: string, size: number, os: OperatingSystem): UsableFile | UnusableFile {
  if (!os.canRead(path)) return { problem: 'not-permitted', reason: 'may not be read by this user' };
  const embedded = (): string | undefined =>
    size < LEAST_CLI_BYTES ? undefined : readBundleVersion(partReader(path, os));
  return { path, kind: 'script', version: readVersionFromPath(path, os) ?? embedded() };
}

function partReader(path: string, os: OperatingSystem): PartReader {
  return (position, length) => os.readBytes(path, position, length);
}

function inspectShim(path: string, os: OperatingSystem): UsableFile | UnusableFile {
  const target = resolveShim(path, os);
  if (target !== undefined && !isShimName(target, os)) return inspectExecutable(target, os);
  return {
    problem: 'unresolved-shim',
    reason:
      'is a command file that only a shell can start, and which program it starts could not be determined; name claude.exe or cli.js itself',
  };
}

interface NativeFile {
  path: string;
  real: string;
  size: number;
  mtimeMs: number;
}

function inspectNative(file: NativeFile, os: OperatingSystem): UsableFile | UnusableFile {
  if (os.platform !== 'win32' && !os.canExecute(file.path)) {
    return { problem: 'not-permitted', reason: `has no execute permission for this user (chmod +x)` };
  }
  const known = readKnown(file, os);
  if (known.isStub) {
    return {
      problem: 'stub',
      reason: `is only a placeholder of ${file.size} bytes: the package's install script did not run, and its platform package is missing`,
    };
  }
  if (os.platform === 'win32' && known.format.format !== 'pe') {
    // npm also writes a shim without an extension, for a POSIX shell. Its target can be started.
    const target = resolveShim(file.path, os);
    if (target !== undefined) return inspectExecutable(target, os);
  }
  const mismatch = findMismatch(known.format, os);
  if (mismatch !== undefined) return { problem: 'wrong-platform', reason: mismatch };
  return { path: file.path, kind: 'native', version: known.version };
}

interface KnownFile {
  size: number;
  mtimeMs: number;
  format: BinaryFormat;
  version: string | undefined;
  isStub: boolean;
}

const REMEMBERED_FILES = 64;
const knownFiles = new WeakMap<OperatingSystem, Map<string, KnownFile>>();

// What was read from a file is kept as long as the file's size and time stay the same. Permissions can change without
// that, so they are checked each time.
function readKnown(file: NativeFile, os: OperatingSystem): KnownFile {
  let files = knownFiles.get(os);
  if (!files) knownFiles.set(os, (files = new Map()));
  const remembered = files.get(file.real);
  if (remembered?.size === file.size && remembered.mtimeMs === file.mtimeMs) return remembered;
  const readPart = partReader(file.path, os);
  const isSmall = file.size < LEAST_CLI_BYTES;
  const known: KnownFile = {
    size: file.size,
    mtimeMs: file.mtimeMs,
    format: readBinaryFormat(readPart),
    version:
      readVersionFromPath(file.path, os) ?? (isSmall ? undefined : readProgramVersion(readPart, file.size)),
    // The real program has hundreds of megabytes. The placeholder that an install script replaces has hundreds of bytes.
    isStub: isSmall && readOwnPackage(file.real, os) !== undefined,
  };
  if (files.size >= REMEMBERED_FILES) files.clear();
  files.set(file.real, known);
  return known;
}

const FORMAT_SYSTEMS = { elf: 'Linux', 'mach-o': 'macOS', pe: 'Windows' } as const;
const NATIVE_FORMATS: Partial<Record<NodeJS.Platform, BinaryFormat['format']>> = {
  linux: 'elf',
  darwin: 'mach-o',
  win32: 'pe',
};

function findMismatch(binary: BinaryFormat, os: OperatingSystem): string | undefined {
  const here = `${os.platform}-${os.arch}`;
  const expected = NATIVE_FORMATS[os.platform];
  if (expected === undefined) return undefined;
  if (binary.format === 'script' || binary.format === 'unknown') {
    return os.platform === 'win32' ? `is not a Windows program, but this system is ${here}` : undefined;
  }
  if (binary.format !== expected) {
    return `is a program for ${FORMAT_SYSTEMS[binary.format]}, but this system is ${here}`;
  }
  if (isForeignArch(binary.arch, os)) return `is built for ${binary.arch}, but this system is ${here}`;
  if (binary.loader !== undefined && !os.statFile(binary.loader)) {
    const libc = binary.loader.includes('ld-musl') ? 'musl' : 'glibc';
    const own = os.isMusl() ? 'musl' : 'glibc';
    return `is built for ${libc} and needs the loader ${binary.loader}, which this ${own} system (${here}) does not have`;
  }
  return undefined;
}

// A program is refused only if it surely fails. A Mac with arm64 also runs x64 programs, and an x64 Node may be running
// on it. Windows on arm64 emulates x64.
function isForeignArch(arch: BinaryFormat['arch'], os: OperatingSystem): boolean {
  if (arch === undefined || arch === os.arch || os.platform === 'darwin') return false;
  if (os.platform === 'win32' && os.arch === 'arm64') return false;
  return os.arch === 'x64' || os.arch === 'arm64';
}
