// `npm run test:changed`: which tests a change reaches.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { chooseTests, readBuiltTests } from '../../scripts/support/reach/choose-tests.mjs';
import { findReached, findUsers } from '../../scripts/support/reach/file-reach.mjs';
import { isCommit, listChanged, readTree } from '../../scripts/support/reach/read-tree.mjs';
import { PROJECT_ROOT, readSourceFiles } from './project.js';
import { readImports, resolveImport } from './import-graph.js';

const FILES = new Map(
  Object.entries({
    'packages/core/src/util/fifo.ts': 'export const fifo = 1;',
    'packages/core/src/live/pump.ts': "import { fifo } from '../util/fifo.js';",
    'packages/core/src/live/late.ts': "const load = () => import('./pump.js');",
    'packages/core/src/live/shape.ts': "import type { Pump } from './pump.js';",
    'packages/ui/src/chat.tsx': "import {\n  a,\n} from '@inboard/core/live/late.js';",
    'packages/ui/test/chat.test.ts': "import { chat } from '../src/chat.js';",
    'packages/core/test/shape.test.ts': "import { shape } from '../src/live/shape.js';",
    'packages/core/test/named.test.ts':
      "// import '../src/util/fifo.js';\nconst page = read('docs/pages.md');",
    'test/fixtures/rows.ts': "new URL('rows.json', import.meta.url)",
    'test/rows.test.ts': "import { rows } from './fixtures/rows.js';",
    'test/layers.test.ts': 'const sources = readSourceFiles();',
    'test/list.test.ts': "const LIST = ['test/rows.test.ts'];",
    'rolldown.config.mjs':
      "import { part } from './part.mjs';\nconst input = ['packages/core/src/util/fifo.ts'];",
    'test/pump-text.test.ts': "const text = read('packages/core/src/live/pump.ts');",
    'part.mjs': 'export const part = 1;',
    'scripts/build.mjs': "import config from '../rolldown.config.mjs';",
    'test/build-script.test.ts': "const script = 'scripts/build.mjs';",
    'test/builder.ts': 'const dist = await buildDist();',
    'packages/cli/test/command.test.ts': "import '../../../test/builder.js';",
  }),
);

function testsReachedBy(...changed: string[]): string[] {
  const others = ['docs/pages.md', 'test/fixtures/rows.json'];
  return [...findReached({ files: FILES, others, changed })]
    .filter((path) => path.endsWith('.test.ts'))
    .toSorted();
}

describe('a change reaches', () => {
  it('what imports it: through other files, dynamically, from another package, on several lines', () => {
    expect(testsReachedBy('packages/core/src/util/fifo.ts')).toEqual([
      'packages/cli/test/command.test.ts',
      'packages/ui/test/chat.test.ts',
      'test/layers.test.ts',
    ]);
  });

  it('a test that reads it as text, itself or by a helper', () => {
    expect(testsReachedBy('docs/pages.md')).toEqual(['packages/core/test/named.test.ts']);
    // A part of the page.
    expect(testsReachedBy('docs/pages/one.md')).toEqual(['packages/core/test/named.test.ts']);
    expect(testsReachedBy('test/fixtures/rows.json')).toEqual(['test/rows.test.ts']);
  });

  it('what builds it, and not what has to do with the way in which it is built', () => {
    expect(testsReachedBy('packages/core/src/live/shape.ts')).toEqual([
      'packages/cli/test/command.test.ts',
      'packages/core/test/shape.test.ts',
      'test/layers.test.ts',
    ]);
    expect(testsReachedBy('part.mjs')).toEqual(['test/build-script.test.ts']);
  });

  it('a test that reads the text of a source, and not what that source imports', () => {
    expect(testsReachedBy('packages/core/src/live/pump.ts')).toContain('test/pump-text.test.ts');
    expect(testsReachedBy('packages/core/src/util/fifo.ts')).not.toContain('test/pump-text.test.ts');
  });

  it('no test that cannot notice it: a leaf of this project stays a leaf', () => {
    const tree = readTree(PROJECT_ROOT);
    const find = (changed: string): string[] =>
      [...findReached({ ...tree, changed: [changed] })].filter((path) => path.endsWith('.test.ts'));
    const named = (tests: string[], names: string[]): string[] =>
      tests.filter((path) => names.includes(/([\w-]+)\.test\.ts$/.exec(path)?.[1] ?? ''));
    const ofScripts = ['ci-stages', 'recipes', 'play-recipes', 'bench'];
    expect(named(find('packages/cluster/src/join-cluster.ts'), ofScripts)).toEqual([]);
    const tests = find('packages/otel/src/turn-spans.ts');
    expect(named(tests, [...ofScripts, 'init', 'trace-stop', 'doctor'])).toEqual([]);
    expect(tests).toEqual(
      expect.arrayContaining([
        'packages/otel/test/span-recorder.test.ts',
        'packages/cli/test/command.test.ts',
        'test/package/readme.test.ts',
      ]),
    );
  });

  it('itself where it is a test, and no test that lists its name', () => {
    expect(testsReachedBy('test/rows.test.ts')).toEqual(['test/rows.test.ts']);
  });

  it('what imported a file that was removed', () => {
    const files = new Map(FILES);
    files.delete('packages/core/src/live/late.ts');
    const reached = findReached({ files, changed: ['packages/core/src/live/late.ts'] });
    expect([...reached]).toContain('packages/ui/test/chat.test.ts');
  });

  it('everything in this project that the import graph says imports it', () => {
    const sources = readSourceFiles();
    const users = findUsers(sources);
    const missed: string[] = [];
    for (const [path, text] of sources) {
      for (const { specifier, isTypeOnly } of readImports(text)) {
        const target = resolveImport(sources, path, specifier);
        if (target === undefined || isTypeOnly || !sources.has(target)) continue;
        // It hands the entry points to programs, and uses none of them.
        if (path === 'packages/cli/src/tools-file/jiti.ts' && specifier.startsWith('@inboard/inboard/'))
          continue;
        if (!users.get(target)?.has(path)) missed.push(`${path} -> ${target}`);
      }
    }
    expect(missed).toEqual([]);
  });
});

describe('of the tests that are reached', () => {
  const built = ['packages/cli/test/command.test.ts'];
  const reached = [
    'test/docs/command-doc.test.ts',
    'packages/cli/test/command.test.ts',
    'packages/cli/test/a.test.ts',
    ...[1, 2, 3, 4].map((number) => `test/e2e/${number}.test.ts`),
    'test/e2e/all.long.test.ts',
    'test/front-ends/pages.test.ts',
  ];

  it('those of other suites are not run or counted, but named with the command that runs them', () => {
    const { tests, hints } = chooseTests({ reached, built });
    expect(tests).toEqual(['packages/cli/test/a.test.ts']);
    expect(hints.map((hint) => hint.replace(/^.*here, /, ''))).toEqual([
      '1 of another suite: npx vitest run --project built packages/cli/test/command.test.ts',
      '1 of another suite: npx vitest run --project long test/e2e/all.long.test.ts',
      '4 of another suite: npm run test:e2e',
      '1 of another suite: npx vitest run --project docs test/docs/command-doc.test.ts',
      '1 of another suite: node scripts/run-front-ends.mjs',
    ]);
  });

  it('those that build the package are run with --built', () => {
    const { tests, hints } = chooseTests({ reached, built, isBuiltRun: true });
    expect(tests).toEqual(['packages/cli/test/a.test.ts', 'packages/cli/test/command.test.ts']);
    expect(hints.join('\n')).not.toContain('--project built');
  });

  it('those that build the package are read from the configuration', () => {
    const built = readBuiltTests(readFileSync(join(PROJECT_ROOT, 'vitest.config.ts'), 'utf8'));
    expect(built).toContain('packages/cli/test/command.test.ts');
    expect(built.filter((path) => !existsSync(join(PROJECT_ROOT, path)))).toEqual([]);
    expect(() => readBuiltTests('')).toThrow('no list "BUILT"');
  });
});

describe('what has changed', () => {
  let folder: string;
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  it('is what the branch committed, what the working tree has, new files and removed ones', () => {
    folder = mkdtempSync(join(tmpdir(), 'inboard-changed-'));
    const git = (...words: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...words], {
        cwd: folder,
        stdio: 'pipe',
      });
    git('init', '--initial-branch=main');
    for (const name of ['kept.ts', 'edited.ts', 'removed.ts', 'committed.ts']) write(name, '1');
    write('.gitignore', 'ignored.ts\n');
    git('add', '.');
    git('commit', '-m', 'first');
    git('switch', '-c', 'branch');
    write('committed.ts', '2');
    git('commit', '-am', 'second');
    write('edited.ts', '2');
    write('folder/new.ts', '1');
    write('ignored.ts', '1');
    rmSync(join(folder, 'removed.ts'));
    expect(listChanged(folder, 'main').toSorted()).toEqual([
      'committed.ts',
      'edited.ts',
      'folder/new.ts',
      'removed.ts',
    ]);
    expect([...readTree(folder).files.keys()].toSorted()).toEqual([
      'committed.ts',
      'edited.ts',
      'folder/new.ts',
      'kept.ts',
    ]);
    expect(() => listChanged(folder, 'no-such-commit')).toThrow('no-such-commit');
    expect([isCommit(folder, 'main'), isCommit(folder, 'no-such-commit')]).toEqual([true, false]);
  });

  it('of a file that is not there is refused by the command, with its name', () => {
    folder = mkdtempSync(join(tmpdir(), 'inboard-changed-'));
    const run = (): unknown =>
      execFileSync(process.execPath, [join(PROJECT_ROOT, 'scripts', 'test-changed.mjs'), 'no/such.ts'], {
        stdio: 'pipe',
      });
    expect(run).toThrow('There is no file no/such.ts');
  });
});
