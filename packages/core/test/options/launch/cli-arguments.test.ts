import { describe, expect, it } from 'vitest';
import { buildArguments } from '../../../src/options/launch/cli-arguments.js';
import { isInProcess } from '../../../src/wire/protocol/config/mcp-config.js';
import type { Options } from '../../../src/options/options.js';
import { createFullOptions } from '../full-options.js';

function words(options: Options, version: string | undefined = '2.1.325'): string[] {
  return buildArguments({ options, version }).flatMap((argument) => argument.words);
}

function flagsOf(options: Options): string[] {
  return words(options)
    .filter((word) => word.startsWith('--'))
    .map((word) => word.replace(/=.*$/s, ''));
}

describe('buildArguments', () => {
  describe('for a CLI that starts in the mode "auto", where a model allows what the host should be asked about', () => {
    const canUseTool = () => Promise.resolve({ behavior: 'deny' as const, message: 'No.' });
    const modesOf = (options: Options, version: string | undefined) =>
      words(options, version).filter((word) => word.startsWith('--permission-mode'));

    it.each([
      ['2.1.284', []],
      ['2.1.285', ['--permission-mode=default']],
      ['2.1.301', ['--permission-mode=default']],
      ['2.1.302', []],
    ])('%s is told to ask: %j', (version, modes) => {
      expect(modesOf({ canUseTool }, version)).toEqual(modes);
      expect(modesOf({ permissionPromptToolName: 'mcp__a__b' }, version)).toEqual(modes);
      expect(modesOf({}, version)).toEqual([]);
    });

    it('what the host chose stays', () => {
      expect(modesOf({ canUseTool, permissionMode: 'plan' }, '2.1.300')).toEqual(['--permission-mode=plan']);
      const settings = { permissions: { defaultMode: 'acceptEdits' as const } };
      expect(modesOf({ canUseTool, settings }, '2.1.300')).toEqual([]);
    });
  });

  it('keeps the order of flags when everything is set', () => {
    expect(flagsOf(createFullOptions())).toStrictEqual([
      '--output-format',
      '--verbose',
      '--input-format',
      '--thinking',
      '--thinking-display',
      '--effort',
      '--max-turns',
      '--max-budget-usd',
      '--task-budget',
      '--model',
      '--agent',
      '--betas',
      '--json-schema',
      '--debug',
      '--permission-prompt-tool',
      '--permission-prompts',
      '--resume',
      '--allowedTools',
      '--disallowedTools',
      '--tools',
      '--mcp-config',
      '--setting-sources',
      '--strict-mcp-config',
      '--permission-mode',
      '--allow-dangerously-skip-permissions',
      '--fallback-model',
      '--include-hook-events',
      '--include-partial-messages',
      '--project-config-root',
      '--add-dir',
      '--plugin-dir',
      '--plugin-dir-no-mcp',
      '--fork-session',
      '--resume-session-at',
      '--resume-drops-turn',
      '--session-id',
      '--managed-settings',
      '--foo',
      '--settings',
    ]);
  });

  it('puts --continue before --resume, and the mirror and persistence flags last of the session', () => {
    expect(flagsOf({ continue: true, resume: 'x', persistSession: false }).slice(3)).toStrictEqual([
      '--continue',
      '--resume',
      '--no-session-persistence',
    ]);
  });

  it('names the option behind every flag', () => {
    const named = buildArguments({ options: createFullOptions(), version: undefined }).map(
      ({ option }) => option,
    );
    expect(named).toContain('extraArgs.foo');
    expect(named).not.toContain('');
  });

  it('takes an empty string for an option that was not given', () => {
    const empty = {
      model: '',
      agent: '',
      fallbackModel: '',
      resume: '',
      sessionId: '',
      debugFile: '',
      settings: '',
    };
    expect(words(empty)).toStrictEqual(words({}));
  });

  it('joins an extra flag with a value that looks like a flag', () => {
    expect(words({ extraArgs: { a: '-x', b: '--y', c: 'z' } }).slice(5)).toStrictEqual([
      '--a=-x',
      '--b=--y',
      '--c',
      'z',
    ]);
  });

  it('keeps a server without an instance on the command line', () => {
    const bare = { type: 'sdk', name: 'demo' };
    const options = { mcpServers: { demo: bare } } as unknown as Options;
    expect(words(options).slice(5)).toStrictEqual([
      '--mcp-config',
      JSON.stringify({ mcpServers: { demo: bare } }),
    ]);
    expect(isInProcess(bare)).toBe(false);
    expect(isInProcess({ ...bare, instance: {} })).toBe(true);
  });

  it('resumes what a store gave back instead of the latest local session', () => {
    const sessionStore = { append: () => Promise.resolve(), load: () => Promise.resolve(null) };
    const options: Options = { continue: true, sessionStore };
    const restored = buildArguments({ options, version: undefined, restoredId: 'abc' });
    expect(restored.flatMap((argument) => argument.words).slice(5)).toStrictEqual([
      '--resume=abc',
      '--session-mirror',
    ]);
  });

  it('lets thinking win over maxThinkingTokens, and takes a budget of 0 from either', () => {
    expect(
      words({ thinking: { type: 'enabled', budgetTokens: 0 }, maxThinkingTokens: 5 }).slice(5),
    ).toStrictEqual(['--max-thinking-tokens=0']);
    expect(words({ thinking: { type: 'disabled' }, maxThinkingTokens: 5 }).slice(5)).toStrictEqual([
      '--thinking=disabled',
    ]);
  });
});

describe('in-process servers on the command line', () => {
  it('are named there when asked for, always with their name', () => {
    const instance = { connect: async () => {} };
    const options: Options = {
      sdkServerRegistration: 'argv',
      mcpServers: { out: { command: 'x' }, demo: { type: 'sdk', name: 'inner', instance } as never },
    };
    const words = buildArguments({ options, version: undefined }).flatMap((argument) => argument.words);
    expect(JSON.parse(words[words.indexOf('--mcp-config') + 1] ?? '')).toStrictEqual({
      mcpServers: { out: { command: 'x' }, demo: { type: 'sdk', name: 'demo' } },
    });
  });

  it('are named there too where a session is resumed that may have deferred a call', () => {
    const demo = { type: 'sdk', name: 'demo', instance: { connect: async () => {} } } as never;
    const hooks = { PreToolUse: [{ hooks: [async () => ({})] }] };
    const isNamed = (options: Options, version?: string): boolean =>
      buildArguments({ options: { mcpServers: { demo }, ...options }, version })
        .flatMap((argument) => argument.words)
        .includes('--mcp-config');
    expect(isNamed({ resume: 'a', hooks })).toBe(true);
    expect(isNamed({ continue: true, hooks }, '2.1.325')).toBe(true);
    expect(isNamed({ resume: 'a', hooks }, '2.1.33')).toBe(false);
    expect(isNamed({ resume: 'a' })).toBe(false);
    expect(isNamed({ hooks })).toBe(false);
  });
});
