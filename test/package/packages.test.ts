// The folders in `packages` are for maintainers. What is published is one package, in which nothing of them shows.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishedManifest } from '../../scripts/support/pack-package.mjs';
import { publishedPath, rewriteSpecifiers } from '../../scripts/support/publish-declarations.mjs';
import { readImports, resolveImport } from './import-graph.js';
import { MANIFEST, PACKAGES, PROJECT_ROOT, readProjectFile, readSourceFiles } from './project.js';

interface PrivateManifest {
  name: string;
  private?: boolean;
  version?: string;
  scripts?: object;
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: object;
  peerDependencies?: object;
}

const published = MANIFEST as unknown as { dependencies: Record<string, string> };

describe.each(PACKAGES)('packages/%s', (name) => {
  const manifest = JSON.parse(readProjectFile(`packages/${name}/package.json`)) as PrivateManifest;

  it('is private: without a version, and without scripts of its own', () => {
    expect(manifest).toMatchObject({ name: `@inboard/${name}`, private: true });
    expect(manifest).not.toHaveProperty('version');
    expect(manifest).not.toHaveProperty('scripts');
  });

  it('depends on nothing that the published package lacks', () => {
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('peerDependencies');
    for (const [each, range] of Object.entries(manifest.dependencies ?? {}))
      if (each.startsWith('@inboard/')) expect(range).toBe('*');
      else expect({ [each]: range }).toEqual({ [each]: published.dependencies[each] });
  });

  it('has a README of one screen that names its folders, and how to test it alone', () => {
    const text = readProjectFile(`packages/${name}/README.md`);
    expect(text.split('\n').length).toBeLessThanOrEqual(45);
    const folders = new Set(
      [...readSourceFiles().keys()].flatMap(
        (path) => new RegExp(`^packages/${name}/src/([^/]+)/`).exec(path)?.[1] ?? [],
      ),
    );
    const unnamed = [...folders].filter((folder) => !text.includes(`\`${folder}\``));
    expect(unnamed).toEqual([]);
    expect(text).toContain(`npx vitest run packages/${name}`);
    expect(existsSync(join(PROJECT_ROOT, 'packages', name, 'test'))).toBe(true);
  });
});

/**
 * What is not imported, but read: by the build, or by scripts that write pages of docs. The compiler reads `*-modules.d.ts` as well, which
 * describe modules that this project does not depend on.
 */
const ROOTS = new Set([
  'packages/cli/src/main.ts',
  'packages/inspector/src/page/main.tsx',
  'packages/inspector/src/page/node-util.ts',
  'packages/core/src/errors/error-guide.ts',
  'packages/core/src/options/check/warning-guide.ts',
  // Replaces the parts that all others ask: only tests do that, and nothing of it is in the published package.
  'packages/core/src/util/system/replace-system.ts',
]);

it('has no source that nothing imports', () => {
  const files = readSourceFiles();
  const imported = new Set(
    [...files].flatMap(([path, text]) =>
      readImports(text).flatMap(({ specifier }) => resolveImport(files, path, specifier) ?? []),
    ),
  );
  const isRoot = (path: string): boolean =>
    ROOTS.has(path) || path.endsWith('-modules.d.ts') || /^packages\/inboard\/src\/[\w-]+\.ts$/.test(path);
  expect([...files.keys()].filter((path) => !imported.has(path) && !isRoot(path))).toEqual([]);
});

describe('the published manifest', () => {
  const manifest = publishedManifest(MANIFEST);

  it('has nothing that only a checkout needs', () => {
    for (const name of ['workspaces', 'scripts', 'devDependencies', 'allowScripts'])
      expect(manifest).not.toHaveProperty(name);
  });

  it('is not that of the root, which npm refuses to pack and to publish', () => {
    const run = (command: string) =>
      spawnSync(process.execPath, ['scripts/refuse-packing.mjs'], {
        cwd: PROJECT_ROOT,
        env: { ...process.env, npm_command: command },
        encoding: 'utf8',
      });
    expect((MANIFEST as unknown as { scripts: object }).scripts).toHaveProperty(
      'prepack',
      'node scripts/refuse-packing.mjs',
    );
    expect(run('pack')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('"npm run pack"') as string,
    });
    expect(run('publish')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('pack.mjs') as string,
    });
    // Installations from git.
    for (const command of ['install', 'run-script', 'exec'])
      expect(run(command)).toMatchObject({ status: 0, stderr: '' });
  });

  it('has everything else', () => {
    expect(manifest).toMatchObject({ name: 'inboard', exports: MANIFEST.exports });
  });
});

describe('publishedPath()', () => {
  it.each([
    ['core/src/live/launch.d.ts', 'live/launch.d.ts'],
    ['cluster/src/cluster.d.ts', 'cluster/cluster.d.ts'],
    ['inboard/src/index.d.ts', 'entry/index.d.ts'],
  ])('%s is %s', (path, place) => {
    expect(publishedPath(path)).toBe(place);
  });

  it('refuses what is in no package', () => {
    expect(() => publishedPath('core/test/a.d.ts')).toThrow('is not in the src folder of a package');
  });
});

describe('rewriteSpecifiers()', () => {
  it.each([
    ["import type { A } from '@inboard/core/live/a.js';", "import type { A } from '../live/a.js';"],
    ["export * from './work/b.js';", "export * from './work/b.js';"],
    ['let a: import("../../core/src/live/a.js").A;', 'let a: import("../live/a.js").A;'],
    ["import type { Pool } from 'pg';", "import type { Pool } from 'pg';"],
    ['/** from nowhere */', '/** from nowhere */'],
  ])('%s', (text, wanted) => {
    expect(rewriteSpecifiers('cluster/src/cluster.d.ts', text)).toBe(wanted);
  });
});
