// The surroundings of a call that is completed without a CLI: a permission that the answer gave for good has its effect afterwards,
// and what cannot be done is reported.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allow, createSdkMcpServer, openSession, tool, type Options } from '@inboard/inboard/index.js';
import { createFakeCli, text, type FakeCli } from '@inboard/inboard/testing.js';
import type { InboardWarning } from '../../../src/options/check/warning.js';
import { changePermissions, spellRule } from '../../../src/record/settings/change-permissions.js';
import type { CallFact } from '../../../src/wire/protocol/config/call-records.js';
import type {
  PermissionUpdate,
  PermissionUpdateDestination,
} from '../../../src/wire/protocol/control/permissions.js';
import { ASKED, BEGUN, CALL, COVERED, createCutFiles, SESSION } from './cut-session.js';

let folder: string;
let cwd: string;
let configDir: string;
const fakes: FakeCli[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'around-'));
  cwd = join(folder, 'project');
  configDir = join(folder, 'config');
  mkdirSync(cwd);
});
afterEach(async () => {
  for (const fake of fakes.splice(0)) await fake.close({ verify: false });
  // A claim is given back a moment after its session is closed.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** Continues the session, and tells with what its CLI was started. */
async function continueWith({
  facts = [COVERED, ASKED],
  remember = [],
  options = {},
  fails = false,
}: {
  facts?: readonly CallFact[];
  remember?: PermissionUpdate[];
  options?: Options;
  fails?: boolean;
}) {
  const transcript = await createCutFiles(configDir, cwd, facts);
  const fake = createFakeCli([text('Paid.')], { allowEarlyEnd: true });
  fakes.push(fake);
  const warnings: InboardWarning[] = [];
  let asked = 0;
  const pay = tool('pay', 'Pays.', { order: 'string' }, () => {
    if (fails) throw new Error('No money');
    return 'paid';
  });
  await using session = openSession({
    options: {
      pathToClaudeCodeExecutable: await fake.executable(),
      env: { PATH: process.env['PATH'], HOME: folder, CLAUDE_CONFIG_DIR: configDir },
      cwd,
      resume: SESSION,
      mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) },
      canUseTool: async () => {
        asked += 1;
        return allow({ remember });
      },
      onWarning: (warning) => warnings.push(warning),
      ...options,
    },
    interrupted: 'continue',
  });
  expect(await (await session.continued)?.text()).toBe('Paid.');
  const args = fake.sessions[0]?.args ?? [];
  const flag = (name: string): string | undefined => {
    const index = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
    return args[index]?.includes('=') === true ? args[index].slice(name.length + 1) : args[index + 1];
  };
  const settings = args.some((arg) => arg.startsWith('--settings'))
    ? (JSON.parse(readSettings(flag('--settings') ?? '')) as { permissions?: unknown })
    : undefined;
  const codes = warnings.map(({ code }) => code).filter((code) => code !== 'CLI_VERSION_UNKNOWN');
  const modes = fake.requests.filter(({ subtype }) => subtype === 'set_permission_mode');
  return { settings, mode: flag('--permission-mode'), modes, warnings, codes, asked, transcript };
}

function readSettings(given: string): string {
  if (given.startsWith('{')) return given;
  return existsSync(given) ? readFileSync(given, 'utf8') : '{}';
}

const RULE = { toolName: 'mcp__shop__pay' };
const addRule = (destination: PermissionUpdateDestination): PermissionUpdate => ({
  type: 'addRules',
  rules: [RULE],
  behavior: 'allow',
  destination,
});
const answered = (updates: PermissionUpdate[]): CallFact => ({
  type: 'answered',
  callKey: `key ${CALL}`,
  answer: { behavior: 'allow', updatedPermissions: updates },
  at: 2,
});

const ALLOWED = { permissions: { allow: ['mcp__shop__pay'] } };
const fileOf = (destination: PermissionUpdateDestination): string | undefined =>
  ({
    userSettings: join(configDir, 'settings.json'),
    projectSettings: join(cwd, '.claude', 'settings.json'),
    localSettings: join(cwd, '.claude', 'settings.local.json'),
    session: undefined,
    cliArg: undefined,
  })[destination];
const DESTINATIONS = ['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg'] as const;

describe('what somebody allows for good', () => {
  it.each(DESTINATIONS)(
    'has its effect on the next CLI, and is written where it belongs (%s)',
    async (destination) => {
      const { settings, codes, asked } = await continueWith({ remember: [addRule(destination)] });
      expect(asked).toBe(1);
      expect(settings).toEqual(ALLOWED);
      for (const each of DESTINATIONS) {
        const path = fileOf(each);
        if (path === undefined) continue;
        if (each === destination) expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(ALLOWED);
        else expect(existsSync(path)).toBe(false);
      }
      expect(codes).toEqual([]);
    },
  );

  it('has it where the answer was recorded and the CLI died before it acted on it', async () => {
    const facts = [COVERED, ASKED, answered([addRule('session'), addRule('localSettings')])];
    const { settings, asked } = await continueWith({ facts });
    expect(asked).toBe(0);
    expect(settings).toEqual(ALLOWED);
    expect(JSON.parse(readFileSync(String(fileOf('localSettings')), 'utf8'))).toEqual(ALLOWED);
  });

  it('has it where the CLI had begun the call: its files are written, what it had in memory is gone', async () => {
    const ended: CallFact = { type: 'ended', callKey: `key ${CALL}`, result: { content: [] }, at: 4 };
    const facts = [COVERED, ASKED, answered([addRule('session'), addRule('localSettings')]), BEGUN, ended];
    const { settings } = await continueWith({ facts });
    expect(settings).toEqual(ALLOWED);
    expect(existsSync(String(fileOf('localSettings')))).toBe(false);
  });

  it('keeps what the settings say, and modes, folders and other rules', async () => {
    const path = String(fileOf('localSettings'));
    mkdirSync(dirname(path));
    writeFileSync(path, JSON.stringify({ model: 'x', permissions: { allow: ['Read'], deny: ['Bash'] } }));
    const remember: PermissionUpdate[] = [
      addRule('localSettings'),
      { type: 'removeRules', rules: [{ toolName: 'Bash' }], behavior: 'deny', destination: 'localSettings' },
      { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'ask', destination: 'session' },
      { type: 'addDirectories', directories: ['/srv'], destination: 'session' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ];
    const options: Options = { settings: { outputStyle: 'y', permissions: { allow: ['Glob'] } } };
    const { settings, mode, modes } = await continueWith({ remember, options });
    expect(settings).toEqual({
      outputStyle: 'y',
      permissions: { allow: ['Glob', 'mcp__shop__pay'], ask: ['Bash'], additionalDirectories: ['/srv'] },
    });
    expect(mode).toBe('acceptEdits');
    expect(modes).toHaveLength(1);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      model: 'x',
      permissions: { allow: ['Read', 'mcp__shop__pay'], deny: [] },
    });
  });

  it.each([
    {
      what: 'a file that is no JSON',
      updates: [addRule('localSettings')],
      prepare: () => {
        mkdirSync(join(cwd, '.claude'));
        writeFileSync(String(fileOf('localSettings')), 'not JSON');
      },
      says: 'is not a JSON object',
    },
    {
      what: 'a mode that was not unlocked',
      updates: [{ type: 'setMode', mode: 'bypassPermissions', destination: 'session' } as const],
      says: 'allowDangerouslySkipPermissions',
    },
    {
      what: 'a rule that the session was opened with',
      updates: [{ ...addRule('cliArg'), type: 'removeRules' } as PermissionUpdate],
      says: 'stays in force',
    },
    {
      what: 'what is no change',
      updates: [{ type: 'addWishes', destination: 'session' } as unknown as PermissionUpdate],
      says: 'addWishes',
    },
    {
      what: 'a settings option that cannot be read',
      updates: [addRule('session')],
      options: { settings: 'missing.json' },
      says: '"settings"',
    },
  ])('is said to be lost where it cannot be done: $what', async ({ updates, prepare, options, says }) => {
    prepare?.();
    const facts = [COVERED, ASKED, answered(updates as PermissionUpdate[])];
    const { codes, warnings } = await continueWith({ facts, options: options ?? {} });
    expect(codes).toEqual(['PERMISSION_CHANGE_LOST']);
    expect(warnings.find(({ code }) => code === 'PERMISSION_CHANGE_LOST')?.message).toContain(says);
  });

  it('spells rules as the CLI does', () => {
    expect(spellRule({ toolName: 'Bash', ruleContent: String.raw`a (b) \c` })).toBe(
      String.raw`Bash(a \(b\) \\c)`,
    );
    const replaced = changePermissions({ allow: ['A', 'B'], other: 1 }, [
      { type: 'replaceRules', rules: [{ toolName: 'C' }], behavior: 'allow', destination: 'session' },
      { type: 'removeDirectories', directories: ['/x'], destination: 'session' },
    ]);
    expect(replaced).toEqual({ allow: ['C'], other: 1 });
  });
});

describe('hooks of settings files', () => {
  const hooks = (event: string, matcher?: string) => ({
    hooks: {
      [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [{ type: 'command', command: 'true' }] }],
    },
  });
  const write = (path: string, settings: object): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(settings));
  };

  it.each([
    ['of the user', 'userSettings', {}],
    ['of the project', 'projectSettings', {}],
    ['of the project that are chosen', 'localSettings', { settingSources: ['local'] }],
  ] as const)('%s that would have run after a call are named, once', async (_whose, destination, options) => {
    write(String(fileOf(destination)), hooks('PostToolUse', 'mcp__shop__.*'));
    const { codes, warnings } = await continueWith({ options: { ...options } as Options });
    expect(codes).toEqual(['SETTINGS_HOOKS_NOT_RUN']);
    const said = warnings.find(({ code }) => code === 'SETTINGS_HOOKS_NOT_RUN')?.message;
    expect(said).toContain(`PostToolUse in ${fileOf(destination)}`);
  });

  it('in the option "settings" as well', async () => {
    const { codes } = await continueWith({ options: { settings: hooks('PostToolUse') as never } });
    expect(codes).toEqual(['SETTINGS_HOOKS_NOT_RUN']);
  });

  it('for a failure are those for failures', async () => {
    write(String(fileOf('userSettings')), hooks('PostToolUseFailure'));
    expect((await continueWith({ fails: true })).codes).toEqual(['SETTINGS_HOOKS_NOT_RUN']);
  });

  it.each([
    ['do not match', hooks('PostToolUse', 'Bash'), {}],
    ['are not chosen', hooks('PostToolUse'), { settingSources: ['project'] }],
    ['are for failures', hooks('PostToolUseFailure'), {}],
    ['ran before the question', hooks('PreToolUse'), {}],
    ['are switched off', { ...hooks('PostToolUse'), disableAllHooks: true }, {}],
  ])('that %s are not named', async (_why, settings, options) => {
    write(String(fileOf('userSettings')), settings);
    expect((await continueWith({ options: { ...options } as Options })).codes).toEqual([]);
  });
});

describe('where there is nothing to write to', () => {
  it('a session on another machine without a store says so, once', async () => {
    await createCutFiles(configDir, cwd);
    const fake = createFakeCli([text('Paid.')], { allowEarlyEnd: true });
    fakes.push(fake);
    const warnings: InboardWarning[] = [];
    await using session = openSession({
      options: {
        transport: fake.transport,
        env: { CLAUDE_CONFIG_DIR: configDir },
        cwd,
        resume: SESSION,
        mcpServers: {
          shop: createSdkMcpServer({ name: 'shop', tools: [tool('pay', 'Pays.', {}, () => 'paid')] }),
        },
        onWarning: (warning) => warnings.push(warning),
      },
      interrupted: 'continue',
    });
    await (await session.continued)?.text();
    const said = warnings.filter(({ code }) => code === 'CALLS_NOT_COMPLETED');
    expect(said).toHaveLength(1);
    expect(said[0]?.message).toMatch(/nothing to write their results to.*sessionStore/);
  });
});
