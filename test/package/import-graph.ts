// Reads the imports of source files and checks them: no cycle between files, no arrow between rooms
// that the order of floors does not allow. Works on a map from path to text, so that it can be tested itself.
import { posix } from 'node:path';

/** The source text of every file, by its path from the project's root, e.g. `packages/core/src/util/fifo.ts`. */
export type SourceFiles = ReadonlyMap<string, string>;

/** One import or re-export as it is written. */
export interface ImportStatement {
  specifier: string;
  /** Erased before anything runs, so it cannot take part in a cycle at run time. */
  isTypeOnly: boolean;
}

/** The rooms of the house from the ground up, and what a room must not see although it lies below. */
export interface House {
  /** Rooms on one floor do not know each other. A room is a folder under `src`, or a file in `src` itself. */
  floors: readonly (readonly string[])[];
  /** By room, the rooms and wings below that it must not import. */
  blind?: Readonly<Record<string, readonly string[]>>;
}

// A comment is left out only where it begins a line: a glob in a string looks like one elsewhere.
const COMMENT = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
const STATIC_IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:(?:[\w$]+\s*,\s*)?(?:[\w$]+|\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s*from\s*)?(['"])(.+?)\2/gm;
const DYNAMIC_IMPORT = /\bimport\(\s*(['"])(.+?)\1/g;

/** Every static import, re-export and dynamic import with a literal name. */
export function readImports(text: string): ImportStatement[] {
  const code = text.replaceAll(COMMENT, '');
  const statements: ImportStatement[] = [];
  for (const [, type, , specifier = ''] of code.matchAll(STATIC_IMPORT)) {
    statements.push({ specifier, isTypeOnly: type !== undefined });
  }
  for (const [, , specifier = ''] of code.matchAll(DYNAMIC_IMPORT)) {
    statements.push({ specifier, isTypeOnly: false });
  }
  return statements;
}

/** The room of a file: the innermost folder or file that the house knows; undefined where it knows none. */
export function findRoom(path: string, { floors }: House): string | undefined {
  const parts = path
    .replace(/\.tsx?$/, '')
    .split('/')
    .slice(1);
  const candidates = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  return candidates.find((candidate) => floors.some((floor) => floor.includes(candidate)));
}

/** Every import cycle, those of types included, each as a path that ends where it began. */
export function findCycles(files: SourceFiles): string[] {
  const cycles: string[] = [];
  const finished = new Set<string>();

  function visit(path: string, trail: readonly string[]): void {
    const seenAt = trail.indexOf(path);
    if (seenAt !== -1) {
      cycles.push([...trail.slice(seenAt), path].join(' -> '));
      return;
    }
    if (finished.has(path)) return;
    for (const { specifier } of readImports(files.get(path) ?? '')) {
      if (isRelative(specifier)) visit(resolveImport(files, path, specifier), [...trail, path]);
    }
    finished.add(path);
  }

  for (const path of files.keys()) visit(path, []);
  return cycles;
}

/** Every arrow that does not lead down, every file without a room, and every import that leads nowhere. */
export function findForbiddenArrows(files: SourceFiles, house: House, packageName: string): string[] {
  const complaints: string[] = [];
  for (const [path, text] of files) {
    const room = findRoom(path, house);
    if (room === undefined) {
      complaints.push(`${path} is in no room of the house`);
      continue;
    }
    for (const { specifier } of readImports(text)) {
      if (specifier === packageName || specifier.startsWith(`${packageName}/`)) {
        complaints.push(`${path}: imports the package by its own name ("${specifier}")`);
      }
      if (!isRelative(specifier)) continue;
      const target = resolveImport(files, path, specifier);
      const targetRoom = findRoom(target, house);
      if (!files.has(target)) complaints.push(`${path}: "${specifier}" leads to no file`);
      else if (targetRoom !== undefined && !maySee(house, room, targetRoom)) {
        complaints.push(`${path}: the room "${room}" must not import "${targetRoom}" (${target})`);
      }
    }
  }
  return complaints;
}

function maySee({ floors, blind = {} }: House, room: string, target: string): boolean {
  if (room === target) return true;
  const floorOf = (name: string): number => floors.findIndex((floor) => floor.includes(name));
  const hidden = (blind[room] ?? []).some((name) => target === name || target.startsWith(`${name}/`));
  return floorOf(target) < floorOf(room) && !hidden;
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

function resolveImport(files: SourceFiles, from: string, specifier: string): string {
  const path = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
  return files.has(`${path}x`) ? `${path}x` : path;
}
