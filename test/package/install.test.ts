// `npm install` in a clone is the first thing a newcomer sees: it must not warn about what we can settle.
import { expect, it } from 'vitest';
import { readProjectFile } from './project.js';

interface LockedPackage {
  engines?: { node?: string };
  hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readProjectFile('package-lock.json')) as {
  packages: Record<string, LockedPackage>;
};
const { allowScripts } = JSON.parse(readProjectFile('package.json')) as {
  allowScripts: Record<string, boolean>;
};

const OLDEST_NODE = 20;

// npm reads this from the lockfile and warns. The CLI's package asks for Node 22 though its program is native; see the
// recipe "To raise the supported range" in RECIPES.md.
it('locks no package that asks for a newer Node than ours', () => {
  const wanting = Object.entries(packages).filter(([, { engines }]) => {
    const majors = (engines?.node ?? '').split('||').flatMap((range) => /\d+/.exec(range)?.map(Number) ?? []);
    return majors.length > 0 && Math.min(...majors) > OLDEST_NODE;
  });
  expect(wanting.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([]);
});

it('decides about every install script', () => {
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
  expect(names.filter((name) => !Object.hasOwn(allowScripts, name))).toEqual([]);
});
