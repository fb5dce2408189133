// The functions, classes and constants that an entry point lets through, with the comments they have where they are defined.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';
import { readDeclarations } from './read-declarations.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** By name: `kind` and `doc` of each value that a file exports, wherever it has it from. */
export function readValues(path) {
  const found = new Map();
  for (const { name, source, from } of listExports(path)) {
    const declared = find(locate(path, from), source);
    if (declared) found.set(name, declared);
  }
  return found;
}

function find(path, name) {
  const own = readDeclarations(path).get(name);
  if (own) return own;
  const passed = listExports(path).find((each) => each.name === name);
  return passed && find(locate(path, passed.from), passed.source);
}

/** The file that an import leads to, from the root. */
function locate(path, specifier) {
  const file = specifier.replace(/\.js$/, '.ts');
  const own = /^@inboard\/([^/]+)\/(.+)$/.exec(file);
  return own ? `packages/${own[1]}/src/${own[2]}` : posix.join(posix.dirname(path), file);
}

function listExports(path) {
  const file = join(root, path);
  if (!existsSync(file)) throw new Error(`${path} does not exist, and an entry point leads to it`);
  const { program } = parseSync(path, readFileSync(file, 'utf8'));
  return program.body
    .filter(
      ({ type, source, exportKind }) => type === 'ExportNamedDeclaration' && source && exportKind !== 'type',
    )
    .flatMap(({ specifiers, source }) =>
      specifiers
        .filter(({ exportKind }) => exportKind !== 'type')
        .map(({ exported, local }) => ({ name: exported.name, source: local.name, from: source.value })),
    );
}
