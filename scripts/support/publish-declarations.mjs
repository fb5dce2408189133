// The compiler emits declarations as the sources lie: in a folder for each package, and with the names of private packages in their
// imports. What is published is one package: its declarations lie side by side, and import each other by relative paths.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';

const SPECIFIER = /(\b(?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"]*|@inboard\/[^'"]+)\2/g;

/** Where the file of a package is published: `core/src/live/launch` is `live/launch`, `cluster/src/cluster` is `cluster/cluster`. */
export function publishedPath(path) {
  const [, name, rest] = /^([^/]+)\/src\/(.+)$/.exec(path) ?? [];
  if (name === undefined) throw new Error(`${path} is not in the src folder of a package`);
  if (name === 'core') return rest;
  return `${name === 'inboard' ? 'entry' : name}/${rest}`;
}

/** Moves the declarations of `emitted` to where they are published below `target`. */
export function publishDeclarations(emitted, target) {
  for (const name of readdirSync(emitted, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = name.split(sep).join('/');
    const place = join(target, publishedPath(path));
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, rewriteSpecifiers(path, readFileSync(join(emitted, name), 'utf8')));
  }
  rmSync(emitted, { recursive: true });
}

/** The text of a declaration with its imports as they are where it is published. */
export function rewriteSpecifiers(path, text) {
  const here = posix.dirname(publishedPath(path));
  return text.replaceAll(SPECIFIER, (_, head, quote, specifier) => {
    const meant = specifier.startsWith('@inboard/')
      ? specifier.slice('@inboard/'.length).replace('/', '/src/')
      : posix.join(posix.dirname(path), specifier);
    const found = posix.relative(here, publishedPath(meant));
    return `${head}${quote}${found.startsWith('.') ? found : `./${found}`}${quote}`;
  });
}
