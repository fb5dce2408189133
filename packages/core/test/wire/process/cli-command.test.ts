import { describe, expect, it } from 'vitest';
import { buildCommand } from '../../../src/wire/process/find/cli-command.js';
import { detectHostRuntime } from '../../../src/wire/process/find/host-runtime.js';
import type { CommandParts } from '../../../src/wire/process/find/cli-command.js';
import type { HostRuntime } from '../../../src/wire/process/find/host-runtime.js';
import { createFakeSystem } from '../../../../../test/support/fake-operating-system.js';

const os = createFakeSystem({
  platform: 'linux',
  files: { '/bin/node': {}, '/bin/bun': {}, '/bin/deno': {} },
});
const host: HostRuntime = { runtime: 'node', file: '/own/node' };
const script = { path: '/cli.js', kind: 'script' } as const;

function build(parts: Partial<CommandParts>) {
  return buildCommand({ executable: script, args: ['--verbose'], env: { PATH: '/bin' }, os, host, ...parts });
}

describe('buildCommand', () => {
  it('starts a program directly, without runtime arguments', () => {
    const executable = { path: '/opt/claude', kind: 'native' } as const;
    expect(build({ executable, runtime: 'bun', runtimeArgs: ['--smol'] })).toEqual({
      command: '/opt/claude',
      args: ['--verbose'],
    });
  });

  it('runs a script in the runtime of the host, without looking at PATH', () => {
    expect(build({ env: {}, runtimeArgs: ['--no-warnings'] })).toEqual({
      command: '/own/node',
      args: ['--no-warnings', '/cli.js', '--verbose'],
    });
  });

  it('takes this process for the host when none is given', () => {
    expect(build({ env: {}, host: undefined }).command).toBe(process.execPath);
  });

  it.each(['node', 'bun'] as const)(
    'runs a script in %s from PATH when it is asked for by name',
    (runtime) => {
      expect(build({ runtime })).toEqual({ command: `/bin/${runtime}`, args: ['/cli.js', '--verbose'] });
    },
  );

  it('gives Deno its subcommand, and all permissions unless some were given', () => {
    const args = (runtimeArgs: string[]) => build({ runtime: 'deno', runtimeArgs }).args;
    expect(args([])).toEqual(['run', '-A', '/cli.js', '--verbose']);
    expect(args(['--quiet'])).toEqual(['run', '-A', '--quiet', '/cli.js', '--verbose']);
    for (const given of ['--allow-env', '--deny-net', '--permission-set=x', '-P', '-A'])
      expect(args([given])).toEqual(['run', given, '/cli.js', '--verbose']);
    // Words of other options do not count.
    for (const given of ['--v8-flags=--allow-natives-syntax', '--config=x-A'])
      expect(args([given])).toEqual(['run', '-A', given, '/cli.js', '--verbose']);
    expect(args(['run', '--allow-read'])).toEqual(['run', '--allow-read', '/cli.js', '--verbose']);
  });

  it('falls back on the own runtime when it was asked for and is not on PATH', () => {
    expect(build({ runtime: 'node', env: { PATH: '/empty' } }).command).toBe('/own/node');
  });

  it.each(['node', 'bun', 'deno'] as const)('says what to do when %s is nowhere', (runtime) => {
    const attempt = () =>
      build({ runtime, env: { PATH: '/empty' }, host: { runtime: 'node', file: undefined } });
    expect(attempt).toThrow(expect.objectContaining({ code: 'RUNTIME_NOT_FOUND', phase: 'launch' }));
    expect(attempt).toThrow(`"${runtime}"`);
  });

  it('looks for Node on PATH when the host is no Node of its own', () => {
    expect(build({ host: { runtime: 'node', file: undefined } }).command).toBe('/bin/node');
  });

  it('leaves the runtime a bare name when the command runs elsewhere', () => {
    expect(build({ elsewhere: true, env: { PATH: '/empty' } }).command).toBe('node');
  });

  it('sees through a shim of a runtime on Windows', () => {
    const windows = createFakeSystem({
      platform: 'win32',
      files: {
        'C:\\n\\bun.cmd': { text: '"%dp0%\\node_modules\\bun\\bin\\bun.exe" %*' },
        'C:\\n\\node_modules\\bun\\bin\\bun.exe': {},
      },
    });
    const { command } = build({ runtime: 'bun', os: windows, env: { Path: 'C:\\n' } });
    expect(command).toBe('C:\\n\\node_modules\\bun\\bin\\bun.exe');
  });
});

describe('detectHostRuntime', () => {
  it('is Node here', () => {
    expect(detectHostRuntime()).toEqual({ runtime: 'node', file: process.execPath });
  });

  it('does not take Electron, Bun or Deno for Node', () => {
    const versions = process.versions;
    expect(detectHostRuntime({ ...versions, electron: '40.0.0' })).toEqual({
      runtime: 'node',
      file: undefined,
    });
    expect(detectHostRuntime({ ...versions, bun: '1.4.4' })).toEqual({ runtime: 'bun', file: undefined });
    expect(detectHostRuntime({ ...versions, deno: '2.9.6' })).toEqual({ runtime: 'deno', file: undefined });
  });
});

describe('a runtime by its path', () => {
  it('is taken as it is, deno with its subcommand', () => {
    expect(build({ runtime: '/opt/node/bin/node' })).toEqual({
      command: '/opt/node/bin/node',
      args: [script.path, '--verbose'],
    });
    expect(build({ runtime: '/opt/deno' }).args.slice(0, 2)).toEqual(['run', '-A']);
  });
});
