// What is loaded on first use: each such import goes through the helper that fails in a way that can be repaired. The cases
// are all lazy imports of the built package.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage, type BuiltPackage } from './built-package.js';
import { findBuiltImports, findLoaded, findPackages, findStrayImports } from './parts/lazy-imports.js';
import { PROJECT_NAME, readProjectFile, readSourceFiles } from './project.js';

const run = promisify(execFile);
const programOf = (name: string): string => fileURLToPath(new URL(`parts/${name}`, import.meta.url));
// Few enough descriptors to use them up, and enough for the largest package.
const FEW = ['-c', 'ulimit -n 200; exec "$0" "$@"', process.execPath];

const MISSING = { name: 'PartLoadError', code: 'PART_MISSING', retryable: true };
const NO_DESCRIPTORS = { name: 'PartLoadError', code: 'TOO_MANY_OPEN_FILES', retryable: true };

/** What each scene of scenes.mjs sees. */
const SCENES: Readonly<Record<string, unknown>> = {
  'query without a file': [MISSING, 'Hello.'],
  'query without descriptors': [NO_DESCRIPTORS, 'Hello.'],
  'session without a file': [MISSING, 'Hello.'],
  'tool with JSON Schema without descriptors': [expect.stringMatching(/EMFILE.*ulimit -n/), '7'],
  // In the background: a warning, and the next CLI makes up for it.
  'sweep without a file': {
    warning: { code: 'PART_MISSING', message: expect.stringContaining('sweep-folders') as unknown },
    text: 'Hello.',
    isLeft: true,
  },
  // It fails closed.
  'guarding hook without a file': [['HOOK_FAILED of PART_MISSING'], ['called']],
  'abandoning without a file': { warning: 'PART_MISSING', outcome: { code: 'SESSION_CLOSED' } },
  'approvals without a file': { before: MISSING, warning: 'CALLBACK_FAILED', list: [], change: 'noticed' },
  'inspector by variable without a file': {
    warning: { code: 'INSPECTOR_FAILED' },
    text: 'Hello.',
    isOpen: true,
  },
  'CommonJS without a file': [MISSING, []],
  'worker thread without descriptors': [NO_DESCRIPTORS, []],
};

const isEngine = (name: string): boolean => /^@(?:dbos-inc|restatedev|temporalio)\//.test(name);

describe('lazy imports in the sources', () => {
  it('go through loadPart or loadPackage, and somebody catches their failure', () => {
    expect(findStrayImports(readSourceFiles())).toEqual([]);
  });

  it.each([
    "const late = () => import('./a.js');",
    "async function f() {\n  return (await import('./a.js')).a;\n}",
    "export const a = async () => await import('pg');",
    'const b = import(somewhere);',
    "void loadPart(() => import('./a.js')).then(use);",
  ])('are found where they do not: %j', (text) => {
    expect(findStrayImports(new Map([['packages/core/src/util/a.ts', text]]))).toHaveLength(1);
  });

  it.each([
    "const a = await loadPart(() => import('./a.js'));",
    "const a = await loadPart(\n  () => import('./a.js'),\n);",
    "const a = await loadPackage({ name: 'pg', room: 4 }, () => import('pg'));",
    "// import('./a.js')",
    "export type A = import('pg').Client;",
  ])('are accepted as %j', (text) => {
    expect(findStrayImports(new Map([['packages/core/src/util/a.ts', text]]))).toEqual([]);
  });
});

describe('the scenes', () => {
  it('are all expected here', () => {
    const [, text = ''] =
      /^const SCENES = \{\n([^]*?)^\};/m.exec(readProjectFile('test/package/parts/scenes.mjs')) ?? [];
    expect(Array.from(text.matchAll(/^ {2}'([^']+)'/gm), ([, name]) => name)).toEqual(Object.keys(SCENES));
  });
});

describe('lazy imports of the built package', () => {
  let built: BuiltPackage;
  let dist: string;
  beforeAll(async () => {
    built = await buildPackage();
    dist = join(built.folder, 'node_modules', PROJECT_NAME, 'dist');
    // The compiler has half a minute of work where others want the machine too.
  }, 180_000);
  afterAll(() => built?.remove());

  it('each name the files they load', () => {
    const { parts } = findBuiltImports(dist);
    expect(parts.length).toBeGreaterThan(40);
    for (const { target, files } of parts)
      expect({ target, files: files.toSorted() }).toEqual({
        target,
        files: [...findLoaded(dist, target)].toSorted(),
      });
  });

  it.each(['files', 'descriptors'])(
    'fail without %s with an error that is typed and retryable, and work when they are back',
    async (taken) => {
      // Libraries of engines are not installed here.
      const packages = findPackages(readSourceFiles()).filter(({ name }) => !isEngine(name));
      expect(packages.map(({ name }) => name)).toContain('pg');
      const imports = findBuiltImports(dist);
      const given = JSON.stringify({ ...imports, packages });
      const words = [...FEW, programOf('drive-imports.mjs'), dist, taken, given];
      const { stdout } = await run('/bin/sh', words, { maxBuffer: 2 ** 24 });
      const { faults, failures } = JSON.parse(stdout) as { faults: string[]; failures: number };
      expect(faults).toEqual([]);
      expect(failures).toBeGreaterThanOrEqual(new Set(imports.parts.map(({ target }) => target)).size);
    },
  );

  it.each(Object.entries(SCENES))('%s', async (scene, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'inboard-parts-'));
    const env = { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder, INBOARD_CACHE: 'off' };
    try {
      const words = [...FEW, programOf('scenes.mjs'), dist, scene];
      const { stdout } = await run('/bin/sh', words, { env, cwd: folder });
      expect(JSON.parse(stdout)).toMatchObject(expected as object);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('the command says what is missing, and ends with 1', async () => {
    const folder = join(dist, 'shared');
    const file = readdirSync(folder).find((name) => name.startsWith('show-tools-')) ?? '';
    renameSync(join(folder, file), join(folder, 'gone'));
    try {
      const main = join(dist, 'cli', 'main.js');
      const error: unknown = await run(process.execPath, [main, 'tools', 'none.mjs']).catch((cause) => cause);
      expect(error).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^inboard: .*ENOENT.*show-tools.*restart the program.*\n$/) as unknown,
      });
    } finally {
      renameSync(join(folder, 'gone'), join(folder, file));
    }
  });
});
