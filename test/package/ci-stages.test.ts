// .ci/run, which runs all stages of .ci/stages or those that are named. A whole run takes half an hour: here it runs in a copy of its
// folder, with stages, an npm and a package of the test's own.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from './project.js';

interface Stage {
  kind: string;
  name: string;
  title: string;
  command: string;
}

const { scripts } = JSON.parse(readProjectFile('package.json')) as { scripts: Record<string, string> };
const stages = [
  ...readProjectFile('.ci/stages').matchAll(
    /^(?<kind>[a-z+]+) +\d+ (?<name>\S+) +"(?<title>[^"]+)" +(?<command>.+)$/gm,
  ),
].map(({ groups }) => groups as unknown as Stage);
const names = stages.map(({ name }) => name);

/** The project's own files that a command runs, through scripts of package.json, too. */
function listFiles(command: string): string[] {
  const own = [...command.matchAll(/(?:scripts|bench)\/[\w-]+\.mjs/g)].map(([path]) => path);
  const named = [...command.matchAll(/npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name);
  const [, checks] = /run-checks\.mjs (.+)$/.exec(command) ?? [];
  const called = [...named, ...(checks?.split(' ') ?? [])];
  return [...own, ...called.flatMap((name) => listFiles(scripts[name] ?? ''))];
}

/** A file of JavaScript, and all that it imports from the project. */
function listImported(path: string, found = new Set<string>()): Set<string> {
  if (found.has(path) || !existsSync(join(PROJECT_ROOT, path))) return found;
  found.add(path);
  for (const [, target = ''] of readProjectFile(path).matchAll(/from '(\.[^']+\.mjs)'/g))
    listImported(join(dirname(path), target), found);
  return found;
}

function choose(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(PROJECT_ROOT, '.ci', 'choose-stages.mjs'), ...words], {
    encoding: 'utf8',
  });
}

describe('the stages', () => {
  it('are all read, and have a name each', () => {
    const lines = readProjectFile('.ci/stages')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(stages).toHaveLength(lines.length);
    expect(new Set(names).size).toBe(stages.length);
  });

  it('are checked by scripts that there are', () => {
    const [, called = ''] = /^node scripts\/run-checks\.mjs (.+)$/.exec(scripts['check'] ?? '') ?? [];
    expect(called.split(' ').filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(stages)('$name calls only what there is', ({ command }) => {
    const called = [...command.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    for (const name of called) expect(Object.keys(scripts)).toContain(name);
    for (const path of listFiles(command)) expect(existsSync(join(PROJECT_ROOT, path)), path).toBe(true);
  });

  it.each(stages)('$name gets the packed package if and only if it would pack one', ({ kind, command }) => {
    const imported = listFiles(command).flatMap((path) => [...listImported(path)]);
    expect(kind.endsWith('+packed')).toBe(imported.includes('scripts/support/pack-package.mjs'));
  });

  it('are each in one job of the workflow', () => {
    const [, list = ''] =
      /\n {8}stages:\n((?: {10}- .+\n)+)/.exec(readProjectFile('.github/workflows/ci.yml')) ?? [];
    const jobs = list.split('\n').flatMap((line) => line.trim().split(' ').slice(1));
    expect(jobs.toSorted()).toEqual(names.toSorted());
  });
});

describe('the choice', () => {
  it('is all of them, or those named, in the order of the file and once each', () => {
    expect(choose().stdout.trim().split('\n')).toEqual(names);
    expect(choose('types', 'docs', 'types').stdout).toBe('docs\ntypes\n');
  });

  it('names the nearest for a name that is none, and all that are wrong', () => {
    const { status, stdout, stderr } = choose('docs', 'chekc', 'tarball', '--lst');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('There is no stage "chekc". The nearest names: check,');
    expect(stderr).toContain('There is no stage "tarball". The nearest names: package,');
    expect(stderr).toContain('There is no option "--lst".');
    expect(stderr).toContain('.ci/run --list');
  });
});

// It needs bash and the tools of Linux, as CI does.
describe.runIf(process.platform === 'linux')('.ci/run', () => {
  let root: string;

  function write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode });
  }

  function run(...words: string[]): {
    status: number | null;
    stdout: string;
    stderr: string;
    done: string[];
  } {
    const PATH = `${join(root, 'bin')}:${process.env['PATH']}`;
    const env = { ...process.env, PATH, DONE: join(root, 'done'), INBOARD_TARBALL: '/of/the/caller.tgz' };
    const { status, stdout, stderr } = spawnSync('bash', [join(root, '.ci', 'run'), ...words], {
      env,
      encoding: 'utf8',
    });
    const noted = existsSync(env.DONE) ? readFileSync(env.DONE, 'utf8').trim().split('\n') : [];
    return { status, stdout, stderr, done: noted.map((line) => line.replace(/\S+\/packed\//, '')) };
  }

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'inboard-ci-'));
    cpSync(join(PROJECT_ROOT, '.ci'), join(root, '.ci'), { recursive: true });
    const builtFrom = 'scripts/support/built-from.mjs';
    write(builtFrom, readProjectFile(builtFrom));
    write(
      'bin/npm',
      '#!/bin/sh\n[ "$1" = --version ] || echo "npm $*" >>"$DONE"\n[ "$1" != "$NPM_FAILS" ]\n',
      0o755,
    );
    write('scripts/note.mjs', NOTE);
    write('scripts/pack.mjs', PACK);
    write('.ci/stages', STAGES);
  });

  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('lists the stages, and runs none', () => {
    const { status, stdout, done } = run('--list');
    expect({ status, done }).toEqual({ status: 0, done: [] });
    expect(stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'check',
      'plain',
      'first',
      'second',
      'bad',
      '',
    ]);
  });

  it('refuses a stage that is none before it does anything', () => {
    const { status, stdout, stderr, done } = run('plain', 'secnod');
    expect({ status, stdout, done }).toEqual({ status: 2, stdout: '', done: [] });
    expect(stderr).toContain('There is no stage "secnod". The nearest names: second,');
  });

  it('installs and packs once for the stages named, and hands the tarball to those that take it', () => {
    const { status, stdout, done } = run('second', 'first', 'plain');
    expect(done).toEqual([
      'npm ci',
      'pack',
      'note --install, inboard.tgz',
      'note plain, no tarball',
      'note first, inboard.tgz',
      'note, inboard.tgz',
    ]);
    expect(stdout).toMatch(/^6 passed, 0 failed, \d+ s in all$/m);
    expect(status).toBe(0);
  });

  it('packs nothing where no stage takes it', () => {
    expect(run('plain').done).toEqual(['npm ci', 'note plain, no tarball']);
  });

  it('runs all without a name, installs beside the check, and counts what failed', () => {
    const { status, stdout, done } = run();
    expect(done.slice(0, 2)).toEqual(['npm ci', 'pack']);
    expect(done.slice(2, 4).toSorted()).toEqual(['note --install, inboard.tgz', 'note check, inboard.tgz']);
    expect(done.slice(4)).toEqual([
      'note plain, no tarball',
      'note first, inboard.tgz',
      'note, inboard.tgz',
      'note bad, no tarball',
    ]);
    expect(stdout).toMatch(/^the bad stage +ran: failed \(1\)/m);
    expect(stdout).toMatch(/^7 passed, 1 failed, \d+ s in all$/m);
    expect(status).toBe(1);
  });

  it('installs for two stages at once', () => {
    write('scripts/meet.mjs', MEET);
    const call = (name: string, other: string): string =>
      `import { meet } from './meet.mjs';\nawait meet('${name}', '${other}');\n`;
    write('scripts/one.mjs', call('one', 'other'));
    write('scripts/other.mjs', call('other', 'one'));
    // One that needs nobody.
    write('scripts/third.mjs', call('third', 'third'));
    write('.ci/stages', MEETING_STAGES);
    const { status, stdout, done } = run('one', 'other', 'third');
    expect(done.toSorted()).toEqual([
      'met one',
      'met other',
      'met third',
      'npm ci',
      'ran one',
      'ran other',
      'ran third',
    ]);
    expect(stdout).toMatch(/^7 passed, 0 failed, /m);
    expect(status).toBe(0);
  });

  it('says of each stage that it did not run where the install failed', () => {
    process.env['NPM_FAILS'] = 'ci';
    try {
      const { status, stdout, done } = run('plain', 'first');
      expect({ status, done }).toEqual({ status: 1, done: ['npm ci', 'npm ci'] });
      expect(stdout).toMatch(/^the plain stage +not run +- {2}the install or the build failed$/m);
      expect(stdout).toMatch(/^0 passed, 1 failed, /m);
    } finally {
      delete process.env['NPM_FAILS'];
    }
  });
});

const STAGES = `# A comment.
plain+packed     30 check  "the check"        node scripts/note.mjs check
plain            30 plain  "the plain stage"  node scripts/note.mjs plain
offline+packed   30 first  "the first stage"  .ci/run-each "node scripts/note.mjs first"
installed+packed 30 second "the second stage" scripts/note.mjs
plain            30 bad    "the bad stage"    .ci/run-each false "node scripts/note.mjs bad"
`;

const NOTE = `import { appendFileSync } from 'node:fs';
const words = ['note', ...process.argv.slice(2)].join(' ');
appendFileSync(process.env.DONE, words + ', ' + (process.env.INBOARD_TARBALL ?? 'no tarball') + '\\n');
`;

const PACK = `import { appendFileSync, writeFileSync } from 'node:fs';
writeFileSync(process.argv[3] + '/inboard.tgz', '');
appendFileSync(process.env.DONE, 'pack\\n');
`;

const MEETING_STAGES = `installed 30 one   "one"       scripts/one.mjs
installed 30 other "the other" scripts/other.mjs
installed 30 third "the third" scripts/third.mjs
`;

// Its install ends when the one of the other stage has begun, or fails.
const MEET = `import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
export async function meet(name, other) {
  const place = (of) => process.env.DONE + '-' + of;
  if (!process.argv.includes('--install')) return appendFileSync(process.env.DONE, 'ran ' + name + '\\n');
  writeFileSync(place(name), '');
  for (let tries = 0; !existsSync(place(other)); tries += 1) {
    if (tries > 200) throw new Error(other + ' was not installed beside ' + name);
    await pause(50);
  }
  appendFileSync(process.env.DONE, 'met ' + name + '\\n');
}
`;
