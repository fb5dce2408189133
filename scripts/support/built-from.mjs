// What `dist` was built from: the build notes it, and tests that need a build of the sources as they are now ask for it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const note = join(root, 'node_modules', '.cache', 'inboard-built-from');

/** Stands for everything that a build is made of. */
export function hashSources() {
  const hash = createHash('sha256');
  const packages = readdirSync(join(root, 'packages'));
  const files = packages.flatMap((name) => {
    const folder = join('packages', name, 'src');
    const sources = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return [
      join('packages', name, 'package.json'),
      ...sources.filter((path) => /\.(?:ts|tsx|css|html|svg)$/.test(path)).map((path) => join(folder, path)),
    ];
  });
  const scripts = readdirSync(join(root, 'scripts', 'support')).map((name) =>
    join('scripts', 'support', name),
  );
  for (const name of [
    ...files.toSorted(),
    ...scripts.filter((path) => path.endsWith('.mjs')).toSorted(),
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.page.json',
    'tsconfig.build.json',
    'rolldown.config.mjs',
    'scripts/build.mjs',
  ])
    hash.update(`${name}\0`).update(readFileSync(join(root, name)));
  return hash.digest('hex').slice(0, 16);
}

/** Before a build into `dist` begins, what was noted is no longer true. */
export function noteBuild(hash) {
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, hash ?? '');
}

/** The folder `dist`, if it was built from the sources as they are now. */
export function findFreshBuild() {
  if (!existsSync(note) || !existsSync(join(dist, 'cli', 'main.js'))) return undefined;
  return readFileSync(note, 'utf8') === hashSources() ? dist : undefined;
}
