// Loads parts of this package, and other packages, on first use. Node 20 remembers an import that failed because no file
// descriptor was free. Node 20 and 22 remember an import whose dependency was missing. Each later import then fails in
// the same way, even when the cause is gone (docs/decisions/2026-11-17-parts-that-cannot-be-loaded.md). So this code
// checks that the files can be opened before it asks the runtime to import them.
import fs from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { PartLoadError, type LoadFault } from '../errors.js';
import { codeOf, messageOf } from './message-of.js';
import { isWithoutDescriptor } from './without-descriptor.js';

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
/** Deno reads everything that a program may import before it starts. */
const READS_AHEAD = 'deno' in process.versions;

/** The folder of this package's files. Undefined in a CommonJS bundle, and if this file is not on a readable disk. */
const FOLDER = findFolder(import.meta.filename);

/** The loaded parts, by the name of their first file, without its folder. They are kept because Node may look for the file of a loaded part again. */
const loaded = new Map<string, unknown>();

/**
 * Loads a part of this package. Write `loadPart(() => import('./part.js'))` in exactly this form, which bundlers
 * understand. The build adds `files`: the part and everything that it imports (scripts/support/part-files.mjs). If
 * that fails, it rejects with a PartLoadError, and the next call tries again.
 */
export async function loadPart<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  const [own = 'A part of inboard'] = files;
  // A file of another folder names the same part by another path.
  const name = own.slice(own.lastIndexOf('/') + 1);
  if (loaded.has(name)) return loaded.get(name) as Module;
  // If a bundler has moved the part, the function has another name in it. The list of files is then not valid.
  const folder = String(load).includes(`"${own}"`) ? FOLDER : undefined;
  if (folder !== undefined && !READS_AHEAD) openAll(files.map((file) => join(folder, file)));
  const module = await importTwice(load, (cause, isRemembered) =>
    explain(cause, findFile(cause) ?? (folder === undefined ? own : join(folder, own)), isRemembered),
  );
  if (files.length > 0) loaded.set(name, module);
  return module;
}

/**
 * Loads another package. Its files are not known here, so this only checks that enough file descriptors are free. `room`
 * is the number that the runtime needs at once. Rejects with a PartLoadError if too few are free, and otherwise with the
 * runtime's own error. For a dependency of this package (`isOwn`), every failure is a PartLoadError.
 */
export async function loadPackage<Module>(
  { name, room, isOwn = false }: { name: string; room: number; isOwn?: boolean },
  load: () => Promise<Module>,
): Promise<Module> {
  if (!READS_AHEAD) makeRoom(name, room);
  return await importTwice(load, (cause, isRemembered) =>
    isOwn || isWithoutDescriptor(cause) ? explain(cause, name, isRemembered) : cause,
  );
}

/** Imports a second time after a failure. If the second error is the same object, the runtime remembers the failure. */
async function importTwice<Module>(
  load: () => Promise<Module>,
  toError: (cause: unknown, isRemembered: boolean) => unknown,
): Promise<Module> {
  try {
    return await load();
  } catch (first) {
    try {
      return await load();
    } catch (second) {
      throw toError(second, second === first);
    }
  }
}

/** Opens all files at the same time, because Node 20 reads them at the same time. */
function openAll(paths: readonly string[]): void {
  const failure = tryToOpen(paths);
  if (failure) throw explain(failure.cause, failure.path, false);
}

function makeRoom(name: string, room: number): void {
  const failure = tryToOpen(Array.from({ length: room }, () => devNull));
  // Any other failure to open the null device says nothing about the package.
  if (failure && isWithoutDescriptor(failure.cause)) throw explain(failure.cause, name, false);
}

/** Opens and closes files. Returns the first that cannot be opened, and the reason. */
function tryToOpen(paths: readonly string[]): { path: string; cause: unknown } | undefined {
  const descriptors: number[] = [];
  try {
    for (const path of paths) {
      try {
        // The function is called on the module object, because programs with files in an archive replace it there.
        descriptors.push(fs.openSync(path, 'r'));
      } catch (cause) {
        return { path, cause };
      }
    }
    return undefined;
  } finally {
    for (const descriptor of descriptors) fs.closeSync(descriptor);
  }
}

function explain(cause: unknown, file: string, isRemembered: boolean): PartLoadError {
  const [fault, help] = adviseOn(cause);
  const advice = isRemembered
    ? 'The runtime remembers this failure, so that trying again does not help: restart the program.'
    : help;
  const message = `A part of inboard could not be loaded: ${messageOf(cause)}. ${advice}`;
  return new PartLoadError(fault, file, message, { cause, retryable: !isRemembered });
}

function adviseOn(cause: unknown): [LoadFault, help: string] {
  if (isWithoutDescriptor(cause))
    return ['TOO_MANY_OPEN_FILES', 'Close some, or raise the limit (ulimit -n), and try again.'];
  if (MISSING.has(codeOf(cause)))
    return [
      'PART_MISSING',
      'It was probably upgraded or removed while this program was running: restart the program. If that does not help, install it again.',
    ];
  return [
    'PART_UNREADABLE',
    'Check the permissions of the file, or install inboard again, and restart the program.',
  ];
}

/** The path in an error of the system. */
function findFile(error: unknown): string | undefined {
  const { path } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof path === 'string' ? path : undefined;
}

function findFolder(file: string | undefined): string | undefined {
  return file !== undefined && fs.existsSync(file) ? dirname(file) : undefined;
}
