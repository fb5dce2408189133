// Where npm says that this package came from: a tarball, a folder, the registry, or nothing that it says.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findInstallSource } from '../src/init/install-source.js';

function install(lockfile: string | undefined, tarball = 'inboard.tgz') {
  const place = mkdtempSync(join(tmpdir(), 'inboard-source-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const modules = join(place, 'project', 'node_modules');
  mkdirSync(join(modules, 'inboard'), { recursive: true });
  writeFileSync(join(place, tarball), '');
  if (lockfile !== undefined) writeFileSync(join(modules, '.package-lock.json'), lockfile);
  return { place, source: findInstallSource(join(modules, 'inboard')) };
}

const lock = (resolved: unknown) => JSON.stringify({ packages: { 'node_modules/inboard': { resolved } } });

it('is the tarball that npm installed, also below a folder with a space in its name', () => {
  const { place, source } = install(lock('file:../inboard.tgz'));
  expect(source).toEqual({ from: 'file', path: join(place, 'inboard.tgz') });
  const spaced = install(lock('file:../in%20board.tgz'), 'in board.tgz');
  expect(spaced.source).toEqual({ from: 'file', path: join(spaced.place, 'in board.tgz') });
});

it('is the registry that npm names', () => {
  const { source } = install(lock('https://registry.example/inboard/-/inboard-1.0.0.tgz'));
  expect(source).toEqual({ from: 'registry' });
});

it.each([
  ['there is no lockfile', undefined],
  ['the lockfile is damaged', '{'],
  ['it names no package', '{}'],
  ['it says nothing of this one', lock(undefined)],
  ['the tarball is gone', lock('file:../old.tgz')],
  ['the name of the tarball cannot be read', lock('file:../%.tgz')],
])('is unknown where %s', (_, lockfile) => {
  expect(install(lockfile).source).toEqual({ from: 'unknown' });
});

it('is unknown in a checkout', () => {
  expect(findInstallSource('/home/ann/inboard')).toEqual({ from: 'unknown' });
});
