// Finds the names that this package exports. It reads them from the declarations, because types are not in the code
// that runs.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findOwnPackage, PACKAGE_NAME } from '../tools-file/own-package.js';
import { findModuleLinks } from './program/module-links.js';
import { isCode } from './tokens/token.js';
import { tokenize } from './tokens/tokenize.js';

interface Names {
  values: ReadonlySet<string>;
  types: ReadonlySet<string>;
}

/**
 * Creates a function that says whether an entry point of this package exports a name. The function returns undefined if
 * the declarations of the entry point cannot be read.
 */
export function createNameLookup(
  findDeclarations: (entryPoint: string) => string | undefined = findEntryPoint,
): (entryPoint: string, name: string) => boolean | undefined {
  const known = new Map<string, Names | undefined>();
  const namesOf = (entryPoint: string): Names | undefined => {
    if (!known.has(entryPoint)) known.set(entryPoint, readEntryPoint(findDeclarations(entryPoint)));
    return known.get(entryPoint);
  };
  return (entryPoint, name) => {
    const names = namesOf(entryPoint);
    if (!names) return undefined;
    if (names.values.has(name)) return true;
    // An entry point with `export type *` from `inboard` exports the values of `inboard` only as types. They do not count.
    return names.types.has(name) && !namesOf(PACKAGE_NAME)?.values.has(name);
  };
}

/** The path of an entry point's declarations. */
function findEntryPoint(entryPoint: string): string | undefined {
  const own = findOwnPackage();
  const target = own?.manifest.exports?.[`.${entryPoint.slice(PACKAGE_NAME.length)}`] as
    { types?: string } | undefined;
  return own && target?.types !== undefined ? join(own.folder, target.types) : undefined;
}

function readEntryPoint(file: string | undefined): Names | undefined {
  // A clone that has not been built has no declarations.
  return file !== undefined && existsSync(file) ? readNames(file) : undefined;
}

function readNames(file: string): Names {
  const source = readFileSync(file, 'utf8');
  const { tokens } = tokenize(source, { jsx: false });
  const code = tokens.filter(isCode);
  const values = new Set<string>();
  const types = new Set<string>();
  for (const link of findModuleLinks(code, [])) {
    if (link.kind !== 'export') continue;
    const isTypeOnly = isTypeExport(source, link.start);
    for (const { local } of link.names) (isTypeOnly ? types : values).add(local);
    if (link.namespace !== '*') continue;
    const inner = readNames(
      resolve(dirname(file), link.specifier.replace(/\.js$/, file.endsWith('.d.ts') ? '.d.ts' : '.ts')),
    );
    for (const name of [...inner.values, ...inner.types]) (isTypeOnly ? types : values).add(name);
  }
  // Add the names that are declared in the file itself.
  code.forEach(({ text }, index) => {
    if (text !== 'export') return;
    const words = code.slice(index + 1, index + 4).map((token) => token.text);
    const at = words.findIndex((word) => /^(?:type|interface|class|const|function|enum)$/.test(word));
    const name = at < 0 ? undefined : words[at + 1];
    if (name !== undefined && /^\w+$/.test(name))
      (/^(?:type|interface)$/.test(words[at] ?? '') ? types : values).add(name);
  });
  return { values, types };
}

function isTypeExport(source: string, specifier: number): boolean {
  const begin = source.lastIndexOf('export', specifier);
  return /^export\s+type\b/.test(source.slice(begin, begin + 20));
}
