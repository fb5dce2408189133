import { describe, expect, it } from 'vitest';
import { checkLiveRun } from '../../../src/options/launch/live-guard.js';

const check = (cliEnv: Record<string, string>, forbid: string | undefined = '1') => {
  return () => checkLiveRun({ hostEnv: { INBOARD_FORBID_LIVE: forbid }, cliEnv });
};

describe('checkLiveRun', () => {
  it.each(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:9/', 'https://127.8.4.2/x'])(
    'lets a model on this machine be asked: %s',
    (url) => {
      expect(check({ ANTHROPIC_BASE_URL: url })).not.toThrow();
    },
  );

  it.each([
    [{}, 'ANTHROPIC_BASE_URL is not set'],
    [{ ANTHROPIC_BASE_URL: 'https://127.0.0.1.example.com' }, 'is not this machine'],
    [{ ANTHROPIC_BASE_URL: 'nonsense' }, 'is not this machine'],
    [{ ANTHROPIC_BASE_URL: 'http://127.0.0.1', CLAUDE_CODE_USE_BEDROCK: '1' }, 'CLAUDE_CODE_USE_BEDROCK'],
  ])('refuses %j', (env, why) => {
    expect(check(env)).toThrow(expect.objectContaining({ code: 'LIVE_RUN_FORBIDDEN' }));
    expect(check(env)).toThrow(why);
  });

  it.each(['', '0', 'false', 'FALSE', undefined])('is not asked with %j', (forbid) => {
    expect(() => checkLiveRun({ hostEnv: { INBOARD_FORBID_LIVE: forbid }, cliEnv: {} })).not.toThrow();
  });
});
