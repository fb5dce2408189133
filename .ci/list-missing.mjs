// What a run of some stages must make first: prints "install" where node_modules is not what the lockfile says, "build" where dist was
// not built from the sources as they are now. An install builds, too.
import { existsSync, readFileSync } from 'node:fs';
import { findFreshBuild } from '../scripts/support/built-from.mjs';

const readPackages = (path) =>
  JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).packages;

/** npm writes down what it has installed; packages for other systems are in the lockfile alone. */
function isInstalled() {
  const noted = 'node_modules/.package-lock.json';
  if (!existsSync(new URL(`../${noted}`, import.meta.url))) return false;
  const { '': _, ...wanted } = readPackages('package-lock.json');
  const found = readPackages(noted);
  const isSame = (path) =>
    found[path]?.version === wanted[path]?.version && found[path]?.integrity === wanted[path]?.integrity;
  return (
    Object.keys(found).every((path) => path in wanted && isSame(path)) &&
    Object.entries(wanted).every(([path, { optional }]) => path in found || optional === true)
  );
}

if (!isInstalled()) process.stdout.write('install\n');
else if (findFreshBuild() === undefined) process.stdout.write('build\n');
