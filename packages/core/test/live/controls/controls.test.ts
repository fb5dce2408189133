// Each control's form on the wire, and what becomes of each kind of answer.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AbortError,
  ControlRequestError,
  ControlTimeoutError,
  SessionClosedError,
} from '../../../src/errors.js';
import { createControls } from '../../../src/live/controls/control-methods.js';
import { CONTROLS } from '../../../src/live/controls/control-table.js';
import type { ControlOptions, Controls } from '../../../src/live/controls/controls.js';
import { settleQuietly } from '../../../src/util/settle-quietly.js';
import { INITIALIZE_REPLY } from '../../../../../test/support/steps.js';

const ANSWER = {
  mcpServers: [{ name: 's', status: 'connected' }],
  still_queued: [],
  warning: 'w',
  backgrounded: false,
  models: [{ value: 'm', displayName: 'M', description: '' }],
  suggestions: [{ path: 'a.txt' }],
  text: 'Total cost: $0',
  cancelled: true,
  extra: 1,
};

function setUp(answer: () => Promise<unknown> = () => Promise.resolve(ANSWER)) {
  const request = vi.fn((_request: object, _options?: object) => answer());
  const session = {
    request,
    setMcpServers: vi.fn((_servers: object, _options?: object) => answer() as never),
    reinitialize: vi.fn((_options?: object) => answer() as never),
    capabilities: {
      known: { version: '2.1.325', names: ['some_v1'] },
      has: (name: string) => name === 'some_v1',
    },
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
    'usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET',
    (c) => c.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(),
    { subtype: 'get_usage' },
    ...AS_IT_IS,
  ],
  [
    'usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET without behaviors',
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
      }),
    {
      subtype: 'reload_plugins',
      hold_on_cache_impact: true,
      add_plugins: [{ type: 'local', path: '/p' }],
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
  [
    'interrupt with what waits',
    (c) => c.interrupt({ cancelQueued: true }),
    { subtype: 'interrupt', cancel_queued: true },
    ANSWER,
    undefined,
    undefined,
  ],
  ['listModels', (c) => c.listModels(), { subtype: 'list_models' }, ANSWER.models, [], []],
  [
    'callMcpTool',
    (c) => c.callMcpTool('mcp__s__t', { a: 1 }),
    { subtype: 'mcp_call', tool: 'mcp__s__t', arguments: { a: 1 } },
    ...AS_IT_IS,
  ],
  [
    'callMcpTool without input',
    (c) => c.callMcpTool('mcp__s__t'),
    { subtype: 'mcp_call', tool: 'mcp__s__t', arguments: {} },
    ...AS_IT_IS,
  ],
  ['getSessionCost', (c) => c.getSessionCost(), { subtype: 'get_session_cost' }, ANSWER.text, '', ''],
  ['getSettings', (c) => c.getSettings(), { subtype: 'get_settings' }, ...AS_IT_IS],
  ['listPermissionRules', (c) => c.listPermissionRules(), { subtype: 'list_permission_rules' }, ...AS_IT_IS],
  ['getHooksListing', (c) => c.getHooksListing(), { subtype: 'get_hooks_listing' }, ...AS_IT_IS],
  [
    'fileSuggestions',
    (c) => c.fileSuggestions('a'),
    { subtype: 'file_suggestions', query: 'a' },
    ANSWER.suggestions,
    [],
    [],
  ],
  [
    'registerRepoRoot',
    (c) => c.registerRepoRoot('/r'),
    { subtype: 'register_repo_root', directory: '/r' },
    ...NOTHING,
  ],
  [
    'registerRepoRoot with all that is in it',
    (c) => c.registerRepoRoot('/r', { reloadClaudeMd: true, reloadPlugins: true, reloadSkills: true }),
    {
      subtype: 'register_repo_root',
      directory: '/r',
      reload_claude_md: true,
      reload_plugins: true,
      reload_skills: true,
    },
    ...NOTHING,
  ],
  ['getTaskOutput', (c) => c.getTaskOutput('t1'), { subtype: 'get_task_output', task_id: 't1' }, ...AS_IT_IS],
  [
    'cancelQueuedMessage',
    (c) => c.cancelQueuedMessage('u1'),
    { subtype: 'cancel_async_message', message_uuid: 'u1' },
    true,
    false,
    false,
  ],
  [
    'renameSession',
    (c) => c.renameSession('T'),
    { subtype: 'rename_session', title: 'T', source: 'host' },
    ...NOTHING,
  ],
  [
    'renameSession of another',
    (c) => c.renameSession('T', 'id'),
    { subtype: 'rename_session', title: 'T', source: 'host', session_id: 'id' },
    ...NOTHING,
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

it('has a row for every method that puts a request of its own', () => {
  const methods = Object.entries(CONTROLS).flatMap(([name, row]) => ('call' in row ? [] : [name]));
  const tested = new Set(ROWS.map(([name]) => name.split(' ')[0]));
  expect(methods.filter((name) => !tested.has(name))).toEqual([]);
});

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

describe('a field that old CLIs drop without a word', () => {
  const ROWS: [string, string, (c: Controls) => Promise<unknown>, object][] = [
    [
      'refuseIfBusy',
      'reload_plugins_refuse_if_busy_v1',
      (c) => c.reloadPlugins({ refuseIfBusy: true }),
      { subtype: 'reload_plugins', refuse_if_busy: true },
    ],
    [
      'checkPermissions',
      'mcp_call_check_permissions_v1',
      (c) => c.callMcpTool('t', {}, { checkPermissions: true }),
      { subtype: 'mcp_call', tool: 't', arguments: {}, check_permissions: true },
    ],
    [
      'resultNotForModel',
      'mcp_call_result_not_for_model_v1',
      (c) => c.callMcpTool('t', {}, { resultNotForModel: true }),
      { subtype: 'mcp_call', tool: 't', arguments: {}, result_not_for_model: true },
    ],
  ];

  it.each(ROWS)('%s is sent to a CLI that names it', async (_field, capability, call, wire) => {
    const { session, request } = setUp();
    const capabilities = { ...session.capabilities, has: (name: string) => name === capability };
    await call(createControls({ ...session, capabilities }));
    expect(request.mock.calls[0]?.[0]).toEqual(wire);
  });

  it.each(ROWS)(
    '%s is refused where the CLI does not name it, and nothing is sent',
    async (field, _capability, call) => {
      const { controls, request } = setUp();
      const error = await call(controls).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ControlRequestError);
      expect(error).toMatchObject({ errorCode: 'unsupported_field' });
      expect((error as Error).message).toContain(`"${field}"`);
      expect(request).not.toHaveBeenCalled();
    },
  );
});

describe('limits', () => {
  /** Every control, with limits where it takes them. */
  const CALLS: Record<
    Exclude<keyof Controls, 'request'>,
    (c: Controls, limits: ControlOptions) => Promise<unknown>
  > = {
    interrupt: (c, o) => c.interrupt(o),
    setPermissionMode: (c, o) => c.setPermissionMode('plan', o),
    setModel: (c, o) => c.setModel('m', o),
    setMaxThinkingTokens: (c, o) => c.setMaxThinkingTokens(1, undefined, o),
    initializationResult: (c, o) => c.initializationResult(o),
    reinitialize: (c, o) => c.reinitialize(o),
    capabilities: (c, o) => c.capabilities(o),
    supports: (c, o) => c.supports('x', o),
    supportedCommands: (c, o) => c.supportedCommands(o),
    supportedModels: (c, o) => c.supportedModels(o),
    supportedAgents: (c, o) => c.supportedAgents(o),
    accountInfo: (c, o) => c.accountInfo(o),
    listModels: (c, o) => c.listModels(o),
    setMcpServers: (c, o) => c.setMcpServers({}, o),
    mcpServerStatus: (c, o) => c.mcpServerStatus(o),
    reconnectMcpServer: (c, o) => c.reconnectMcpServer('s', o),
    toggleMcpServer: (c, o) => c.toggleMcpServer('s', true, o),
    setMcpPermissionModeOverride: (c, o) => c.setMcpPermissionModeOverride('s', null, o),
    readMcpResource: (c, o) => c.readMcpResource('s', 'u', o),
    callMcpTool: (c, o) => c.callMcpTool('t', {}, o),
    getContextUsage: (c, o) => c.getContextUsage(o),
    usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: (c, o) =>
      c.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(o),
    getSessionCost: (c, o) => c.getSessionCost(o),
    getSettings: (c, o) => c.getSettings(o),
    applyFlagSettings: (c, o) => c.applyFlagSettings({}, o),
    updateSettings: (c, o) => c.updateSettings('userSettings', {}, o),
    listPermissionRules: (c, o) => c.listPermissionRules(o),
    getHooksListing: (c, o) => c.getHooksListing(o),
    rewindFiles: (c, o) => c.rewindFiles('u', o),
    seedReadState: (c, o) => c.seedReadState('/p', 1, o),
    readFile: (c, o) => c.readFile('p', o),
    fileSuggestions: (c, o) => c.fileSuggestions('q', o),
    registerRepoRoot: (c, o) => c.registerRepoRoot('/r', o),
    reloadPlugins: (c, o) => c.reloadPlugins(o),
    reloadSkills: (c, o) => c.reloadSkills(o),
    reloadOutputStyles: (c, o) => c.reloadOutputStyles(o),
    getTaskOutput: (c, o) => c.getTaskOutput('t', o),
    stopTask: (c, o) => c.stopTask('t', o),
    backgroundTasks: (c, o) => c.backgroundTasks(undefined, o),
    cancelQueuedMessage: (c, o) => c.cancelQueuedMessage('u', o),
    renameSession: (c, o) => c.renameSession('t', undefined, o),
  };
  const NEVER = new Promise<never>(() => {});

  function setUpSilent() {
    const signals: (AbortSignal | undefined)[] = [];
    const wait = (options?: { signal?: AbortSignal | undefined }): Promise<never> => {
      signals.push(options?.signal);
      return NEVER;
    };
    const controls = createControls({
      ...setUp().session,
      request: (_request, options) => wait(options),
      setMcpServers: (_servers, options) => wait(options),
      reinitialize: wait,
      initialized: NEVER,
    });
    return { controls, signals };
  }

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(Object.entries(CALLS))(
    '%s ends when its time is over, and gives up what it asked',
    async (_name, call) => {
      const { controls, signals } = setUpSilent();
      const error = call(controls, { timeoutMs: 50 }).catch((thrown: unknown) => thrown);
      await vi.advanceTimersByTimeAsync(49);
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await error).toBeInstanceOf(ControlTimeoutError);
      expect(await error).toMatchObject({ code: 'CONTROL_TIMEOUT', limitMs: 50 });
      expect(signals.every((signal) => signal?.aborted)).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it.each(Object.entries(CALLS))('%s ends with its signal', async (_name, call) => {
    const { controls, signals } = setUpSilent();
    const controller = new AbortController();
    const error = call(controls, { signal: controller.signal }).catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(0);
    controller.abort('enough');
    expect(await error).toBeInstanceOf(AbortError);
    expect(await error).toMatchObject({ cause: 'enough' });
    expect(signals.every((signal) => signal?.aborted)).toBe(true);
  });

  it('leaves neither timer nor listener when the answer comes', async () => {
    const { controls } = setUp();
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    await controls.setModel('m', { timeoutMs: 1000, signal: controller.signal });
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it('asks nothing with a signal that has fired, or a time that is none', async () => {
    const { controls, request } = setUp();
    await expect(controls.setModel('m', { signal: AbortSignal.abort('no') })).rejects.toBeInstanceOf(
      AbortError,
    );
    for (const timeoutMs of [-1, Number.NaN, '5' as never]) {
      await expect(controls.setModel('m', { timeoutMs })).rejects.toMatchObject({ options: ['timeoutMs'] });
    }
    expect(request).not.toHaveBeenCalled();
  });

  it('waits as long as a timer can for a time beyond it', async () => {
    const { controls } = setUpSilent();
    const ended = vi.fn();
    controls.setModel('m', { timeoutMs: Infinity }).catch(ended);
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).not.toHaveBeenCalled();
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
    expect(await controls.capabilities()).toEqual({ version: '2.1.325', names: ['some_v1'] });
    expect(await controls.supports('some_v1')).toBe(true);
    expect(await controls.supports('other_v1')).toBe(false);
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
  it('may be given up', async () => {
    const { controls, request } = setUp(() => new Promise(() => {}));
    const controller = new AbortController();
    const answer = controls.request('mcp_status', {}, { signal: controller.signal });
    controller.abort('enough');
    await expect(answer).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' });
    expect(request.mock.calls[0]?.[1]).toMatchObject({ signal: { aborted: true } });
  });
});

describe('settleQuietly', () => {
  it('gives back the same promise', async () => {
    const promise = Promise.reject(new Error('x'));
    expect(settleQuietly(promise)).toBe(promise);
    await expect(promise).rejects.toThrow('x');
  });
});
