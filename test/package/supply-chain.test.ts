// The check of the lockfiles (scripts/check-supply-chain.mjs) finds each kind of fault it looks for.
import { expect, it } from 'vitest';
import { findSupplyChainFaults } from '../../scripts/support/supply-chain.mjs';

const INTEGRITY = `sha512-${'A'.repeat(86)}==`;
const SOUND = { version: '1.2.3', integrity: INTEGRITY, dev: true, license: 'MIT' };

function check(entry: object, devDependencies: Record<string, string> = { it: '1.2.3' }): string[] {
  const lock = { lockfileVersion: 3, packages: { '': {}, 'node_modules/it': { ...SOUND, ...entry } } };
  return findSupplyChainFaults({ manifest: { devDependencies }, lock });
}

it('finds nothing where all is in order', () => {
  expect(check({})).toEqual([]);
  expect(check({ resolved: 'https://packages.example/it/-/it-1.2.3.tgz' })).toEqual([]);
  expect(check({ integrity: undefined, optional: true, os: ['win32'] })).toEqual([]);
  expect(check({ license: '(MIT OR Apache-2.0)' }, { it: 'npm:other@1.2.3' })).toEqual([]);
  expect(check({ license: '(AFL-2.1 OR BSD-3-Clause)' })).toEqual([]);
});

it.each([
  ['no integrity', { integrity: undefined }, 'no sha512 integrity'],
  [
    'no integrity of what is shipped',
    { integrity: undefined, dev: false, optional: true, os: ['win32'] },
    'integrity',
  ],
  ['no integrity for every system', { integrity: undefined, optional: true }, 'no sha512 integrity'],
  ['a weak integrity', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'no sha512 integrity'],
  ['a repository', { resolved: 'git+ssh://git@forge.example/a/it.git#abc' }, 'does not come from a registry'],
  ['an address', { resolved: 'https://pages.example/it.tgz' }, 'does not come from a registry'],
  [
    'another name',
    { resolved: 'https://packages.example/evil/-/evil-1.2.3.tgz' },
    'not come from a registry',
  ],
  ['no TLS', { resolved: 'http://packages.example/it/-/it-1.2.3.tgz' }, 'does not come from a registry'],
  ['a folder', { link: true }, 'is a link'],
  ['an install script', { hasInstallScript: true }, 'runs a script'],
  ['no licence', { license: undefined }, 'names no licence'],
  ['an unknown licence', { license: 'SSPL-1.0' }, 'has the licence "SSPL-1.0"'],
  ['a licence among others', { license: 'MIT AND SSPL-1.0' }, 'has the licence'],
  ['no choice among licences', { license: '(SSPL-1.0 OR BUSL-1.1)' }, 'has the licence'],
  ['a licence for development, shipped', { license: 'MPL-2.0', dev: false }, 'has the licence "MPL-2.0"'],
  ['a licence to be read', { license: 'SEE LICENSE IN LICENSE.md' }, 'has the licence'],
])('finds %s', (_, entry, fault) => {
  expect(check(entry)).toEqual([expect.stringContaining(fault)]);
});

it.each([
  '^1.2.3',
  '~1.2.3',
  '1.x',
  '*',
  'latest',
  'npm:other@^1.2.3',
  'git+https://forge.example/it',
  'file:../it',
])('finds a dependency on "%s"', (range) => {
  expect(check({}, { it: range })).toEqual([expect.stringContaining('not one exact version')]);
});

it('knows the server of Restate by its name and its licence, and nothing else under that licence', () => {
  const packages = (name: string): object => ({ [`node_modules/${name}`]: { ...SOUND, license: 'BSL' } });
  const faultsOf = (name: string): string[] =>
    findSupplyChainFaults({ manifest: {}, lock: { lockfileVersion: 3, packages: packages(name) } });
  expect(faultsOf('@restatedev/restate-server-linux-x64')).toEqual([]);
  expect(faultsOf('it')).toEqual(['node_modules/it: has the licence "BSL"']);
});

it('takes the folders that are named as workspaces, and no other folder', () => {
  const packages = {
    'packages/core': { dependencies: {} },
    'node_modules/@inboard/core': { resolved: 'packages/core', link: true },
  };
  const lock = { lockfileVersion: 3, packages };
  expect(findSupplyChainFaults({ manifest: { workspaces: ['packages/*'] }, lock })).toEqual([]);
  const faults = findSupplyChainFaults({ manifest: { workspaces: ['others/*'] }, lock });
  expect(faults).toContain('packages/core: has no sha512 integrity');
  expect(faults).toContain('node_modules/@inboard/core: is a link');
});
