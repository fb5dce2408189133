// Lists the files of a module: its own file, and the files that it imports by a relative path, directly or through
// others.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])(\.{1,2}\/[^'"\n]*)\1/g;
const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.json'];

/** The paths of all files, the module's own first. Imported files that do not exist are included. */
export function listLinkedFiles(file: string): string[] {
  const found = new Set([file]);
  for (const path of found) {
    for (const [, , specifier = ''] of readText(path).matchAll(SPECIFIER)) {
      found.add(findFile(resolve(dirname(path), specifier)));
    }
  }
  return [...found];
}

function findFile(path: string): string {
  const stem = path.slice(0, path.length - extname(path).length);
  const candidates = [
    path,
    // TypeScript files are imported by the name of the JavaScript file they compile to.
    ...(/\.[cm]?jsx?$/.test(path) ? EXTENSIONS.map((each) => stem + each) : []),
    ...EXTENSIONS.map((each) => path + each),
    ...EXTENSIONS.map((each) => join(path, `index${each}`)),
  ];
  return candidates.find(isFile) ?? path;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
