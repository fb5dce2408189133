// `inboard migrate` on folders: what it changes, what it leaves, what it says, and how it ends.
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNameLookup } from '../../src/migrate/own-names.js';
import { writeSourceFile, readSourceFile } from '../../src/migrate/source-file.js';
import { runCommandLine } from '../../src/terminal/command-line.js';
import { PROJECT_ROOT } from '../../../../test/package/project.js';
import { createFakeTerminal } from '../fake-terminal.js';

const P = '@anthropic-ai/claude-agent-sdk';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inboard-migrate-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

async function migrate(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const terminal = createFakeTerminal({ cwd: folder });
  const code = await runCommandLine(['migrate', ...args], terminal);
  return { code, ...terminal.written() };
}

interface Report {
  mode: string;
  summary: Record<string, number>;
  findings: { file: string; line: number; column: number; rule: string; weight: string }[];
  changes: { file: string; line: number; column: number; from: string; to: string }[];
  unreadable: { file: string; line?: number; reason: string }[];
  skippedFolders: string[];
  install: { folder: string; command: string }[];
  unreadOptions: number;
}

async function report(...args: string[]): Promise<Report & { code: number }> {
  const { code, stdout } = await migrate('--json', ...args);
  return { code, ...(JSON.parse(stdout) as Report) };
}

describe('the change', () => {
  it('is made wherever a module is named, and nowhere else', async () => {
    const source = [
      `#!/usr/bin/env node`,
      `import { query, type Options } from '${P}';`,
      `import type { BashInput } from "${P}/sdk-tools";`,
      `export * from '${P}/core';`,
      `import { attach } from '${P}/bridge';`,
      `const sdk = await import(\`${P}\`);`,
      `vi.mock('${P}', async () => vi.importActual<typeof import('${P}')>('${P}'));`,
      `/** @type {import('${P}').Options} */`,
      `const name = '${P}'; // ${P}`,
    ];
    const path = write('a.ts', source.join('\n'));
    expect((await migrate()).code).toBe(1);
    expect(readFileSync(path, 'utf8').split('\n')).toEqual([
      source[0],
      `import { query, type Options } from 'inboard';`,
      `import type { BashInput } from "inboard/sdk-tools";`,
      `export * from 'inboard/core';`,
      source[4],
      `const sdk = await import(\`inboard\`);`,
      `vi.mock('inboard', async () => vi.importActual<typeof import('inboard')>('inboard'));`,
      `/** @type {import('inboard').Options} */`,
      source[8],
    ]);
  });

  it.each([
    ['a byte order mark', Buffer.from(`\uFEFFimport '${P}';\n`)],
    ['Windows line ends and none at the end', Buffer.from(`import '${P}';\r\nconst a = 1;\r\n\r\n//é`)],
    ['bytes that are no UTF-8', Buffer.from(`import '${P}'; // \xe9\xff\n`, 'latin1')],
    ['old line ends', Buffer.from(`import '${P}';\rconst a = '\u2028';\r`)],
    ['an emoji before it', Buffer.from(`const a = '😀'; require('${P}');`)],
  ])('keeps %s', async (_, content) => {
    const path = write('a.js', content);
    expect((await migrate()).code).toBe(0);
    const expected = content.toString('latin1').replace(P, 'inboard');
    expect(readFileSync(path).toString('latin1')).toBe(expected);
  });

  it('keeps the mode of a file and the link to it, and leaves nothing behind', async () => {
    const path = write('lib/a.mjs', `import '${P}';`);
    chmodSync(path, 0o750);
    symlinkSync(path, join(folder, 'b.mjs'));
    expect((await migrate('b.mjs')).code).toBe(0);
    expect(statSync(path).mode & 0o777).toBe(0o750);
    expect(lstatSync(join(folder, 'b.mjs')).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(`import 'inboard';`);
    expect(readdirSync(join(folder, 'lib'))).toEqual(['a.mjs']);
  });

  it('goes through no link that leads out of the program, and says so', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'inboard-elsewhere-'));
    try {
      const code = `import '${P}';`;
      const outside = realpathSync(elsewhere);
      for (const name of ['a.ts', 'hard.ts']) writeFileSync(join(outside, name), code);
      writeFileSync(join(outside, 'package.json'), '{}');
      write('program/own.ts', code);
      symlinkSync(join(outside, 'a.ts'), join(folder, 'program/linked.ts'));
      symlinkSync(join(outside, 'package.json'), join(folder, 'program/package.json'));
      symlinkSync('own.ts', join(folder, 'program/same.ts'));
      linkSync(join(outside, 'hard.ts'), join(folder, 'program/hard.ts'));
      const { code: exit, stderr } = await migrate('program');
      expect(exit).toBe(0);
      expect(stderr).toContain(
        `Left alone: ${join('program', 'linked.ts')} is a symbolic link to ${join(outside, 'a.ts')}, which is not part of this program.`,
      );
      expect(stderr).toContain(join('program', 'package.json'));
      expect(readFileSync(join(outside, 'a.ts'), 'utf8')).toBe(code);
      // The other name of a file that has two keeps what it had.
      expect(readFileSync(join(outside, 'hard.ts'), 'utf8')).toBe(code);
      expect(readFileSync(join(folder, 'program/hard.ts'), 'utf8')).toBe(`import 'inboard';`);
      expect(readFileSync(join(folder, 'program/own.ts'), 'utf8')).toBe(`import 'inboard';`);
      const named = await migrate('program/linked.ts');
      expect(named.code).toBe(1);
      expect(named.stdout + named.stderr).toContain('Name that file.');
      expect(readFileSync(join(outside, 'a.ts'), 'utf8')).toBe(code);
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  });

  it('is shown and not made with --dry-run, and not even shown with --check', async () => {
    const path = write('a.ts', `import { query } from '${P}';\n`);
    const dry = await migrate('--dry-run');
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toBe(
      `a.ts:1\n- import { query } from '${P}';\n+ import { query } from 'inboard';\n\n`,
    );
    const checked = await migrate('--check');
    expect(checked).toMatchObject({ code: 0, stdout: '' });
    expect(checked.stderr).toContain('"inboard migrate" changes 1 place in 1 file.');
    expect(readFileSync(path, 'utf8')).toContain(P);
  });

  it('is made once', async () => {
    write('a.ts', `import { query } from '${P}';\n`);
    expect((await report()).changes).toHaveLength(1);
    expect((await report()).changes).toEqual([]);
  });

  it('is not made over the changes of another program', async () => {
    const path = write('a.ts', `import '${P}';`);
    const source = await readSourceFile(path);
    writeFileSync(path, 'new');
    await expect(writeSourceFile(source, 'x')).rejects.toThrow('changed while it was being read');
    expect(readFileSync(path, 'utf8')).toBe('new');
  });
});

describe('the report', () => {
  it('names the place, the reason, the advice and the section', async () => {
    write(
      'src/a.ts',
      `import { query } from '${P}';\n\nquery({ prompt, options: { allowedTools: ['A,B'] } });\n`,
    );
    const { code, stdout, stderr } = await migrate('--check');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^src\/a\.ts:3:28 breaks: .*"A,B".* \[list-entry\]\n {2}Why: .*\n {2}Do: {2}.*\n {2}coming-from-the-official-sdk\.md#entries-with-commas\n/,
    );
    expect(stderr).toContain('breaks: 1, behaves differently: 0, good to know: 0.');
    expect(stderr).toContain(join('docs', 'coming-from-the-official-sdk.md'));
  });

  it('names what a program took from a clone and that is called otherwise now, and changes nothing', async () => {
    const text = `import { tool, type ToolContext } from 'inboard';\nconst { costUsd } = outcome;\nexecute('allowedTools: A,B');\n`;
    const path = write('a.ts', text);
    const { code, summary, findings, changes } = await report();
    expect([code, summary, changes]).toEqual([1, { breaks: 1, differs: 0, know: 1 }, []]);
    expect(findings).toMatchObject([
      { line: 1, column: 21, rule: 'renamed-export', advice: 'Use HandlerExtra.' },
      { line: 2, rule: 'renamed-member' },
    ]);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('is one document with --json', async () => {
    write('a.mjs', `import { query } from '${P}';\nconst q = query({ prompt, options });\nq.close();\n`);
    write(
      'package.json',
      `{ "dependencies": { "${P}": "^0.3.0" }, "scripts": { "start": "node --import=braintrust/hook.mjs a.mjs" } }`,
    );
    write('yarn.lock', '');
    expect(await report('--check')).toMatchObject({
      code: 0,
      mode: 'check',
      summary: { breaks: 0, differs: 1, know: 2 },
      unreadOptions: 1,
      findings: [
        { file: 'a.mjs', line: 3, column: 3, rule: 'close-not-awaited', weight: 'know' },
        { file: 'package.json', rule: 'package-dependency' },
        { file: 'package.json', rule: 'tracing-by-name', weight: 'differs' },
      ],
      changes: [{ file: 'a.mjs', line: 1, column: 24, from: P, to: 'inboard' }],
      install: [{ folder: '.', command: `yarn remove ${P} && yarn add inboard @anthropic-ai/claude-code` }],
    });
  });

  it('says for each package of a workspace where its line is to be run', async () => {
    write('package-lock.json', '{}');
    write('packages/a/package.json', `{ "dependencies": { "${P}": "^0.3.0" } }`);
    write('packages/b/package.json', `{ "devDependencies": { "${P}": "^0.3.0" } }`);
    const { stderr } = await migrate('--check');
    const line = `npm uninstall ${P} && npm install`;
    expect(stderr).toContain(`Install in packages/a: ${line} inboard`);
    expect(stderr).toContain(`Install in packages/b: ${line} --save-dev inboard`);
  });

  it('names files that make no sense, and does not change them', async () => {
    const path = write('a.ts', `import '${P}';\nconst a = 'b\n`);
    write('package.json', `{ "${P}"`);
    write('utf16.ts', Buffer.from(`\uFEFFimport '${P}';`, 'utf16le'));
    const { code, unreadable, changes } = await report();
    expect(code).toBe(1);
    expect(unreadable).toMatchObject([
      { file: 'a.ts', line: 2, column: 11, reason: 'The text that begins here is never closed.' },
      { file: 'package.json' },
      { file: 'utf16.ts', reason: 'It is UTF-16. Save it as UTF-8.' },
    ]);
    expect(changes).toEqual([]);
    expect(readFileSync(path, 'utf8')).toContain(P);
  });

  it('names what cannot be read', async () => {
    symlinkSync(join(folder, 'gone.ts'), join(folder, 'a.ts'));
    const { code, unreadable } = await report();
    expect(code).toBe(1);
    expect(unreadable).toEqual([
      { file: 'a.ts', reason: 'It is a symbolic link to a file that does not exist.' },
    ]);
  });

  it('leaves out other people’s code, and says so; what is named is read', async () => {
    write('node_modules/x/a.js', `import '${P}';`);
    write('dist/a.js', `import '${P}';`);
    write('.cache/a.js', `import '${P}';`);
    write('a.css', `import '${P}';`);
    symlinkSync(folder, join(folder, 'circle'));
    expect(await report('--check')).toMatchObject({
      changes: [],
      skippedFolders: ['.cache', 'circle', 'dist', 'node_modules'],
    });
    expect((await report('--check', 'dist')).changes).toHaveLength(1);
    expect((await report('--check', 'dist/a.js', 'dist')).changes).toHaveLength(1);
    expect((await migrate('--check')).stderr).toContain('No source file was found.');
  });

  it('says nothing of programs that never used the official SDK', async () => {
    write(
      'a.ts',
      `import 'dd-trace/init';\nif (error.message.includes('Claude Code process exited with code')) x();`,
    );
    expect(await report('--check')).toMatchObject({ code: 0, findings: [] });
  });

  it.each([['nowhere'], ['--check', '--dry-run'], ['--chek']])('takes no %j', async (...args) => {
    const { code, stderr } = await migrate(...args);
    expect(code).toBe(2);
    expect(stderr).toContain('Run "inboard migrate --help" for help.');
  });
});

describe('the names of this package', () => {
  const isExported = createNameLookup((entryPoint) =>
    join(
      PROJECT_ROOT,
      'packages/inboard/src',
      entryPoint === 'inboard' ? 'index.ts' : `${entryPoint.slice('inboard/'.length)}.ts`,
    ),
  );

  it.each([
    ['inboard', 'query', true],
    ['inboard', 'Options', true],
    ['inboard', 'unstable_v2_prompt', false],
    ['inboard', 'default', false],
    ['inboard/core', 'query', true],
    ['inboard/core', 'SessionStore', true],
    // A type there, and no value.
    ['inboard/core', 'listSessions', false],
    ['inboard/sdk-tools', 'BashInput', true],
    ['inboard/nowhere', 'query', undefined],
  ])('%s has %s: %s', (entryPoint, name, expected) => {
    expect(isExported(entryPoint, name)).toBe(expected);
  });
});
