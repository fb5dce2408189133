import { describe, expect, it } from 'vitest';
import { explainSpawnFailure } from '../../../src/wire/process/run/spawn-failure.js';
import { createElfHead, createFakeSystem } from '../../../../../test/support/fake-operating-system.js';

const os = createFakeSystem({
  platform: 'linux',
  folders: ['/work', '/locked'],
  files: {
    '/bin/tool': { bytes: createElfHead('x64', '/lib/ld-musl-x86_64.so.1') },
    '/bin/script': { text: '#!/usr/bin/env nodule' },
  },
});

function explain(code: string, more: { command?: string; cwd?: string; errno?: number } = {}) {
  const error = Object.assign(new Error(`spawn ${code}`), { code, errno: more.errno });
  return explainSpawnFailure({ command: '/bin/tool', args: ['a', 'bcd'], cwd: '/work', os, error, ...more });
}

describe('explainSpawnFailure', () => {
  it.each([
    ['ENOENT', { cwd: '/nowhere' }, 'CWD_NOT_FOUND', '/nowhere'],
    ['ENOENT', { command: '/bin/none' }, 'SPAWN_FAILED', '/bin/none does not exist'],
    ['ENOENT', {}, 'WRONG_PLATFORM', '/lib/ld-musl-x86_64.so.1'],
    ['ENOENT', { command: '/bin/script' }, 'RUNTIME_NOT_FOUND', 'interpreter'],
    ['EACCES', {}, 'EXECUTABLE_NOT_PERMITTED', '/bin/tool'],
    ['E2BIG', {}, 'ARGUMENTS_TOO_LONG', '2 arguments of 6 bytes, the longest 4'],
    ['ENAMETOOLONG', {}, 'ARGUMENTS_TOO_LONG', 'too long'],
    ['ENOEXEC', {}, 'WRONG_PLATFORM', 'linux-x64'],
    ['Unknown system error -86', { errno: -86 }, 'WRONG_PLATFORM', 'EBADARCH'],
    ['EMFILE', {}, 'SPAWN_FAILED', 'cannot start another process'],
    ['EIO', {}, 'SPAWN_FAILED', 'spawn EIO'],
  ])('%s %j is %s', (code, more, expected, text) => {
    const failure = explain(code, more);
    expect(failure.code).toBe(expected);
    expect(failure.message).toContain(text);
    expect(failure.cause).toBeInstanceOf(Error);
    expect(failure.retryable).toBe(code === 'EMFILE');
  });

  it('tells a long environment from long arguments, with sizes and without values', () => {
    const explainLength = (args: string[], env: Record<string, string>) =>
      explainSpawnFailure({ command: '/bin/tool', args, env, cwd: '/work', os, error: { code: 'E2BIG' } });
    const long = 'secret'.repeat(50_000);
    const byVariable = explainLength(['x'.repeat(90_000)], { SHORT: 'x', LONG_ONE: long });
    expect(byVariable.code).toBe('ENVIRONMENT_TOO_LONG');
    expect(byVariable.message).toContain('2 variables of 300018 bytes, the longest LONG_ONE with 300010');
    expect(byVariable.message).toContain('1 arguments of 90001 bytes');
    expect(byVariable.message).not.toContain('secret');
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`V${index}`, 'x'.repeat(50_000)]),
    );
    expect(explainLength(['x'.repeat(90_000)], many).code).toBe('ENVIRONMENT_TOO_LONG');
    expect(explainLength(['x'.repeat(200_000)], many).code).toBe('ARGUMENTS_TOO_LONG');
    expect(explainLength(['x'.repeat(90_000), 'y'.repeat(90_000)], { A: 'b' }).code).toBe(
      'ARGUMENTS_TOO_LONG',
    );
  });

  it('tells a locked folder from a locked program', () => {
    const locked = { ...os, canExecute: (path: string) => path !== '/locked' };
    const error = Object.assign(new Error('x'), { code: 'EACCES' });
    const failure = explainSpawnFailure({
      command: '/bin/tool',
      args: [],
      cwd: '/locked',
      os: locked,
      error,
    });
    expect(failure.code).toBe('CWD_NOT_FOUND');
  });
});
