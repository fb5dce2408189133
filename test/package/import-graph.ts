// Reads the imports of source files and checks them: no cycle between files, no arrow between rooms
// that the table of rooms does not allow. Works on a map from path to text, so that it can be tested itself.
import { posix } from 'node:path';

/** The source text of every file, by its path from the project's root, e.g. `src/util/fifo.ts`. */
export type SourceFiles = ReadonlyMap<string, string>;

/** One import or re-export as it is written. */
export interface ImportStatement {
  specifier: string;
  /** Erased before anything runs, so it cannot take part in a cycle at run time. */
  isTypeOnly: boolean;
}

/** For every room, the rooms it may import besides itself. */
export type RoomTable = Readonly<Record<string, readonly string[]>>;

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

/** The room of a file: its folder under `src`, or its own name when it lies in `src` itself. */
export function findRoom(path: string): string {
  const [, first = ''] = path.split('/');
  return first.replace(/\.ts$/, '');
}

/** Every import cycle found at run time, each as a path that ends where it began. */
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
    for (const { specifier, isTypeOnly } of readImports(files.get(path) ?? '')) {
      if (!isTypeOnly && isRelative(specifier)) visit(resolveImport(path, specifier), [...trail, path]);
    }
    finished.add(path);
  }

  for (const path of files.keys()) visit(path, []);
  return cycles;
}

/** Every arrow the table does not allow, every room it does not know, and every import that leads nowhere. */
export function findForbiddenArrows(files: SourceFiles, table: RoomTable, packageName: string): string[] {
  const complaints: string[] = [];
  for (const [path, text] of files) {
    const room = findRoom(path);
    const allowed = Object.hasOwn(table, room) ? table[room] : undefined;
    if (allowed === undefined) {
      complaints.push(`${path}: the room "${room}" is not in the table of rooms`);
      continue;
    }
    for (const { specifier } of readImports(text)) {
      if (specifier === packageName || specifier.startsWith(`${packageName}/`)) {
        complaints.push(`${path}: imports the package by its own name ("${specifier}")`);
      }
      if (!isRelative(specifier)) continue;
      const target = resolveImport(path, specifier);
      const targetRoom = findRoom(target);
      if (!files.has(target)) complaints.push(`${path}: "${specifier}" leads to no file`);
      else if (targetRoom !== room && !allowed.includes(targetRoom)) {
        complaints.push(`${path}: the room "${room}" must not import "${targetRoom}" (${target})`);
      }
    }
  }
  return complaints;
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.');
}

function resolveImport(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}
