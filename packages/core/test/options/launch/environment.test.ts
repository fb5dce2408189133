import { describe, expect, it } from 'vitest';
import { buildEnvironment, findDroppedVariables } from '../../../src/options/launch/environment.js';

const OURS = {
  CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
  CLAUDE_AGENT_SDK_VERSION: '0.3.325',
  CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
};
const hostEnv = { PATH: '/bin', HOME: '/home/me' };

describe('buildEnvironment', () => {
  it('takes that of this process by default, and none of it with env', () => {
    expect(buildEnvironment({ options: {}, hostEnv })).toStrictEqual({ ...hostEnv, ...OURS });
    expect(buildEnvironment({ options: { env: { A: '1' } }, hostEnv })).toStrictEqual({ A: '1', ...OURS });
    expect(buildEnvironment({ options: { env: {} }, hostEnv })).toStrictEqual(OURS);
  });

  it('adds to it, and with undefined takes from it, with extendEnv', () => {
    const extendEnv = { A: '1', HOME: undefined };
    expect(buildEnvironment({ options: { extendEnv }, hostEnv })).toStrictEqual({
      PATH: '/bin',
      A: '1',
      ...OURS,
    });
  });

  it('replaces a variable of another case on Windows only', () => {
    const input = { options: { extendEnv: { PATH: 'new' } }, hostEnv: { Path: 'old' } };
    expect(buildEnvironment({ ...input, platform: 'win32' })).toStrictEqual({ PATH: 'new', ...OURS });
    expect(buildEnvironment({ ...input, platform: 'linux' })).toStrictEqual({
      Path: 'old',
      PATH: 'new',
      ...OURS,
    });
  });

  it.each([
    'NODE_OPTIONS',
    'DEBUG',
    'VSCODE_INSPECTOR_OPTIONS',
    'NODE_INSPECT_RESUME_ON_START',
    'BUN_INSPECT',
    'BUN_INSPECT_NOTIFY',
    'BUN_INSPECT_CONNECT_TO',
  ])('never hands on %s, whoever set it', (name) => {
    const variable = { [name]: 'x' };
    expect(buildEnvironment({ options: {}, hostEnv: variable })).toStrictEqual(OURS);
    expect(buildEnvironment({ options: { env: variable }, hostEnv })).toStrictEqual(OURS);
    expect(buildEnvironment({ options: { extendEnv: variable }, hostEnv: {} })).toStrictEqual(OURS);
  });

  it('hands on what only looks alike', () => {
    const env = { BUN_OPTIONS: '--smol', NODE_ENV: 'test', CLAUDECODE: '1', DEBUG_COLORS: '1' };
    expect(buildEnvironment({ options: { env }, hostEnv })).toStrictEqual({ ...env, ...OURS });
  });

  it('finds variables of any case on Windows', () => {
    const env = { Node_Options: 'x' };
    expect(buildEnvironment({ options: { env }, hostEnv, platform: 'win32' })).toStrictEqual(OURS);
    expect(buildEnvironment({ options: { env }, hostEnv, platform: 'linux' })).toStrictEqual({
      ...env,
      ...OURS,
    });
  });

  it.each([
    ['1', '1'],
    ['true', '1'],
    ['0', undefined],
    ['false', undefined],
    ['', undefined],
  ])('with DEBUG_CLAUDE_AGENT_SDK=%s sets DEBUG to %s', (value, debug) => {
    const env = buildEnvironment({
      options: { env: { DEBUG_CLAUDE_AGENT_SDK: value, DEBUG: 'mine' } },
      hostEnv,
    });
    expect(env['DEBUG']).toBe(debug);
  });

  it('writes numbers and truth values as text, and leaves out null', () => {
    const env = { PORT: 3000, ON: true, NONE: null } as unknown as Record<string, string>;
    expect(buildEnvironment({ options: { env }, hostEnv })).toStrictEqual({
      PORT: '3000',
      ON: 'true',
      ...OURS,
    });
  });

  it('changes neither the environment of this process nor the given one', () => {
    const before = { ...process.env };
    const env = Object.freeze({ DEBUG: '1', A: '1' });
    buildEnvironment({ options: { env, enableFileCheckpointing: true }, hostEnv: process.env });
    buildEnvironment({ options: { extendEnv: env }, hostEnv: process.env });
    expect({ ...process.env }).toStrictEqual(before);
  });
});

describe('findDroppedVariables', () => {
  it('warns of what was set on purpose, not of a copied environment', () => {
    const copied = { DEBUG: 'a', NODE_OPTIONS: 'b' };
    expect(findDroppedVariables({ options: { env: { ...copied } }, hostEnv: copied })).toStrictEqual([]);
    const meant = findDroppedVariables({ options: { extendEnv: { DEBUG: 'mine' } }, hostEnv: copied });
    expect(meant).toMatchObject([{ code: 'ENV_VARIABLE_DROPPED', options: ['extendEnv'] }]);
    expect(meant[0]?.message).toContain('DEBUG');
  });

  it('does not repeat what the variable says', () => {
    const found = findDroppedVariables({ options: { env: { NODE_OPTIONS: '--secret=1' } }, hostEnv: {} });
    expect(JSON.stringify(found)).not.toContain('secret');
  });
});
