// Reads the imports of source files and checks them: no cycle between files, no import that the order of layers or the list of
// packages does not allow. Works on a map from path to text, so that it can be tested itself.
import { posix } from 'node:path';

/** The source text of every file, by its path from the project's root, e.g. `packages/core/src/util/fifo.ts`. */
export type SourceFiles = ReadonlyMap<string, string>;

/** One import or re-export as it is written. */
export interface ImportStatement {
  specifier: string;
  /** Erased before anything runs, so it cannot take part in a cycle at run time. */
  isTypeOnly: boolean;
}

/** Which folders may import which. */
export interface Structure {
  /** From the lowest up. A folder is named with its package, such as `core/wire/channel`. Those of one layer do not know each other. */
  layers: readonly (readonly string[])[];
  /** By folder, the folders of lower layers that it must not import. */
  hidden?: Readonly<Record<string, readonly string[]>>;
  /** By package, the packages that it imports. Where it imports types alone, the value is `types`. */
  packages?: Readonly<Record<string, Readonly<Record<string, 'all' | 'types'>>>>;
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

/** The folder of a file: the innermost that is in a layer; undefined where none is. */
export function findFolder(path: string, { layers }: Structure): string | undefined {
  const parts = nameInPackage(path).split('/');
  const candidates = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
  return candidates.find((candidate) => layers.some((layer) => layer.includes(candidate)));
}

/** `packages/core/src/util/fifo.ts` is `core/util/fifo`. */
function nameInPackage(path: string): string {
  const [, name = '', rest = ''] = /^packages\/([^/]+)\/src\/(.+?)\.tsx?$/.exec(path) ?? [];
  return `${name}/${rest}`;
}

/** The package of a file. */
export function findPackage(path: string): string {
  return path.split('/')[1] ?? '';
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
      const target = resolveImport(files, path, specifier);
      if (target !== undefined) visit(target, [...trail, path]);
    }
    finished.add(path);
  }

  for (const path of files.keys()) visit(path, []);
  return cycles;
}

/** Every import that the structure does not allow, every file in no layer, and every import that leads nowhere. */
export function findForbiddenImports(
  files: SourceFiles,
  structure: Structure,
  publishedName: string,
): string[] {
  const complaints: string[] = [];
  for (const [path, text] of files) {
    const folder = findFolder(path, structure);
    if (folder === undefined) {
      complaints.push(`${path} is in no layer`);
      continue;
    }
    for (const { specifier, isTypeOnly } of readImports(text)) {
      if (specifier === publishedName || specifier.startsWith(`${publishedName}/`)) {
        complaints.push(`${path}: imports the published package by its name ("${specifier}")`);
      }
      const target = resolveImport(files, path, specifier);
      if (target === undefined) continue;
      if (!files.has(target)) {
        complaints.push(`${path}: "${specifier}" leads to no file`);
        continue;
      }
      const isOtherPackage = findPackage(path) !== findPackage(target);
      if (isOtherPackage && specifier.startsWith('.'))
        complaints.push(`${path}: names a file of another package by its path ("${specifier}")`);
      if (isOtherPackage && !mayUsePackage(structure, { from: path, to: target, isTypeOnly }))
        complaints.push(
          `${path}: "${findPackage(path)}" must not import ${isTypeOnly ? 'types' : 'code'} of "${findPackage(target)}"`,
        );
      const targetFolder = findFolder(target, structure);
      if (targetFolder !== undefined && !maySee(structure, folder, targetFolder)) {
        complaints.push(`${path}: "${folder}" must not import "${targetFolder}" (${target})`);
      }
    }
  }
  return complaints;
}

function mayUsePackage(
  { packages }: Structure,
  { from, to, isTypeOnly }: { from: string; to: string; isTypeOnly: boolean },
): boolean {
  if (packages === undefined) return true;
  const allowed = packages[findPackage(from)]?.[findPackage(to)];
  return allowed === 'all' || (allowed === 'types' && isTypeOnly);
}

function maySee({ layers, hidden = {} }: Structure, folder: string, target: string): boolean {
  if (folder === target) return true;
  const layerOf = (name: string): number => layers.findIndex((layer) => layer.includes(name));
  const isHidden = (hidden[folder] ?? []).some((name) => target === name || target.startsWith(`${name}/`));
  return layerOf(target) < layerOf(folder) && !isHidden;
}

/** The file that an import leads to, whether it is there or not; undefined for a package from elsewhere. */
export function resolveImport(files: SourceFiles, from: string, specifier: string): string | undefined {
  const own = /^@inboard\/([^/]+)\/(.+)$/.exec(specifier);
  if (!own && !specifier.startsWith('.')) return undefined;
  const meant = own ? `packages/${own[1]}/src/${own[2]}` : posix.join(posix.dirname(from), specifier);
  const path = meant.replace(/\.js$/, '.ts');
  return files.has(`${path}x`) ? `${path}x` : path;
}
