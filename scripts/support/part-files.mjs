// Tells each lazy import which files it will load. `loadPart` (packages/core/src/util/load-part.ts) opens them before it asks the runtime,
// and gets their names as a second argument that is written here, when the names of all files are known:
//   loadPart(() => import("./a.js"))   becomes   loadPart(() => import("./a.js"), ["./a.js", "./b.js"])
// What is loaded already is in the list too: Node looks for the file again when another one imports it.
import { posix } from 'node:path';

// In a chunk, `loadPart` may have any name.
const LAZY = /([\w$]+)\(\(\) => import\("(\.[^"]+)"\)\)/g;
const ANY = /\bimport\(\s*"(\.[^"]+)"/g;

/** A plugin for rolldown. */
export const nameFilesOfParts = {
  name: 'name-files-of-parts',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    for (const chunk of chunks) {
      checkForm(chunk);
      chunk.code = chunk.code.replaceAll(LAZY, (_call, callee, specifier) => {
        const target = posix.join(posix.dirname(chunk.fileName), specifier);
        // The first is written as it is imported: by that `loadPart` knows that no bundler has moved it.
        const [, ...others] = findLoaded(target, bundle);
        const names = [specifier, ...others.map(nameFromShared)];
        return `${callee}(() => import("${specifier}"), ${JSON.stringify(names)})`;
      });
    }
  },
};

/** `loadPart` reads the names from a file in `shared`, and all folders are beside it. */
function nameFromShared(file) {
  const name = posix.relative('shared', file);
  return name.startsWith('.') ? name : `./${name}`;
}

/** A chunk and what it imports statically, itself first. */
function findLoaded(file, bundle, found = new Set()) {
  const chunk = bundle[file];
  if (!chunk || found.has(file)) return found;
  found.add(file);
  for (const imported of chunk.imports) findLoaded(imported, bundle, found);
  return found;
}

/** An import in another form would get no list, and `loadPart` would not protect it. */
function checkForm({ fileName, code }) {
  if (posix.dirname(fileName).includes('/') || !fileName.includes('/'))
    throw new Error(`${fileName} is not in a folder beside "shared", where parts are looked for`);
  const lazy = [...code.matchAll(LAZY)].length;
  const all = [...code.matchAll(ANY)].length;
  if (lazy !== all)
    throw new Error(
      `${fileName} has ${all - lazy} imports that are not written as loadPart(() => import("…"))`,
    );
}
