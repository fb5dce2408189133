// `inboard init` on a real file system: what it writes, what it refuses, and what is left when it fails.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFiles } from '../src/init/write-files.js';
import { runCommandLine } from '../src/terminal/command-line.js';
import { StopRequest } from '../src/terminal/terminal.js';
import { NEWEST_VERSION } from '@inboard/core/options/supported-versions.js';
import { readProjectFile } from '../../../test/package/project.js';
import { createFakeTerminal } from './fake-terminal.js';

const { version } = JSON.parse(readProjectFile('package.json')) as { version: string };

let folder: string;
beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-init-')))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function init(...words: string[]) {
  const terminal = createFakeTerminal({ cwd: folder });
  const code = await runCommandLine(['init', ...words], terminal);
  return { code, ...terminal.written() };
}

function list(below = folder): string[] {
  return readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(below.length + 1))
    .sort();
}

function readManifest(name: string) {
  return JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')) as {
    name: string;
    dependencies: Record<string, string>;
  };
}

describe('a new project', () => {
  it('is written in TypeScript, and the one next command is printed', async () => {
    const { code, stdout, stderr } = await init('my-agent');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'cd my-agent && npm install && npm test\n' });
    expect(stderr).toContain('src/tools.ts');
    // This test runs from a checkout, which npm did not install.
    expect(stderr).toContain('If your registry does not have it, give a tarball: --inboard <file>.');
    expect(list(join(folder, 'my-agent'))).toEqual([
      '.gitignore',
      'README.md',
      'package.json',
      'src/agent.ts',
      'src/main.ts',
      'src/model.ts',
      'src/stock.ts',
      'src/tools.ts',
      'test/agent.test.ts',
      'test/tools.test.ts',
      'traces/.gitkeep',
      'tsconfig.json',
    ]);
    expect(readManifest('my-agent')).toMatchObject({
      name: 'my-agent',
      dependencies: { inboard: `^${version}`, '@anthropic-ai/claude-code': NEWEST_VERSION },
    });
  });

  it('is written in JavaScript, into the current folder, under a name of its own', async () => {
    const { code, stdout } = await init('--js', '--name', '@acme/stock-agent');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'npm install && npm test\n' });
    expect(list().filter((path) => path.endsWith('.ts'))).toEqual([]);
    expect(readManifest('.').name).toBe('@acme/stock-agent');
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/^# @acme\/stock-agent\n/);
  });

  it('is a cluster, with what deploys it', async () => {
    const { code, stdout } = await init('my-cluster', '--template', 'cluster');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'cd my-cluster && npm install && npm test\n' });
    const files = list(join(folder, 'my-cluster'));
    expect(files).toEqual(
      expect.arrayContaining(['.dockerignore', '.gitignore', 'Dockerfile', 'src/worker.ts']),
    );
    expect(files).toContain(join('deploy', 'kubernetes', 'remote', 'kustomization.yaml'));
    expect(files.filter((path) => /^(?:git|docker)ignore$/.test(path))).toEqual([]);
    expect(readManifest('my-cluster').name).toBe('my-cluster');
    expect(readFileSync(join(folder, 'my-cluster', 'README.md'), 'utf8')).toContain('/my-cluster:1 .');
  });

  it('is a chat, which says that it needs a newer Node than some have', async () => {
    const real = Object.getOwnPropertyDescriptor(process, 'versions') as PropertyDescriptor;
    const initOn = async (node: string, name: string) => {
      Object.defineProperty(process, 'versions', { ...real, value: { ...process.versions, node } });
      try {
        return await init(name, '--template', 'chat');
      } finally {
        Object.defineProperty(process, 'versions', real);
      }
    };
    const line = 'It needs Node 22.18 or newer, and this is Node 20.20.2: install a newer Node first.';
    expect((await initOn('20.20.2', 'old')).stderr).toContain(`${line}\nNext:\n`);
    expect((await initOn('22.18.0', 'new')).stderr).not.toContain('It needs Node');
    expect(list(join(folder, 'new'))).toEqual(
      expect.arrayContaining(['.dockerignore', 'Dockerfile', 'check-node.js']),
    );
  });

  it('is an agent if that is what --template says', async () => {
    await init('a', '--template', 'agent');
    await init('b', '--template', 'agent', '--js');
    expect(list(join(folder, 'a'))).toContain('src/agent.ts');
    expect(list(join(folder, 'b'))).toContain('src/agent.js');
  });

  it.each([
    ['My Café Agent', 'my-cafe-agent', 'cd "My Café Agent" && npm install && npm test\n'],
    ['.hidden_one', 'hidden_one', 'cd .hidden_one && npm install && npm test\n'],
    ['deep/below/it', 'it', 'cd deep/below/it && npm install && npm test\n'],
    ['$HOME', 'home', "cd '$HOME' && npm install && npm test\n"],
    ["it's $5", 'it-s-5', "cd 'it'\\''s $5' && npm install && npm test\n"],
  ])('in the folder "%s" is named "%s"', async (place, name, next) => {
    expect((await init(place)).stdout).toBe(next);
    expect(readManifest(place).name).toBe(name);
  });

  it('may be in a folder whose name begins with a dash, which "cd" takes for an option', async () => {
    expect((await init('--', '-agent')).stdout).toBe('cd ./-agent && npm install && npm test\n');
  });

  it('installs what --inboard names; the path of a tarball holds from anywhere', async () => {
    writeFileSync(join(folder, 'inboard.tgz'), '');
    await init('a', '--inboard', './inboard.tgz');
    expect(readManifest('a').dependencies['inboard']).toBe(`file:${join(folder, 'inboard.tgz')}`);
    await init('b', '--inboard', '0.1.0-next.2');
    expect(readManifest('b').dependencies['inboard']).toBe('0.1.0-next.2');
  });
});

/** Types each text once the question before it is on the screen. */
async function initAtTerminal(
  words: string[],
  answers: readonly (readonly [question: string, answer: string])[],
  env: Record<string, string> = {},
) {
  const terminal = createFakeTerminal({ cwd: folder, isTTY: true, env });
  const running = runCommandLine(['init', ...words], terminal);
  for (const [question, answer] of answers) {
    await terminal.waitFor(question);
    terminal.stdin.write(`${answer}\n`);
  }
  return { code: await running, ...terminal.written() };
}

const TEMPLATE = ['Template, by name or number (agent): ', ''] as const;
const LANGUAGE = ['TypeScript or JavaScript, ts or js (ts): ', ''] as const;

describe('at a terminal', () => {
  it('the default of each question is an agent in TypeScript in a folder of its own', async () => {
    const { code, stdout } = await initAtTerminal([], [TEMPLATE, LANGUAGE, ['(my-agent): ', '']]);
    expect([code, stdout]).toEqual([0, 'cd my-agent && npm install && npm test\n']);
    expect(list(join(folder, 'my-agent'))).toContain('src/agent.ts');
  });

  it.each([
    ['chat', 'chat', 'page/main.tsx'],
    ['3', 'cluster', 'Dockerfile'],
    [' Tools ', 'tools', 'src/notebook.ts'],
  ])('a template is named or counted: "%s"', async (answer, name, file) => {
    await initAtTerminal(
      [],
      [
        [TEMPLATE[0], answer],
        [`(my-${name}): `, '.'],
      ],
    );
    expect(list()).toContain(join(...file.split('/')));
  });

  it('only what the command line leaves open is asked', async () => {
    const both = await initAtTerminal(['a', '--template', 'tools'], []);
    expect(both).toMatchObject({ code: 0, stdout: 'cd a && npm install && npm test\n' });
    const script = await initAtTerminal(['--js'], [['(my-agent): ', 'b']]);
    expect(script.stderr).not.toMatch(/Template|TypeScript or/);
    expect(list(join(folder, 'b'))).toContain('src/agent.js');
    const named = await initAtTerminal(['c'], [TEMPLATE, LANGUAGE]);
    expect(named.stderr).not.toContain('Folder');
  });

  it.each([
    ['--yes', ['a', '--yes'], {}],
    ['CI', ['a'], { CI: 'true' }],
  ])('nothing is asked with %s', async (_, words, env) => {
    const { code, stderr } = await initAtTerminal(words, [], env);
    expect(code).toBe(0);
    expect(stderr).not.toContain('Template');
  });

  it('a folder that cannot be is asked for again', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { code, stdout, stderr } = await initAtTerminal(
      ['--template', 'tools'],
      [
        ['(my-tools): ', 'con'],
        ['reserves that name for a device. Choose another.\nFolder', 'file'],
        ['exists, but is not a folder.\nFolder', 'inboard'],
        ['installs a package of that name. Give a name with --name.\nFolder', 'mine'],
      ],
    );
    expect(stderr.match(/Folder, /g)).toHaveLength(4);
    expect([code, stdout]).toEqual([0, 'cd mine && npm install && npm test\n']);
  });

  it('what is wrong on the command line is said before anything is asked', async () => {
    for (const words of [['con'], ['--template', 'clusters'], ['--template', 'chat', '--js']]) {
      const { code, stderr } = await initAtTerminal(words, []);
      expect(code).toBe(2);
      expect(stderr).not.toContain('Folder, ');
    }
    expect(list()).toEqual([]);
  });

  it('a person who stops at a question finds nothing', async () => {
    const terminal = createFakeTerminal({ cwd: folder, isTTY: true });
    const running = runCommandLine(['init'], terminal);
    await terminal.waitFor(TEMPLATE[0]);
    terminal.stop(new StopRequest('SIGINT'));
    expect(await running).toBe(130);
    expect(terminal.written().stderr).toMatch(/\nNothing was written\.\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('an input that ends before the last answer writes nothing', async () => {
    const terminal = createFakeTerminal({ cwd: folder, isTTY: true });
    const running = runCommandLine(['init'], terminal);
    await terminal.waitFor(TEMPLATE[0]);
    terminal.stdin.end();
    expect(await running).toBe(1);
    expect(terminal.written().stderr).toContain('With --yes, nothing is asked.');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a folder that is there', () => {
  it('keeps everything in it, and gets nothing when one file is in the way', async () => {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'tools.ts'), 'mine');
    writeFileSync(join(folder, 'package.json'), '{ "name": "mine" }');
    const { code, stdout, stderr } = await init();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`Nothing was written: ${folder} already has package.json, src/tools.ts.`);
    expect(stderr).toContain('"npm install inboard @anthropic-ai/claude-code"');
    expect(list()).toEqual(['package.json', 'src/tools.ts']);
    expect(readFileSync(join(folder, 'src', 'tools.ts'), 'utf8')).toBe('mine');
  });

  it('may hold files that are not in the way', async () => {
    writeFileSync(join(folder, 'LICENSE'), 'mine');
    mkdirSync(join(folder, 'src'));
    expect((await init()).code).toBe(0);
    expect(list()).toContain('LICENSE');
  });

  it('is completed where an earlier run was killed', async () => {
    await init('a');
    const whole = list();
    rmSync(join(folder, 'a', 'package.json'));
    rmSync(join(folder, 'a', 'src', 'main.ts'));
    const { code, stderr } = await init('a');
    expect(code).toBe(0);
    expect(stderr).toContain('2 files written');
    expect(list()).toEqual(whole);
  });

  it('is not written through a link, nor over one that leads nowhere', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(join(folder, 'a'));
    symlinkSync(elsewhere, join(folder, 'a', 'src'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'a', 'README.md'));
    const { code, stderr } = await init('a');
    expect(code).toBe(1);
    expect(stderr).toContain('already has README.md, src.');
    expect(list(elsewhere)).toEqual([]);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
});

describe('what cannot be done', () => {
  it.each([
    [['con'], /"con": Windows reserves that name for a device/],
    [['sub/LPT1.agent'], /"LPT1.agent": Windows reserves/],
    [['what?'], /"what\?": Windows does not allow <>/],
    [['agent.'], /"agent\.": Windows removes a dot/],
    [['inboard'], /after the folder "inboard": the project installs a package of that name/],
    [['日本'], /after the folder "日本": it has no character that is allowed\. Give a name with --name/],
    [[''], /The name of the folder is empty/],
    [['a', '--name', 'My Agent'], /"My Agent" cannot be the name of a package: only lowercase letters/],
    [['a', '--name', '_agent'], /"_agent" cannot be the name/],
    [['a', '--name', 'node_modules'], /npm does not allow it/],
    [['a', '--name', 'x'.repeat(215)], /more than 214 characters/],
    [['a', '--inboard', './missing.tgz'], /missing\.tgz, which does not exist/],
    [['a', '--inboard', 'two words'], /--inboard takes a version/],
    [
      ['a', '--template', 'clusters'],
      /no template "clusters"\. The templates are: agent, chat, cluster, tools\./,
    ],
    [['a', '--template', 'cluster', '--js'], /"cluster" is TypeScript only: leave out --js/],
    [['a', '--template', 'cluster', '--name', 'pg'], /the project installs a package of that name/],
    [['-dash'], /no option "-d"\. If it is an argument, put it after "--"/],
    [['a', 'b'], /takes at most 1 argument/],
  ])('%j is wrong usage, and writes nothing', async (words, message) => {
    const { code, stdout, stderr } = await init(...words);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(list()).toEqual([]);
  });

  it('a file in place of the folder, or on the way to it, is named', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect((await init('file')).stderr).toContain('exists, but is not a folder');
    const below = await init('file/agent');
    expect(below.code).toBe(1);
    expect(below.stderr).toContain(join(folder, 'file', 'agent'));
    expect(below.stderr).not.toContain('    at ');
  });

  // root may write to every folder but those that the kernel makes up.
  it.runIf(process.platform === 'linux')('a folder that cannot be written to is named', async () => {
    const { code, stderr } = await init('/proc/self/agent');
    expect(code).toBe(1);
    expect(stderr).toMatch(/\/proc\/self\/agent was not written: .*Nothing was left behind\./);
  });

  it('a disk that fails halfway leaves nothing', async () => {
    // A name longer than file systems take.
    const files = [
      { path: 'src/a.ts', content: 'a' },
      { path: `src/deep/${'x'.repeat(300)}`, content: 'b' },
    ];
    const target = join(folder, 'new', 'project');
    const failing = writeFiles(target, files, new AbortController().signal);
    await expect(failing).rejects.toMatchObject({ message: expect.stringMatching(/ENAMETOOLONG/) as string });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('what came in between is not overwritten, and the rest is undone', async () => {
    let reads = 0;
    const path = join(folder, 'b.txt');
    const late = {
      path: 'b.txt',
      // Another process creates the file after the check and before it is written.
      get content() {
        if ((reads += 1) === 1) writeFileSync(path, 'theirs');
        return 'ours';
      },
    };
    const writing = writeFiles(folder, [{ path: 'a.txt', content: 'a' }, late], new AbortController().signal);
    await expect(writing).rejects.toMatchObject({ code: 'NOT_WRITTEN' });
    expect(readdirSync(folder)).toEqual(['b.txt']);
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });

  it('a user who stops it finds nothing, and is told so', async () => {
    const terminal = createFakeTerminal({ cwd: folder });
    const running = runCommandLine(['init', 'a'], terminal);
    terminal.stop(new StopRequest('SIGINT'));
    expect(await running).toBe(130);
    expect(terminal.written().stderr).toContain('nothing was left behind in');
    expect(readdirSync(folder)).toEqual([]);
  });
});
