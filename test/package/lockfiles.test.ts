// `npm install` in a clone leaves the lockfiles as they are: npm drops what no package asks for, and notes what is missing.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProjectFile } from './project.js';

type Ranges = Record<string, string>;

interface Manifest {
  version?: string;
  dependencies?: Ranges;
  devDependencies?: Ranges;
  optionalDependencies?: Ranges;
  peerDependencies?: Ranges;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

interface Entry extends Manifest {
  link?: boolean;
  workspaces?: string[];
  libc?: string[];
  resolved?: string;
}

type Entries = Record<string, Entry>;

const LOCKFILES = execFileSync('git', ['ls-files', 'package-lock.json', '*/package-lock.json'], {
  cwd: join(import.meta.dirname, '../..'),
  encoding: 'utf8',
})
  .trim()
  .split('\n');

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** Where Node finds a package that the one at `from` imports. */
function find(entries: Entries, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (entries[path]) return path;
    if (at === '' || !at.includes('node_modules/'))
      return entries[`node_modules/${name}`] && `node_modules/${name}`;
  }
}

/** What npm would keep. */
function reach(entries: Entries): Set<string> {
  // The root's own packages are installed because they are there.
  const own = Object.keys(entries).filter((path) => /^(?:packages|node_modules\/@inboard)\/\w+$/.test(path));
  const reached = new Set(['', ...(entries['']?.workspaces ? own : [])]);
  for (const at of reached) {
    const { devDependencies, ...entry } = entries[at] ?? {};
    if (entry.link === true && entry.resolved !== undefined) reached.add(entry.resolved);
    const isOwn = !at.includes('node_modules/');
    const wanted = {
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...entry.peerDependencies,
      ...(isOwn && devDependencies),
    };
    for (const name of Object.keys(wanted)) {
      const path = find(entries, at, name);
      if (path !== undefined) reached.add(path);
    }
  }
  return reached;
}

describe.each(LOCKFILES)('%s', (file) => {
  const { packages } = JSON.parse(readProjectFile(file)) as { packages: Entries };

  it('locks nothing that no package asks for', () => {
    const reached = reach(packages);
    expect(Object.keys(packages).filter((path) => !reached.has(path))).toEqual([]);
  });

  // npm 10.5, which comes with Node 20.12, does not know `libc` and takes it out: a clone would show a changed file after its first
  // install. Without it npm installs the programs of both C libraries. Lockfiles of subfolders keep it: there it would be
  // paid for in each folder.
  if (file === 'package-lock.json')
    it('has nothing that an older npm takes out: remove "libc"', () => {
      expect(Object.keys(packages).filter((path) => packages[path]?.libc !== undefined)).toEqual([]);
    });
  else
    it('says which C library a package is for', () => {
      const names = Object.keys(packages).filter((path) => /-linux[^/]*-(?:musl|gnu)$/.test(path));
      expect(names.filter((path) => packages[path]?.libc === undefined)).toEqual([]);
    });

  // After a change of package.json: `npm install --package-lock-only` in the folder of the lockfile.
  it('knows the packages of this project as they are', () => {
    for (const [path, entry] of Object.entries(packages)) {
      if (path.includes('node_modules')) continue;
      const manifest = JSON.parse(readProjectFile(join(dirname(file), path, 'package.json'))) as Manifest;
      for (const kind of KINDS) {
        expect([path, kind, entry[kind] ?? {}]).toEqual([path, kind, manifest[kind] ?? {}]);
      }
      expect(entry.version).toBe(manifest.version);
    }
  });
});
