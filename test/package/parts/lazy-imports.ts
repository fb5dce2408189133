// Finds the lazy imports of the package: in its sources, and in its files as they are built.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import type { SourceFiles } from '../import-graph.js';

/** A lazy import of one of the package's own files, as it is built. */
export interface LazyPart {
  /** What it imports, from `dist`. */
  target: string;
  /** It and all that it imports, from `dist`. */
  files: string[];
  /** The arguments of `loadPart`, as they are written for a file in `dist/shared`. */
  call: string;
  /** What can be loaded in a test so that all is there that the importing file has loaded. */
  present: string[];
}

const BUILT_IMPORT = /\bimport\(\s*"(\.[^"]+)"/g;
const BUILT_CALL = /\((\(\) => import\("(\.[^"]+)"\), (\[[^\]]*\]))\)/g;
const STATIC_IMPORT = /^(?:import|export)\b[^;]*?"(\.[^"]+)";$/gm;

/** Every lazy import of built files, and the file that has `loadPart`. Throws for one that has no list of files. */
export function findBuiltImports(dist: string): { helper: string; parts: LazyPart[] } {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.js') && !path.startsWith('inspector/page/'));
  const texts = new Map(files.map((path) => [path, readFileSync(join(dist, path), 'utf8')]));
  const parts: LazyPart[] = [];
  for (const [path, text] of texts) {
    const calls = [...text.matchAll(BUILT_CALL)];
    const imports = [...text.matchAll(BUILT_IMPORT)];
    if (calls.length !== imports.length)
      throw new Error(
        `${path} has ${imports.length} lazy imports, and ${calls.length} of them have a list of files`,
      );
    const imported = findStatic(path, text);
    for (const [, call = '', specifier = '', list = ''] of calls)
      parts.push({
        target: posix.join(posix.dirname(path), specifier),
        files: (JSON.parse(list) as string[]).map((name) => posix.join('shared', name)),
        call,
        // The command would run.
        present: path === 'cli/main.js' ? imported : [path],
      });
  }
  const helper = files.find((path) => texts.get(path)?.includes('function loadPart('));
  if (helper === undefined) throw new Error('No built file has the function loadPart');
  return { helper, parts };
}

/** A built file and all that it imports statically. */
export function findLoaded(dist: string, path: string, found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const imported of findStatic(path, readFileSync(join(dist, path), 'utf8')))
    findLoaded(dist, imported, found);
  return found;
}

function findStatic(path: string, text: string): string[] {
  return [...text.matchAll(STATIC_IMPORT)].map(([, specifier = '']) =>
    posix.join(posix.dirname(path), specifier),
  );
}

/** Files that import what is not theirs to know: a user's file, by its path. */
const FILES_OF_USERS = new Set([
  'packages/cli/src/tools-file/load-module.ts',
  'packages/cli/src/tools-file/share-own-copy.ts',
  // In the text of a program that opens a user's ledger.
  'packages/testing/src/conformance/ledger/ledger-race-cases.ts',
]);
const COMMENT = /^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;
const ANY_IMPORT = /(?<![\w.$])import\((?!path: string)/g;
const TYPE_IMPORT = /^export type \w+ = import\(/gm;
/** `importModule` is what `prepareEngineLibrary` hands out: `loadPackage` with the facts about an engine. */
const GOOD_IMPORT =
  /\bloadPart\(\s*\(\) => import\('(?:\.|@inboard\/)[^']+'\),?\s*\)|\bloadPackage\(\s*(?:\{[^}]*\}|[A-Z_]+),\s*(?:async )?\(\) => import\(|\bimportModule\(\s*\(\) => import\(/g;
const NOBODY_CATCHES = /\bvoid load(?:Part|Package)\(/g;

/** Imports in sources of the Node side that bypass `loadPart` and `loadPackage`, or whose failure is not caught. */
export function findStrayImports(sources: SourceFiles): string[] {
  const found: string[] = [];
  for (const [path, text] of sources) {
    if (path.endsWith('.d.ts') || path.startsWith('packages/inspector/src/page/') || FILES_OF_USERS.has(path))
      continue;
    const code = text.replaceAll(COMMENT, '');
    const count = (pattern: RegExp): number => [...code.matchAll(pattern)].length;
    const stray = count(ANY_IMPORT) - count(TYPE_IMPORT) - count(GOOD_IMPORT);
    if (stray !== 0) found.push(`${path}: ${stray} import() outside of loadPart and loadPackage`);
    if (count(NOBODY_CATCHES) > 0) found.push(`${path}: a failure to load that nobody catches`);
  }
  return found;
}

/** The packages of others that are loaded on first use, and how many descriptors that is said to need. */
export function findPackages(sources: SourceFiles): { name: string; room: number }[] {
  const found: { name: string; room: number }[] = [];
  for (const text of sources.values()) {
    const room = Number(/^const ROOM = (\d+);$/m.exec(text)?.[1]);
    for (const [, name = ''] of text.matchAll(/\bloadPackage\([\s\S]*?=> import\('([^']+)'\)/g))
      found.push({ name, room });
  }
  return found;
}
