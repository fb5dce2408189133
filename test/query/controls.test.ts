// Each control's form on the wire, and what becomes of each kind of answer.
import { describe, expect, it, vi } from 'vitest';
import { ControlRequestError, SessionClosedError } from '../../src/errors.js';
import { createControls, settleQuietly, type Controls } from '../../src/query/controls.js';
import { INITIALIZE_REPLY } from '../support/steps.js';

const ANSWER = {
  mcpServers: [{ name: 's', status: 'connected' }],
  still_queued: [],
  warning: 'w',
  backgrounded: false,
  extra: 1,
};

function setUp(answer: () => Promise<unknown> = () => Promise.resolve(ANSWER)) {
  const request = vi.fn((_request: object, _options?: object) => answer());
  const session = {
    request,
    setMcpServers: vi.fn(),
    ready: vi.fn(),
    initialized: Promise.resolve(INITIALIZE_REPLY as never),
    changedCommands: undefined as never,
  };
  return { controls: createControls(session), request, session };
}

/** A call, the request it puts, and what it makes of a typical, an empty and an absent answer. */
type Row = [string, (controls: Controls) => Promise<unknown>, object, unknown, unknown, unknown];

const NOTHING = [undefined, undefined, undefined] as const;
const AS_IT_IS = [ANSWER, {}, undefined] as const;

const ROWS: Row[] = [
  ['interrupt', (c) => c.interrupt(), { subtype: 'interrupt' }, ANSWER, undefined, undefined],
  [
    'setPermissionMode',
    (c) => c.setPermissionMode('plan'),
    { subtype: 'set_permission_mode', mode: 'plan' },
    ...NOTHING,
  ],
  ['setModel', (c) => c.setModel('m'), { subtype: 'set_model', model: 'm' }, ...NOTHING],
  ['setModel to the default', (c) => c.setModel(), { subtype: 'set_model' }, ...NOTHING],
  [
    'setMaxThinkingTokens',
    (c) => c.setMaxThinkingTokens(100),
    { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 100 },
    ...NOTHING,
  ],
  [
    'setMaxThinkingTokens to none',
    (c) => c.setMaxThinkingTokens(null),
    { subtype: 'set_max_thinking_tokens', max_thinking_tokens: null },
    ...NOTHING,
  ],
  [
    'setMaxThinkingTokens with a display',
    (c) => c.setMaxThinkingTokens(5, 'omitted'),
    { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 5, thinking_display: 'omitted' },
    ...NOTHING,
  ],
  [
    'setMaxThinkingTokens with no display',
    (c) => c.setMaxThinkingTokens(5, null),
    { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 5, thinking_display: null },
    ...NOTHING,
  ],
  [
    'applyFlagSettings',
    (c) => c.applyFlagSettings({ model: 'x', permissions: null }),
    { subtype: 'apply_flag_settings', settings: { model: 'x', permissions: null } },
    ...NOTHING,
  ],
  [
    'updateSettings',
    (c) => c.updateSettings('localSettings', { outputStyle: 'x' }),
    { subtype: 'update_settings', source: 'localSettings', settings: { outputStyle: 'x' } },
    ...NOTHING,
  ],
  ['mcpServerStatus', (c) => c.mcpServerStatus(), { subtype: 'mcp_status' }, ANSWER.mcpServers, [], []],
  [
    'setMcpPermissionModeOverride',
    (c) => c.setMcpPermissionModeOverride('s', 'auto'),
    { subtype: 'set_mcp_permission_mode_override', serverName: 's', mode: 'auto' },
    ANSWER,
    {},
    {},
  ],
  [
    'setMcpPermissionModeOverride back',
    (c) => c.setMcpPermissionModeOverride('s', null),
    { subtype: 'set_mcp_permission_mode_override', serverName: 's', mode: null },
    ANSWER,
    {},
    {},
  ],
  ['getContextUsage', (c) => c.getContextUsage(), { subtype: 'get_context_usage' }, ...AS_IT_IS],
  [
    'getContextUsage in short',
    (c) => c.getContextUsage({ detail: 'summary' }),
    { subtype: 'get_context_usage', detail: 'summary' },
    ...AS_IT_IS,
  ],
  [
    'usage',
    (c) => c.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(),
    { subtype: 'get_usage' },
    ...AS_IT_IS,
  ],
  [
    'usage without behaviors',
    (c) => c.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true }),
    { subtype: 'get_usage', skip_behaviors: true },
    ...AS_IT_IS,
  ],
  ['readFile', (c) => c.readFile('p'), { subtype: 'read_file', path: 'p' }, ...AS_IT_IS],
  [
    'readFile with options',
    (c) => c.readFile('p', { maxBytes: 5, encoding: 'base64' }),
    { subtype: 'read_file', path: 'p', max_bytes: 5, encoding: 'base64' },
    ...AS_IT_IS,
  ],
  ['reloadPlugins', (c) => c.reloadPlugins(), { subtype: 'reload_plugins' }, ...AS_IT_IS],
  [
    'reloadPlugins with options',
    (c) =>
      c.reloadPlugins({
        holdOnCacheImpact: true,
        addPlugins: [{ type: 'local', path: '/p' }],
        refuseIfBusy: true,
      }),
    {
      subtype: 'reload_plugins',
      hold_on_cache_impact: true,
      add_plugins: [{ type: 'local', path: '/p' }],
      refuse_if_busy: true,
    },
    ...AS_IT_IS,
  ],
  ['reloadSkills', (c) => c.reloadSkills(), { subtype: 'reload_skills' }, ...AS_IT_IS],
  ['reloadOutputStyles', (c) => c.reloadOutputStyles(), { subtype: 'reload_output_styles' }, ...AS_IT_IS],
  ['rewindFiles', (c) => c.rewindFiles('u'), { subtype: 'rewind_files', user_message_id: 'u' }, ...AS_IT_IS],
  [
    'rewindFiles on paper',
    (c) => c.rewindFiles('u', { dryRun: true }),
    { subtype: 'rewind_files', user_message_id: 'u', dry_run: true },
    ...AS_IT_IS,
  ],
  [
    'seedReadState',
    (c) => c.seedReadState('/p', 123),
    { subtype: 'seed_read_state', path: '/p', mtime: 123 },
    ...NOTHING,
  ],
  [
    'reconnectMcpServer',
    (c) => c.reconnectMcpServer('s'),
    { subtype: 'mcp_reconnect', serverName: 's' },
    ...NOTHING,
  ],
  [
    'toggleMcpServer',
    (c) => c.toggleMcpServer('s', false),
    { subtype: 'mcp_toggle', serverName: 's', enabled: false },
    ...NOTHING,
  ],
  [
    'readMcpResource',
    (c) => c.readMcpResource('s', 'ui://x'),
    { subtype: 'mcp_read_resource', serverName: 's', uri: 'ui://x' },
    ...AS_IT_IS,
  ],
  ['stopTask', (c) => c.stopTask('t1'), { subtype: 'stop_task', task_id: 't1' }, ...NOTHING],
  ['backgroundTasks', (c) => c.backgroundTasks(), { subtype: 'background_tasks' }, false, true, true],
  [
    'backgroundTasks of a tool use',
    (c) => c.backgroundTasks('tu1'),
    { subtype: 'background_tasks', tool_use_id: 'tu1' },
    false,
    true,
    true,
  ],
  [
    'request',
    (c) => c.request('get_settings', { extra: 1, left: undefined }),
    { subtype: 'get_settings', extra: 1 },
    ...AS_IT_IS,
  ],
];

describe.each(ROWS)('%s', (_name, call, wire, typical, empty, absent) => {
  it('puts one request, with the keys that were given and no others, in their order', async () => {
    const { controls, request } = setUp();
    await call(controls);
    expect(request).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(request.mock.calls[0]?.[0])).toBe(JSON.stringify(wire));
  });

  it('makes of an answer what it should', async () => {
    for (const [answer, expected] of [
      [ANSWER, typical],
      [{}, empty],
      [undefined, absent],
    ]) {
      const { controls } = setUp(() => Promise.resolve(answer));
      expect(await call(controls)).toEqual(expected);
    }
  });

  it('passes a refusal on, and does not trouble a host that does not listen', async () => {
    const error = new ControlRequestError('x', 'BOOM', 'busy');
    const { controls } = setUp(() => Promise.reject(error));
    void call(controls);
    if (_name.startsWith('readFile')) await expect(call(controls)).resolves.toBeNull();
    else await expect(call(controls)).rejects.toBe(error);
    const over = new SessionClosedError();
    await expect(call(setUp(() => Promise.reject(over)).controls)).rejects.toBe(over);
  });
});

describe('what the handshake told', () => {
  it('is read without a request', async () => {
    const { controls, request } = setUp();
    expect(await controls.initializationResult()).toEqual(INITIALIZE_REPLY);
    expect(await controls.supportedCommands()).toEqual(INITIALIZE_REPLY.commands);
    expect(await controls.supportedModels()).toEqual(INITIALIZE_REPLY.models);
    expect(await controls.supportedAgents()).toEqual(INITIALIZE_REPLY.agents);
    expect(await controls.accountInfo()).toEqual(INITIALIZE_REPLY.account);
    expect(request).not.toHaveBeenCalled();
  });

  it('gives no agents where an old CLI tells of none', async () => {
    const { session } = setUp();
    const controls = createControls({
      ...session,
      initialized: Promise.resolve({ ...INITIALIZE_REPLY, agents: undefined } as never),
    });
    expect(await controls.supportedAgents()).toEqual([]);
  });

  it('is outdone by what was told later of the commands', async () => {
    const later = [{ name: 'new', description: '', argumentHint: '' }];
    const { session } = setUp();
    const controls = createControls({ ...session, changedCommands: later });
    expect(await controls.supportedCommands()).toBe(later);
  });

  it('rejects as the handshake did, and only for those who ask', async () => {
    const error = new Error('refused');
    const initialized = Promise.reject(error);
    initialized.catch(() => {});
    const { session } = setUp();
    const controls = createControls({ ...session, initialized });
    void controls.accountInfo();
    await expect(controls.supportedModels()).rejects.toBe(error);
  });
});

describe('request()', () => {
  it('passes its signal on', async () => {
    const { controls, request } = setUp();
    const { signal } = new AbortController();
    await controls.request('mcp_status', {}, { signal });
    expect(request.mock.calls[0]?.[1]).toEqual({ signal });
  });
});

describe('settleQuietly', () => {
  it('gives back the same promise', async () => {
    const promise = Promise.reject(new Error('x'));
    expect(settleQuietly(promise)).toBe(promise);
    await expect(promise).rejects.toThrow('x');
  });
});
