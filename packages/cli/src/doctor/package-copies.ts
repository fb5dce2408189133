// The copies of this package that a project can import.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PACKAGE_NAME } from '../tools-file/own-package.js';

/**
 * The copies a project sees: in `node_modules` of its folder and of the folders above it, and one level inside the
 * packages there.
 */
export function listCopies(cwd: string): string[] {
  const copies = new Set<string>();
  for (let folder = cwd; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    for (const parent of [
      modules,
      ...listPackages(modules).map((name) => join(modules, name, 'node_modules')),
    ]) {
      const copy = join(parent, PACKAGE_NAME);
      if (existsSync(join(copy, 'package.json'))) copies.add(realpathSync(copy));
    }
    if (dirname(folder) === folder) return [...copies];
  }
}

function listPackages(modules: string): string[] {
  return readNames(modules).flatMap((name) =>
    name.startsWith('@') ? readNames(join(modules, name)).map((inner) => join(name, inner)) : [name],
  );
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}
