import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExecutableNotFoundError, InboardError, LaunchError } from '../../../src/errors.js';
import { findExecutable, findIgnoredCli } from '../../../src/wire/process/find/find-executable.js';
import type { ExecutableSearch } from '../../../src/wire/process/find/find-executable.js';
import {
  createElfHead,
  createFakeSystem,
  createMachHead,
  createPortableHead,
  PROGRAM_SIZE,
} from '../../../../../test/support/fake-operating-system.js';
import type {
  FakeFile,
  FakeSystem,
  FakeSystemOptions,
} from '../../../../../test/support/fake-operating-system.js';

const GLIBC_LOADER = '/lib64/ld-linux-x86-64.so.2';
const MUSL_LOADER = '/lib/ld-musl-x86_64.so.1';
const ELF: FakeFile = { bytes: createElfHead('x64', GLIBC_LOADER), size: PROGRAM_SIZE };
const MUSL_ELF: FakeFile = { bytes: createElfHead('x64', MUSL_LOADER), size: PROGRAM_SIZE };
const EXE: FakeFile = { bytes: createPortableHead('x64'), size: PROGRAM_SIZE };
const STUB: FakeFile = { text: 'echo not installed', size: 500 };

function packageJson(name: string, version = '2.1.325'): FakeFile {
  return { text: JSON.stringify({ name, version }) };
}

function linux(files: Record<string, FakeFile>, more: Partial<FakeSystemOptions> = {}): FakeSystem {
  const loader = more.isMusl ? MUSL_LOADER : GLIBC_LOADER;
  return createFakeSystem({ platform: 'linux', cwd: '/app', files: { [loader]: {}, ...files }, ...more });
}

function find(os: FakeSystem, search: Partial<ExecutableSearch> = {}) {
  return findExecutable({
    env: { PATH: '/usr/bin' },
    startFolder: '/start dir',
    packagesFrom: ['/app'],
    os,
    ...search,
  });
}

function findError(os: FakeSystem, search: Partial<ExecutableSearch> = {}): InboardError {
  try {
    find(os, search);
  } catch (error) {
    if (error instanceof InboardError) return error;
    throw error;
  }
  throw new Error('It was found');
}

const NATIVE = '/app/node_modules/@anthropic-ai/claude-code-linux-x64/claude';

describe('the order of places', () => {
  const everywhere = linux({
    '/opt/a': ELF,
    '/opt/b': ELF,
    [NATIVE]: ELF,
    '/usr/bin/claude': ELF,
  });
  const env = { PATH: '/usr/bin', INBOARD_CLI: '/opt/b' };

  it('takes the option first, then INBOARD_CLI, then a package, then PATH', () => {
    expect(find(everywhere, { explicit: '/opt/a', env })).toEqual({
      path: '/opt/a',
      kind: 'native',
      source: 'option',
    });
    expect(find(everywhere, { env })).toMatchObject({ path: '/opt/b', source: 'environment' });
    expect(find(everywhere)).toMatchObject({ path: NATIVE, source: 'package' });
    expect(find(everywhere, { packagesFrom: ['/nowhere'] })).toMatchObject({
      path: '/usr/bin/claude',
      source: 'path',
    });
  });

  it('does not take a program out of the folder it was started in, says so, and how to name it', () => {
    const planted = '/start dir/node_modules/@anthropic-ai/claude-code-linux-x64/claude';
    const os = linux({ [planted]: ELF }, { cwd: '/start dir' });
    for (const startFolder of ['/start dir', '/start dir/deep/er']) {
      const error = findError(os, { packagesFrom: undefined, startFolder });
      expect(error.code).toBe('EXECUTABLE_NOT_FOUND');
      expect(error.message).toContain(`The CLI at ${planted} is not used`);
    }
    expect(find(os, { explicit: './node_modules/@anthropic-ai/claude-code-linux-x64/claude' }).path).toBe(
      planted,
    );
    const withPath = linux({ [planted]: ELF, '/usr/bin/claude': ELF });
    const search = { env: { PATH: '/usr/bin' }, packagesFrom: [], startFolder: '/start dir', os: withPath };
    expect(findExecutable(search).path).toBe('/usr/bin/claude');
    expect(findIgnoredCli(search)).toBe(planted);
    // Where this package or the running program is installed, nothing is ignored.
    expect(
      findIgnoredCli({ ...search, packagesFrom: ['/start dir/node_modules/inboard/dist'] }),
    ).toBeUndefined();
    expect(findIgnoredCli({ ...search, packagesFrom: ['/start dir/src'] })).toBeUndefined();
    expect(findIgnoredCli({ ...search, startFolder: '/elsewhere' })).toBeUndefined();
    expect(findError(os, { env: { PATH: ':.:bin' } }).code).toBe('EXECUTABLE_NOT_FOUND');
  });

  it('uses the INBOARD_CLI of the host when the given environment has none', () => {
    const files = { '/opt/a': ELF, '/opt/b': ELF, [NATIVE]: ELF };
    const os = linux(files, { env: { INBOARD_CLI: '/opt/a' } });
    expect(find(os, { env: { HOME: '/h' } })).toMatchObject({ path: '/opt/a', source: 'environment' });
    expect(find(os, { env: { INBOARD_CLI: '/opt/b' } })).toMatchObject({ path: '/opt/b' });
    // An empty one says that none is wanted.
    expect(find(os, { env: { INBOARD_CLI: '' } })).toMatchObject({ path: NATIVE, source: 'package' });
  });

  it('uses the PATH of the host when the given environment has none', () => {
    const os = linux({ '/host/bin/claude': ELF }, { env: { PATH: '/host/bin' } });
    expect(find(os, { env: {} })).toMatchObject({ path: '/host/bin/claude' });
    expect(findError(os, { env: { PATH: '/usr/bin' } }).code).toBe('EXECUTABLE_NOT_FOUND');
  });
});

describe('an installed package', () => {
  it('is looked for in every folder upwards, the nearest first', () => {
    const far = '/node_modules/@anthropic-ai/claude-code-linux-x64/claude';
    expect(find(linux({ [far]: ELF }), { packagesFrom: ['/app/deep/er'] }).path).toBe(far);
    const both = linux({
      [far]: ELF,
      '/app/node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude': ELF,
    });
    expect(find(both).path).toBe('/app/node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude');
  });

  it('is found where pnpm keeps it, beside the real folder of the main package', () => {
    const store = '/app/node_modules/.pnpm/c@1/node_modules/@anthropic-ai';
    const os = linux({
      '/app/node_modules/@anthropic-ai/claude-code': { link: `${store}/claude-code` },
      [`${store}/claude-code/package.json`]: packageJson('@anthropic-ai/claude-code'),
      [`${store}/claude-code-linux-x64/claude`]: ELF,
    });
    expect(find(os).path).toBe(`${store}/claude-code-linux-x64/claude`);
  });

  it('is the script of old versions when there is no native one', () => {
    const os = linux({
      '/app/node_modules/@anthropic-ai/claude-code/cli.js': { text: '#!/usr/bin/env node' },
      '/app/node_modules/@anthropic-ai/claude-code/package.json': packageJson(
        '@anthropic-ai/claude-code',
        '2.1.33',
      ),
    });
    expect(find(os)).toEqual({
      path: '/app/node_modules/@anthropic-ai/claude-code/cli.js',
      kind: 'script',
      source: 'package',
      version: '2.1.33',
    });
  });

  it('is never the placeholder, but the file that replaced it', () => {
    const place = '/app/node_modules/@anthropic-ai/claude-code';
    const files = { [`${place}/package.json`]: packageJson('@anthropic-ai/claude-code') };
    const error = findError(linux({ ...files, [`${place}/bin/claude.exe`]: STUB }));
    expect(error).toBeInstanceOf(ExecutableNotFoundError);
    expect(error.message).toContain('placeholder of 500 bytes');
    expect(find(linux({ ...files, [`${place}/bin/claude.exe`]: ELF })).path).toBe(`${place}/bin/claude.exe`);
  });

  it('is found beside a placeholder on PATH or given as the option', () => {
    const scope = '/usr/lib/node_modules/@anthropic-ai';
    const os = linux({
      '/usr/bin/claude': { link: `${scope}/claude-code/bin/claude.exe` },
      [`${scope}/claude-code/bin/claude.exe`]: STUB,
      [`${scope}/claude-code/package.json`]: packageJson('@anthropic-ai/claude-code'),
      [`${scope}/claude-code-linux-x64/claude`]: ELF,
    });
    const real = `${scope}/claude-code-linux-x64/claude`;
    expect(find(os)).toMatchObject({ path: real, source: 'path' });
    expect(find(os, { explicit: '/usr/bin/claude' })).toMatchObject({ path: real, source: 'option' });
  });

  it('beside a placeholder is the first that can be started', () => {
    const scope = '/usr/lib/node_modules/@anthropic-ai';
    const os = linux({
      [`${scope}/claude-code/bin/claude.exe`]: STUB,
      [`${scope}/claude-code/package.json`]: packageJson('@anthropic-ai/claude-code'),
      [`${scope}/claude-code-linux-x64/claude`]: { ...ELF, isExecutable: false },
      [`${scope}/claude-agent-sdk-linux-x64/claude`]: ELF,
    });
    expect(find(os, { explicit: `${scope}/claude-code/bin/claude.exe` })).toMatchObject({
      path: `${scope}/claude-agent-sdk-linux-x64/claude`,
      kind: 'native',
    });
  });

  it('takes the place of nothing but a placeholder', () => {
    const place = '/app/node_modules/@anthropic-ai/claude-code/bin';
    const os = linux({
      [NATIVE]: ELF,
      [`${place}/own`]: ELF,
      [`${place}/locked`]: { ...ELF, isExecutable: false },
      [`${place}/foreign`]: EXE,
    });
    expect(find(os, { explicit: `${place}/own` }).path).toBe(`${place}/own`);
    expect(findError(os, { explicit: `${place}/gone` }).code).toBe('EXECUTABLE_NOT_FOUND');
    expect(findError(os, { explicit: `${place}/locked` }).code).toBe('EXECUTABLE_NOT_PERMITTED');
    expect(findError(os, { explicit: `${place}/foreign` }).code).toBe('WRONG_PLATFORM');
  });

  it('is found where npm nests it, inside the main package', () => {
    const nested = '/app/node_modules/@anthropic-ai/claude-code/node_modules/@anthropic-ai';
    const path = `${nested}/claude-code-linux-x64/claude`;
    expect(find(linux({ [path]: ELF })).path).toBe(path);
  });

  it('is the build for this libc, and the other only where its loader is', () => {
    const files = { [NATIVE]: ELF, [NATIVE.replace('x64/', 'x64-musl/')]: MUSL_ELF };
    expect(find(linux(files)).path).toBe(NATIVE);
    expect(find(linux(files, { isMusl: true })).path).toBe(NATIVE.replace('x64/', 'x64-musl/'));
    const onlyMusl = findError(linux({ [NATIVE.replace('x64/', 'x64-musl/')]: MUSL_ELF }));
    expect(onlyMusl.message).toContain(`is built for musl and needs the loader ${MUSL_LOADER}`);
  });

  it('installed for other systems only is named in the error', () => {
    const error = findError(
      linux({
        '/app/node_modules/@anthropic-ai/claude-code-darwin-arm64/claude': { bytes: createMachHead('arm64') },
      }),
    );
    expect(error.message).toContain('Was node_modules copied from another machine?');
    expect(error.message).toContain('claude-code-darwin-arm64');
    const own = findError(linux({ [NATIVE]: { ...ELF, isExecutable: false } }));
    expect(own.message).toContain(`${NATIVE} (has no execute permission`);
    expect(own.message).not.toContain('copied');
  });

  it('inside an Electron archive is taken from beside the archive', () => {
    const unpacked = '/x/app.asar.unpacked/node_modules/@anthropic-ai/claude-code-linux-x64/claude';
    const inside = unpacked.replace('.unpacked', '');
    expect(find(linux({ [inside]: ELF, [unpacked]: ELF }), { packagesFrom: ['/x/app.asar/dist'] }).path).toBe(
      unpacked,
    );
    const error = findError(linux({ [inside]: ELF }), { explicit: inside });
    expect(error.message).toContain('asarUnpack');
  });
});

describe('a file named by the caller', () => {
  it('is relative to the folder the program was started in, as INBOARD_CLI is', () => {
    const os = linux({ '/start dir/tools/claude': ELF, '/start dir/cli.mjs': {} });
    expect(find(os, { explicit: './tools/claude' }).path).toBe('/start dir/tools/claude');
    expect(find(os, { explicit: 'cli.mjs' })).toMatchObject({ path: '/start dir/cli.mjs', kind: 'script' });
    expect(find(os, { env: { INBOARD_CLI: 'tools/claude' } }).path).toBe('/start dir/tools/claude');
    expect(findError(os, { env: { INBOARD_CLI: 'tools/claude' }, startFolder: '/other' }).message).toContain(
      '/other/tools/claude',
    );
  });

  it('is looked up on PATH when it is a bare name', () => {
    const os = linux({ '/usr/bin/my-claude': ELF });
    expect(find(os, { explicit: 'my-claude' })).toMatchObject({
      path: '/usr/bin/my-claude',
      source: 'option',
    });
    const error = findError(os, { explicit: 'other' });
    expect(error.message).toContain('"./other"');
    expect((error as ExecutableNotFoundError).tried).toEqual(['/usr/bin/other']);
  });

  it.each(['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'jsx', 'tsx'])(
    'is a script when it ends in .%s',
    (extension) => {
      const os = linux({ [`/opt/cli.${extension}`]: { isExecutable: false } });
      expect(find(os, { explicit: `/opt/cli.${extension}` }).kind).toBe('script');
    },
  );

  it('is a script when it links to one', () => {
    const os = linux({
      '/usr/bin/claude': { link: '/lib/cli.js' },
      '/lib/cli.js': { text: '#!/usr/bin/env node' },
    });
    expect(find(os)).toMatchObject({ path: '/lib/cli.js', kind: 'script' });
  });

  it('keeps its own name when that is the name of a script, wherever it links to', () => {
    const os = linux({
      '/opt/cli.js': { link: '/store/0f3a' },
      '/store/0f3a': { text: '#!/usr/bin/env node' },
      '/opt/other.js': { link: '/store/real.mjs' },
      '/store/real.mjs': {},
    });
    for (const path of ['/opt/cli.js', '/opt/other.js'])
      expect(find(os, { explicit: path })).toMatchObject({ path, kind: 'script' });
  });

  it('may be a small wrapper of the user', () => {
    const os = linux({ '/opt/wrapper': { text: '#!/bin/sh\nexec claude "$@"' } });
    expect(find(os, { explicit: '/opt/wrapper' })).toEqual({
      path: '/opt/wrapper',
      kind: 'native',
      source: 'option',
    });
  });

  const refusals: Array<[string, FakeFile | undefined, string, string]> = [
    ['is missing', undefined, 'EXECUTABLE_NOT_FOUND', 'does not exist'],
    ['has no execute permission', { ...ELF, isExecutable: false }, 'EXECUTABLE_NOT_PERMITTED', 'chmod +x'],
    ['is for macOS', { bytes: createMachHead('arm64') }, 'WRONG_PLATFORM', 'a program for macOS'],
    ['is for Windows', EXE, 'WRONG_PLATFORM', 'a program for Windows'],
    ['is for another processor', { bytes: createElfHead('arm64') }, 'WRONG_PLATFORM', 'built for arm64'],
    ['is for musl', MUSL_ELF, 'WRONG_PLATFORM', 'built for musl'],
  ];
  it.each(refusals)('is refused at once when it %s', (_, file, code, text) => {
    const os = linux(file ? { '/opt/claude': file } : {});
    const error = findError(os, { explicit: '/opt/claude' });
    expect(error.code).toBe(code);
    expect(error.message).toContain('The option "pathToClaudeCodeExecutable" names /opt/claude, which');
    expect(error.message).toContain(text);
    expect(error).toBeInstanceOf(code === 'EXECUTABLE_NOT_FOUND' ? ExecutableNotFoundError : LaunchError);
    expect(error.phase).toBe('launch');
    if (error instanceof ExecutableNotFoundError) expect(error.tried).toEqual(['/opt/claude']);
    const fromVariable = findError(os, { env: { INBOARD_CLI: '/opt/claude' } });
    expect(fromVariable.message).toContain('The environment variable INBOARD_CLI names /opt/claude');
  });

  it('is refused when it is a directory, an unreadable script, or nothing', () => {
    expect(findError(linux({ '/opt/claude/x': ELF }), { explicit: '/opt/claude' }).message).toContain(
      'is a directory',
    );
    const unreadable = linux({ '/opt/cli.js': { isReadable: false } });
    expect(findError(unreadable, { explicit: '/opt/cli.js' }).code).toBe('EXECUTABLE_NOT_PERMITTED');
    expect(findError(linux({}), { explicit: '' }).message).toContain('an empty string');
    expect(findError(linux({}), { explicit: '~/claude' }).message).toContain('"~" is not expanded');
  });

  it('is taken as it is when it runs elsewhere', () => {
    const os = linux({});
    expect(find(os, { explicit: 'in/container', elsewhere: true })).toEqual({
      path: 'in/container',
      kind: 'native',
      source: 'option',
    });
    expect(find(os, { elsewhere: true })).toEqual({ path: 'claude', kind: 'native', source: 'path' });
    expect(find(linux({ [NATIVE]: ELF }), { elsewhere: true }).path).toBe(NATIVE);
  });
});

describe('the version by place', () => {
  it.each([
    ['@anthropic-ai/claude-code-linux-x64', '2.1.325', '2.1.325'],
    ['@anthropic-ai/claude-agent-sdk-linux-x64', '0.3.300', '2.1.300'],
    ['@anthropic-ai/claude-agent-sdk-linux-x64', '1.0.0', undefined],
    ['somebody/else', '9.9.9', undefined],
  ])('of %s %s is %s', (name, version, expected) => {
    const os = linux({
      [NATIVE]: ELF,
      [NATIVE.replace(/claude$/, 'package.json')]: packageJson(name, version),
    });
    expect(find(os).version).toBe(expected);
  });

  it('is read up to three folders above the file, and from an install path', () => {
    const os = linux({
      '/p/package.json': packageJson('@anthropic-ai/claude-code', '2.1.7'),
      '/p/a/b/c/claude': ELF,
      '/p/a/b/c/d/claude': ELF,
      '/home/u/.local/bin/claude': { link: '/home/u/.local/share/claude/versions/2.1.200' },
      '/home/u/.local/share/claude/versions/2.1.200': ELF,
    });
    expect(find(os, { explicit: '/p/a/b/c/claude' }).version).toBe('2.1.7');
    expect(find(os, { explicit: '/p/a/b/c/d/claude' }).version).toBeUndefined();
    expect(find(os, { explicit: '/home/u/.local/bin/claude' }).version).toBe('2.1.200');
  });
});

describe('nothing found', () => {
  it('lists every place tried and says what to do', () => {
    const os = linux({ '/app/node_modules/@anthropic-ai/claude-code/README.md': {} });
    const error = findError(os, { env: { PATH: '/usr/bin:/bin' } }) as ExecutableNotFoundError;
    expect(error).toBeInstanceOf(ExecutableNotFoundError);
    expect(error.errorClass).toBe('executable_not_found');
    expect(error.tried).toContain(NATIVE);
    expect(error.tried).toContain('/app/node_modules/@anthropic-ai/claude-code/cli.js');
    expect(error.tried.slice(-2)).toEqual(['/usr/bin/claude', '/bin/claude']);
    for (const line of error.tried) expect(error.message).toContain(line);
    expect(error.message).toContain('npm install @anthropic-ai/claude-code');
    expect(error.message).toContain('INBOARD_CLI');
  });

  it('says so for a folder without packages', () => {
    expect((findError(linux({})) as ExecutableNotFoundError).tried[0]).toBe(
      '/app/node_modules and those in the folders above',
    );
  });
});

describe('on a second call', () => {
  it('reads no file content again, and notices a change', () => {
    const os = linux({ [NATIVE]: ELF });
    find(os);
    const readsBefore = os.readCount();
    expect(find(os).path).toBe(NATIVE);
    expect(os.readCount()).toBe(readsBefore);
    os.files.set(NATIVE, { bytes: createMachHead('x64'), size: 5 * 1024 * 1024 });
    expect(findError(os).code).toBe('EXECUTABLE_NOT_FOUND');
  });
});

describe('on macOS', () => {
  const scope = '/app/node_modules/@anthropic-ai';
  it('takes the own build, and the x64 one through Rosetta', () => {
    const files = {
      [`${scope}/claude-code-darwin-arm64/claude`]: { bytes: createMachHead('arm64'), size: PROGRAM_SIZE },
      [`${scope}/claude-code-darwin-x64/claude`]: { bytes: createMachHead('x64'), size: PROGRAM_SIZE },
    };
    const os = createFakeSystem({ platform: 'darwin', arch: 'arm64', files });
    expect(find(os).path).toBe(`${scope}/claude-code-darwin-arm64/claude`);
    os.files.delete(`${scope}/claude-code-darwin-arm64/claude`);
    expect(find(os).path).toBe(`${scope}/claude-code-darwin-x64/claude`);
  });

  it('refuses a Linux program', () => {
    const os = createFakeSystem({ platform: 'darwin', arch: 'arm64', files: { '/opt/claude': ELF } });
    expect(findError(os, { explicit: '/opt/claude' }).code).toBe('WRONG_PLATFORM');
  });
});

describe('on Windows', () => {
  const npm = 'C:\\Users\\u\\npm';
  const search: Partial<ExecutableSearch> = {
    packagesFrom: ['C:\\app'],
    startFolder: 'C:\\w',
    env: { Path: npm },
  };
  const windows = (files: Record<string, FakeFile>) => createFakeSystem({ platform: 'win32', files });
  const target = `${npm}\\node_modules\\@anthropic-ai\\claude-code\\cli.js`;
  const cmd = (relative: string) => ({
    text: `@ECHO off\r\nIF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n)\r\n"%_prog%"  "%dp0%\\${relative}" %*\r\n`,
  });

  it('takes claude.exe of the platform package', () => {
    const exe = 'C:\\app\\node_modules\\@anthropic-ai\\claude-code-win32-x64\\claude.exe';
    expect(find(windows({ [exe]: EXE }), search)).toMatchObject({
      path: exe,
      kind: 'native',
      source: 'package',
    });
  });

  it('finds a program on PATH by PATHEXT, whatever the case of the variable', () => {
    const os = windows({ [`${npm}\\claude.exe`]: EXE, [`${npm}\\claude.cmd`]: cmd('x.js') });
    expect(find(os, search).path).toBe(`${npm}\\claude.exe`);
  });

  it.each([
    ['claude.cmd', cmd('node_modules\\@anthropic-ai\\claude-code\\cli.js')],
    [
      'claude.ps1',
      { text: '& "$basedir/node$exe"  "$basedir/node_modules/@anthropic-ai/claude-code/cli.js" $args' },
    ],
    [
      'claude',
      { text: '#!/bin/sh\nexec node  "$basedir/node_modules/@anthropic-ai/claude-code/cli.js" "$@"' },
    ],
    ['claude.bat', { text: '@"%~dp0\\node_modules\\@anthropic-ai\\claude-code\\cli.js" %*' }],
  ])('reads out of the shim %s what it starts', (name, shim) => {
    const os = windows({ [`${npm}\\${name}`]: shim, [target]: {}, [`${npm}\\node.exe`]: EXE });
    const found = find(os, { ...search, explicit: `${npm}\\${name}` });
    expect(found).toMatchObject({ path: target, kind: 'script', source: 'option' });
  });

  it('refuses a command file it cannot see through', () => {
    const os = windows({ [`${npm}\\claude.cmd`]: { text: '@echo hello' } });
    expect(findError(os, { ...search, explicit: `${npm}\\claude.cmd` }).message).toContain(
      'only a shell can start',
    );
    expect(findError(os, search).message).toContain('only a shell can start');
  });

  it('refuses what is no Windows program', () => {
    const os = windows({ 'C:\\x\\claude': ELF, 'C:\\x\\run': { text: '#!/bin/sh' } });
    expect(findError(os, { ...search, explicit: 'C:\\x\\claude' }).code).toBe('WRONG_PLATFORM');
    expect(findError(os, { ...search, explicit: 'C:\\x\\run' }).message).toContain('not a Windows program');
  });
});

describe('on this machine', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'inboard-find-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('finds the CLI installed with this package, with its version', () => {
    const found = findExecutable({ env: { PATH: '' }, startFolder: folder });
    expect(found.source).toBe('package');
    expect(found.version).toMatch(/^2\.1\.\d+$/);
  });

  it('judges real files: permission, directory, link', () => {
    writeFileSync(join(folder, 'plain'), 'echo');
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'run'), '#!/bin/sh\n');
    chmodSync(join(folder, 'run'), 0o755);
    symlinkSync('run', join(folder, 'link'));
    const search = (explicit: string) => () =>
      findExecutable({ explicit, env: process.env, startFolder: folder });
    expect(search('./plain')).toThrow(/no execute permission/);
    expect(search('./folder')).toThrow(/is a directory/);
    expect(search('./link')()).toMatchObject({ path: join(folder, 'link'), kind: 'native' });
  });
});
