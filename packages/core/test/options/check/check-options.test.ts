import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { BUILTIN_TOOL_NAMES } from '../../../src/wire/protocol/cli-facts.js';
import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '../../../src/errors.js';
import { checkOptions } from '../../../src/options/check/check-options.js';
import { OPTION_ROWS } from '../../../src/options/rows/option-rows.js';
import type { Options } from '../../../src/options/options.js';
import { createFullOptions } from '../full-options.js';

const UUID = '66666666-6666-4666-8666-666666666666';
const nothing = (): Promise<null> => Promise.resolve(null);
const store = { append: () => Promise.resolve(), load: () => Promise.resolve(null) };

function check(options: unknown): ReturnType<typeof checkOptions> {
  return checkOptions(options as Options);
}

function problemOf(options: unknown): InvalidOptionsError {
  try {
    check(options);
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}

const run = (): string => '';
const shop = createSdkMcpServer({
  name: 'shop',
  tools: [tool({ name: 'count', run }), tool({ name: 'send', run })],
});
const mine = createSdkMcpServer({ name: 'mine', tools: [tool({ name: 'look', run })] });

describe('checkOptions', () => {
  it('accepts everything valid at once', () => {
    expect(check({ ...createFullOptions(), sandbox: { enabled: true } })).toStrictEqual([]);
  });

  it('takes null and undefined for options that were not given', () => {
    const absent = Object.fromEntries(
      Object.keys(OPTION_ROWS).map((name, index) => [name, index % 2 ? null : undefined]),
    );
    expect(check(absent)).toStrictEqual([]);
  });

  it.each([
    [{ allowedTools: 'Read' }, 'allowedTools', 'must be a list of strings, not the string "Read"'],
    [{ additionalDirectories: [1] }, 'additionalDirectories', 'must be a list of strings, not this list'],
    [{ model: 3 }, 'model', 'must be a string, not 3'],
    [
      { allowDangerouslySkipPermissions: 'no' },
      'allowDangerouslySkipPermissions',
      'must be true or false, not the string "no"',
    ],
    [{ canUseTool: true }, 'canUseTool', 'must be a function, not true'],
    [{ maxTurns: Number.NaN }, 'maxTurns', 'not NaN'],
    [{ maxTurns: -1 }, 'maxTurns', 'not -1'],
    [{ maxTurns: 1.5 }, 'maxTurns', 'a whole number'],
    [{ maxThinkingTokens: -5 }, 'maxThinkingTokens', 'not -5'],
    [{ thinking: { type: 'enabled', budgetTokens: -5 } }, 'thinking', 'an object with type, budgetTokens'],
    [{ thinking: { type: 'on' } }, 'thinking', "{ type: 'adaptive' }"],
    [{ maxBudgetUsd: 0 }, 'maxBudgetUsd', 'above 0'],
    [{ maxBudgetUsd: Number.NaN }, 'maxBudgetUsd', 'not NaN'],
    [{ taskBudget: { total: 0 } }, 'taskBudget', 'above 0'],
    [{ handshakeTimeoutMs: -1 }, 'handshakeTimeoutMs', 'not -1'],
    [{ loadTimeoutMs: Number.POSITIVE_INFINITY }, 'loadTimeoutMs', 'finite'],
    [{ projectKey: '' }, 'projectKey', 'not empty'],
    [{ whenHostDies: 'ask' }, 'whenHostDies', "'kill', or { graceMs }"],
    [{ whenHostDies: { graceMs: -1 } }, 'whenHostDies', '0 or more'],
    [{ maxLineBytes: 0 }, 'maxLineBytes', 'above 0'],
    [{ sessionId: 'nope' }, 'sessionId', 'must be a UUID'],
    [{ executable: '' }, 'executable', 'a runtime such as node'],
    [{ tools: { type: 'preset' } }, 'tools', "preset: 'claude_code'"],
    [{ skills: 'some' }, 'skills', "'all'"],
    [{ systemPrompt: { type: 'preset', preset: 'mine' } }, 'systemPrompt', "{ type: 'custom', prompt }"],
    [{ plugins: [{ type: 'npm', path: '/p' }] }, 'plugins', "{ type: 'local', path }"],
    [{ pluginDelivery: 'pipe' }, 'pluginDelivery', "'argv' or 'initialize'"],
    [{ env: { A: {} } }, 'env', 'its entry "A" does not fit'],
    [{ extraArgs: { '--foo': 'x' } }, 'extraArgs', 'its entry "--foo" does not fit'],
    [{ mcpServers: [{ command: 'x' }] }, 'mcpServers', 'an object that maps server names'],
    [{ mcpServers: { a: { command: 'x' }, b: {} } }, 'mcpServers', 'its entry "b" does not fit'],
    [{ mcpServers: { b: { type: 'http' } } }, 'mcpServers', 'its entry "b" does not fit'],
    [{ agents: { a: { prompt: 'p' } } }, 'agents', 'its entry "a" does not fit'],
    [{ hooks: { Stop: nothing } }, 'hooks', 'its entry "Stop" does not fit'],
    [{ hooks: { Stop: [{ hooks: nothing }] } }, 'hooks', 'its entry "Stop" does not fit'],
    [{ sessionStore: { load: nothing } }, 'sessionStore', 'append and load'],
    [{ abortController: new AbortController().signal }, 'abortController', 'an AbortController'],
    [{ settings: '{"a":' }, 'settings', 'not a valid JSON object'],
  ])('refuses %o and says why', (options, name, words) => {
    const problem = problemOf(options);
    expect(problem.options).toStrictEqual([name]);
    expect(problem.message).toContain(`"${name}"`);
    expect(problem.message).toContain(words);
    expect(problem).toMatchObject({ code: 'INVALID_OPTIONS', phase: 'options' });
  });

  it('names everything that is wrong at once', () => {
    const problem = problemOf({ model: 1, cwd: 2, fallbackModel: 'a' });
    expect(problem.options).toStrictEqual(['model', 'cwd']);
    expect(problem.message).toMatch(/"model".*"cwd"/s);
  });

  it('does not repeat what may be secret', () => {
    const problem = problemOf({
      settings: 3,
      env: { TOKEN: ['hush'] },
      mcpServers: { a: { headers: 'hush' } },
    });
    expect(problem.message).not.toContain('hush');
  });

  it.each<[Options, string[]]>([
    [{ model: 'a', fallbackModel: 'a' }, ['fallbackModel', 'model']],
    [{ supportedDialogKinds: ['k'] }, ['supportedDialogKinds', 'onUserDialog']],
    [{ projectKey: 'shop' }, ['projectKey', 'sessionStore']],
    [{ sessionStore: store, persistSession: false }, ['sessionStore', 'persistSession']],
    [{ sessionStore: store, enableFileCheckpointing: true }, ['sessionStore', 'enableFileCheckpointing']],
    [
      { permissionPromptToolName: 'mcp__a__b', canUseTool: nothing },
      ['permissionPromptToolName', 'canUseTool'],
    ],
    [{ env: {}, extendEnv: {} }, ['env', 'extendEnv']],
    [
      { transport: () => null as never, spawnClaudeCodeProcess: () => null as never },
      ['transport', 'spawnClaudeCodeProcess'],
    ],
    [{ sandbox: {}, settings: '/s.json' }, ['sandbox', 'settings']],
    [{ sessionId: UUID, resume: UUID }, ['sessionId', 'resume']],
    [{ sessionId: UUID, continue: true }, ['sessionId', 'continue']],
    [{ resumeSessionAt: UUID }, ['resumeSessionAt', 'resume']],
    [{ resumeSessionAt: UUID, continue: true }, ['resumeSessionAt', 'resume']],
    [{ resumeDropsTurn: UUID, resume: UUID }, ['resumeDropsTurn', 'resumeSessionAt']],
  ])('refuses the contradiction %o', (options, names) => {
    expect(problemOf(options).options).toStrictEqual(names);
  });

  it.each<Options>([
    { sessionId: UUID, resume: UUID, forkSession: true },
    { sessionId: UUID, forkSession: true },
    { sessionId: UUID, continue: true, sessionStore: store },
    { resumeSessionAt: UUID, continue: true, sessionStore: store },
    { supportedDialogKinds: [] },
    { sandbox: { enabled: true }, settings: ' {"a":1}' },
    { settings: '/some/file.json' },
    { maxLineBytes: Number.POSITIVE_INFINITY },
    { handshakeTimeoutMs: 0 },
  ])('accepts %o', (options) => {
    expect(check(options)).toStrictEqual([]);
  });
});

describe('the warnings of checkOptions', () => {
  it.each([
    ['alowedTools', 'Did you mean "allowedTools"?'],
    ['MaxTurns', 'Did you mean "maxTurns"?'],
    ['mcpServer', 'Did you mean "mcpServers"?'],
    ['appendSystemPrompt', 'append }?'],
    ['signal', 'Did you mean "abortController"?'],
    ['qqqqqqqq', 'it has no effect.'],
  ])('suggests what %s was probably meant to be', (name, words) => {
    const [warning, ...rest] = check({ [name]: 1 });
    expect(rest).toStrictEqual([]);
    expect(warning).toMatchObject({ code: 'UNKNOWN_OPTION', options: [name] });
    expect(warning?.message.endsWith(words)).toBe(true);
  });

  it('does not mind the private marks of programs that wrap a query', () => {
    expect(check({ __wrapped: true, __braintrust_instrumented: 1 })).toStrictEqual([]);
    expect(check({ _wrapped: true })).toHaveLength(1);
  });

  it('does not mind an unknown name without a value', () => {
    expect(check({ notAnOption: undefined })).toStrictEqual([]);
  });

  it.each([
    [{ permissionMode: 'acceptedits' }, 'Did you mean "acceptEdits"?'],
    [{ effort: 'hihg' }, 'Did you mean "high"?'],
    [{ settingSources: ['user', 'everything'] }, 'Known values: user, project, local.'],
    [{ permissionPrompts: 'nobody' }, 'Known values: host, none.'],
  ])('lets the CLI decide about %o, with a warning', (options, words) => {
    const [warning] = check(options);
    expect(warning?.code).toBe('UNKNOWN_VALUE');
    expect(warning?.message).toContain(words);
  });

  it.each([
    ['PreTool', '"PreToolUse"?'],
    ['preToolUse', '"PreToolUse"?'],
    ['pre_tool_use', '"PreToolUse"?'],
    ['PRE-TOOL-USE', '"PreToolUse"?'],
    ['onPreToolUse', '"PreToolUse"?'],
    ['PreToolUseHook', '"PreToolUse"?'],
    ['BeforeToolUse', '"PreToolUse"?'],
    ['afterToolUse', '"PostToolUse"?'],
    ['PostTool', '"PostToolUse" or "PostToolUseFailure" or "PostToolBatch"?'],
    ['UserPrompt', '"UserPromptSubmit" or "UserPromptExpansion"?'],
    ['Session', '"SessionStart" or "SessionEnd"?'],
    ['PermisionRequest', '"PermissionRequest"?'],
    ['Elicit', '"Elicitation" or "ElicitationResult"?'],
  ])('says which event "%s" may have meant', (event, words) => {
    const [warning] = check({ hooks: { [event]: [{ hooks: [nothing] }] } });
    expect(warning?.code).toBe('UNKNOWN_HOOK_EVENT');
    expect(warning?.message).toContain(`Did you mean ${words}`);
  });

  it.each(['Pre', 'Tool', 'Whatever', 'on', '_', 'PreToolUseAndMuchMore'])(
    'does not guess at "%s"',
    (event) => {
      const [warning] = check({ hooks: { [event]: [{ hooks: [nothing] }] } });
      expect(warning?.message).toContain('may never occur.');
      expect(warning?.message).not.toContain('Did you mean');
    },
  );

  it('warns of unknown hook events', () => {
    const hook = [{ hooks: [nothing] }];
    const [warning] = check({ hooks: { PreToolUse: hook, preToolUsed: hook } });
    expect(warning).toMatchObject({ code: 'UNKNOWN_HOOK_EVENT', options: ['hooks'] });
    expect(warning?.message).toContain('Did you mean "PreToolUse"?');
  });

  it.each([
    [{ tools: ['Read'], allowedTools: ['Read'] }, ['canUseTool', 'allowedTools'], 'every tool'],
    [
      { tools: [], mcpServers: { shop }, allowedTools: ['mcp__shop__count', 'mcp__shop__send'] },
      ['canUseTool', 'allowedTools'],
      'every tool',
    ],
    [
      { tools: [], mcpServers: { out: { command: 'x' } }, allowedTools: ['mcp__out'] },
      ['canUseTool', 'allowedTools'],
      'every tool',
    ],
    [{ permissionMode: 'bypassPermissions' }, ['canUseTool', 'permissionMode'], 'bypassPermissions'],
    [{ permissionPrompts: 'none' }, ['canUseTool', 'permissionPrompts'], 'none'],
  ])('says that %o keeps canUseTool from being asked', (options, names, words) => {
    const [warning, ...rest] = check({ ...options, canUseTool: nothing });
    expect(rest).toStrictEqual([]);
    expect(warning).toMatchObject({ code: 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED', options: names });
    expect(warning?.message).toContain(words);
    expect(check(options)).toStrictEqual([]);
  });

  it.each([
    { allowedTools: ['Bash(git *)'], permissionMode: 'plan' },
    { allowedTools: ['Read', 'Grep'] },
    { allowedTools: ['mcp__shop__count'], mcpServers: { shop } },
    { allowedTools: ['mcp__shop'], mcpServers: { shop } },
    { allowedTools: ['mcp__shop__count'], mcpServers: { shop }, tools: [] },
    { allowedTools: ['Read'], tools: ['Read', 'Bash'] },
    { allowedTools: ['Read'], tools: ['Read'], mcpServers: { out: { command: 'x' } } },
  ])('accepts rules that leave something to ask about: %o', (options) => {
    expect(check({ canUseTool: nothing, ...options })).toStrictEqual([]);
  });

  // `setMcpServers` can add a server that has such a tool; no server has tools with the other names.
  const LATER = ' unless a server is added later';
  it.each([
    ['mcp__shop__cuont', LATER, 'the server "shop" has no such tool. Did you mean "mcp__shop__count"?'],
    ['mcp__shop__other', LATER, 'the server "shop" has no such tool. It has: count, send.'],
    ['mcp__shpo__count', LATER, 'there is no such server here. Did you mean "mcp__shop__count"?'],
    ['mcp__Shop', LATER, 'names are case-sensitive. Did you mean "mcp__shop"?'],
    ['mcp__my.shop__look', '', 'the CLI knows it as "mcp__my_shop__look".'],
    ['count', '', 'the tool of the server "shop" is "mcp__shop__count" here.'],
    ['coutn', '', 'there is no such tool. Did you mean "mcp__shop__count"?'],
    ['shop', '', 'the server is "mcp__shop" here.'],
    ['bash', '', 'there is no such tool. Did you mean "Bash"?'],
    ['Bahs(git *)', '', 'there is no such tool. Did you mean "Bash"?'],
    ['WebSerach', '', 'there is no such tool. Did you mean "WebSearch"?'],
  ])('says that the name %s has no effect%s', (name, unless, words) => {
    for (const list of ['allowedTools', 'disallowedTools'] as const) {
      const [warning, ...rest] = check({ mcpServers: { shop, 'my.shop': mine }, [list]: ['Read', name] });
      expect(rest).toStrictEqual([]);
      expect(warning).toMatchObject({ code: 'UNKNOWN_TOOL_NAME', options: [list] });
      expect(warning?.message).toBe(
        `The option "${list}" names "${name}", which has no effect${unless}: ${words}`,
      );
    }
  });

  it('says nothing of names that are merely absent', () => {
    const absent = [
      'Task',
      'TaskOutput',
      'BashOutput',
      'NotebookRead',
      'MultiEdit',
      'LS',
      'StructuredOutput',
    ];
    const elsewhere = [
      'mcp__github__list',
      'mcp__shop2',
      'mcp__out__anything',
      'mcp__grown__later',
      'mcp__*',
      '*',
    ];
    const own = ['mcp__shop', 'mcp__shop__count', 'mcp__shop__*', 'mcp__shop__x*', 'mcp__shop__send(x)'];
    const grown = createSdkMcpServer({ name: 'grown', toolsMayChange: true });
    const mcpServers = { shop, grown, out: { command: 'x' } };
    const names = [...absent, ...elsewhere, ...own, ...BUILTIN_TOOL_NAMES, 'Bash(git log, git diff)'];
    expect(check({ mcpServers, allowedTools: names, disallowedTools: names })).toStrictEqual([]);
  });
});
