// Loads parts of this package, and packages of others, on first use. Node 20 remembers an import that failed for want of a
// descriptor, and Node 20 and 22 one whose dependency was missing: each later import then fails in the same way, also when
// the cause is gone (docs/decisions/2026-11-17-parts-that-cannot-be-loaded.md). So whether the files can be opened is found
// out before the runtime is asked.
import fs from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { PartLoadError, type LoadFault } from '../errors.js';
import { codeOf, messageOf } from './message-of.js';
import { isWithoutDescriptor } from './without-descriptor.js';

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
/** Deno reads what a program may import before it starts. */
const READS_AHEAD = 'deno' in process.versions;

/** The folder of this package's files; undefined in a bundle of CommonJS, and where they are not on a disk that can be read. */
const FOLDER = findFolder(import.meta.filename);

/** By their first file. Node may look for the file again, also of a part that is loaded. */
const loaded = new Map<string, unknown>();

/**
 * Loads a part of this package: `loadPart(() => import('./part.js'))`, in exactly this form, which bundlers understand. The
 * build adds `files`: the part and all that it imports (scripts/support/part-files.mjs). Rejects with a PartLoadError; the
 * next call tries again.
 */
export async function loadPart<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  const [own = 'A part of inboard'] = files;
  if (loaded.has(own)) return loaded.get(own) as Module;
  // A bundler that moved the part has written another name into the function, and the list means nothing.
  const folder = String(load).includes(`"${own}"`) ? FOLDER : undefined;
  if (folder !== undefined && !READS_AHEAD) openAll(files.map((file) => join(folder, file)));
  const module = await importTwice(load, (cause, isRemembered) =>
    explain(cause, findFile(cause) ?? (folder === undefined ? own : join(folder, own)), isRemembered),
  );
  if (files.length > 0) loaded.set(own, module);
  return module;
}

/**
 * Loads a package of others. Its files are not known here, so this only makes sure that as many descriptors are free as
 * the runtime needs at once (`room`). Rejects with a PartLoadError where they are not, else with the runtime's own error; for
 * a dependency that comes with this package (`isOwn`), always with a PartLoadError.
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

/** A runtime that fails another time with the very same error remembers it. */
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

/** Opens files, all at once, since Node 20 reads them at once. */
function openAll(paths: readonly string[]): void {
  const failure = tryToOpen(paths);
  if (failure) throw explain(failure.cause, failure.path, false);
}

function makeRoom(name: string, room: number): void {
  const failure = tryToOpen(Array.from({ length: room }, () => devNull));
  // Any other failure is none of the package.
  if (failure && isWithoutDescriptor(failure.cause)) throw explain(failure.cause, name, false);
}

/** Opens and closes files; the first that cannot be opened, and why. */
function tryToOpen(paths: readonly string[]): { path: string; cause: unknown } | undefined {
  const descriptors: number[] = [];
  try {
    for (const path of paths) {
      try {
        // Through the object, which is what programs with files in an archive replace the functions of.
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

/** The file that an error of the system is about. */
function findFile(error: unknown): string | undefined {
  const { path } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof path === 'string' ? path : undefined;
}

function findFolder(file: string | undefined): string | undefined {
  return file !== undefined && fs.existsSync(file) ? dirname(file) : undefined;
}
