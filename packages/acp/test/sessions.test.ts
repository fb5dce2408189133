// The sessions of an editor: opened, listed, loaded, switched, several at a time.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSdkMcpServer, tool } from '@inboard/inboard/index.js';
import { crash, expectControl, expectPrompt } from '@inboard/inboard/testing.js';
import { say, useTool } from '@inboard/testing/fake-cli/script/build-steps.js';
import { methods, ofKind, openEditor, refusal, textOf } from './open-editor.js';

const ID = '0b8e5f0c-9f5a-4b8e-8f0c-9f5a4b8e8f0c';

/** A folder to work in and one of the CLI's files, with transcripts of that project. */
function makeHome(transcripts: Readonly<Record<string, readonly object[]>> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'inboard-acp-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, 'work');
  const projects = join(root, 'config', 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(cwd);
  mkdirSync(projects, { recursive: true });
  for (const [id, entries] of Object.entries(transcripts)) {
    const lines = entries.map((entry) => JSON.stringify({ sessionId: id, cwd, ...entry }));
    writeFileSync(join(projects, `${id}.jsonl`), `${lines.join('\n')}\n`);
  }
  return { cwd, env: { CLAUDE_CONFIG_DIR: join(root, 'config') } };
}

const entry = (type: 'user' | 'assistant', uuid: string, parentUuid: string | null, content: unknown) => ({
  type,
  uuid,
  parentUuid,
  isSidechain: false,
  timestamp: '2026-11-16T09:00:00.000Z',
  message:
    type === 'user'
      ? { role: 'user', content }
      : { id: `msg_${uuid}`, type: 'message', role: 'assistant', model: 'm', content, usage: {} },
});

const HISTORY = [
  entry('user', 'u1', null, [{ type: 'text', text: 'Count the apples.' }]),
  entry('assistant', 'a1', 'u1', [{ type: 'thinking', thinking: 'Hm.', signature: 's' }]),
  entry('assistant', 'a2', 'a1', [
    { type: 'tool_use', id: 't1', name: 'mcp__shop__count', input: { what: 'apples' } },
  ]),
  entry('user', 'u2', 'a2', [{ type: 'tool_result', tool_use_id: 't1', content: '7 apples' }]),
  entry('assistant', 'a3', 'u2', [{ type: 'text', text: 'Seven.' }]),
];

it('says truthfully what it can do', async () => {
  const editor = await openEditor({ script: [] });
  expect(editor.initialized).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'inboard' },
    authMethods: [{ id: 'claude' }],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
    },
  });
  expect(editor.initialized.agentCapabilities?.promptCapabilities?.audio ?? false).toBe(false);
  const forgetful = await openEditor({
    script: [],
    service: { options: { persistSession: false }, name: 'shop' },
  });
  expect(forgetful.initialized.agentInfo?.name).toBe('shop');
  expect(forgetful.initialized.agentCapabilities).toMatchObject({ loadSession: false });
  expect(Object.keys(forgetful.initialized.agentCapabilities?.sessionCapabilities ?? {}).sort()).toEqual([
    'additionalDirectories',
    'close',
  ]);
});

it('opens a session where the editor works, with its folders, modes, models and commands', async () => {
  const { cwd } = makeHome();
  const editor = await openEditor({ script: [say('Here.')] });
  const opened = await editor.open({ cwd, additionalDirectories: ['/tmp'] });
  expect(editor.fake.sessions[0]).toMatchObject({ cwd, sessionId: opened.sessionId });
  expect(editor.fake.sessions[0]?.args.join(' ')).toMatch(/--add-dir[= ]\/tmp/);
  expect(opened.modes?.availableModes.map(({ id }) => id)).toEqual(['default', 'acceptEdits', 'plan']);
  expect(opened.configOptions?.map(({ id, category }) => [id, category])).toEqual([
    ['mode', 'mode'],
    ['model', 'model'],
  ]);
  await editor.prompt(opened.sessionId, 'Hi.');
  expect(ofKind(editor.updates, 'available_commands_update')[0]?.availableCommands[0]?.name).toBe('compact');
  expect(editor.updates[0]?.sessionUpdate).toBe('available_commands_update');
  const { code, message } = await refusal(editor.open({ cwd: 'work' }));
  expect([code, message]).toEqual([-32602, expect.stringContaining('"work"')]);
});

it('gives the CLI the servers of the editor beside its own', async () => {
  const count = tool({ name: 'count', description: 'Counts', inputSchema: {}, run: () => '7' });
  const editor = await openEditor({
    script: [useTool('mcp__shop__count', {}, { permission: 'skip' }), say('Seven.')],
    service: { servers: { shop: createSdkMcpServer({ name: 'shop', tools: [count] }) } },
  });
  const { sessionId } = await editor.open({
    mcpServers: [
      { name: 'files', command: '/bin/files', args: ['-x'], env: [{ name: 'A', value: 'b' }] },
      { name: 'shop', type: 'http', url: 'https://example.com/mcp', headers: [{ name: 'X', value: 'y' }] },
      { name: 'old', type: 'sse', url: 'https://example.com/sse', headers: [] },
    ],
  });
  await editor.prompt(sessionId, 'Count.');
  expect(ofKind(editor.updates, 'tool_call_update').at(-1)).toMatchObject({ status: 'completed' });
  const given = editor.fake.sessions[0]?.args.join(' ') ?? '';
  for (const part of [
    '"/bin/files"',
    '"A":"b"',
    '"shop-2"',
    '"https://example.com/mcp"',
    '"X":"y"',
    '"sse"',
  ]) {
    expect(given).toContain(part);
  }
});

it('keeps several sessions apart that are open at once', async () => {
  const editor = await openEditor({
    script: ({ index }) => [say(`I am number ${index}.`), expectPrompt(), say(`Still ${index}.`)],
  });
  const [one, two] = await Promise.all([editor.open(), editor.open()]);
  await Promise.all([editor.prompt(one.sessionId, 'a'), editor.prompt(two.sessionId, 'b')]);
  await Promise.all([editor.prompt(two.sessionId, 'c'), editor.prompt(one.sessionId, 'd')]);
  const heard = (id: string): string =>
    textOf(
      editor.updates.filter((_, index) => editor.owners[index] === id),
      'agent_message_chunk',
    );
  const first = editor.fake.sessions.findIndex(({ sessionId }) => sessionId === one.sessionId);
  expect(heard(one.sessionId)).toBe(`I am number ${first}.Still ${first}.`);
  expect(heard(two.sessionId)).toBe(`I am number ${1 - first}.Still ${1 - first}.`);
});

it('switches modes and models, and refuses what cannot be chosen', async () => {
  const editor = await openEditor({
    script: [expectControl('set_permission_mode'), expectControl('set_model'), say('Here.')],
    cli: {
      controls: {
        initialize: () => ({
          commands: [],
          models: [
            { value: 'default', displayName: 'Default', description: 'd' },
            { value: 'haiku', displayName: 'Haiku', description: 'h' },
          ],
          account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY' },
        }),
      },
    },
  });
  const { sessionId, configOptions } = await editor.open();
  expect(configOptions?.[1]).toMatchObject({ id: 'model', currentValue: 'default' });
  const { session } = methods.agent;
  await editor.agent.request(session.setMode, { sessionId, modeId: 'plan' });
  expect(ofKind(editor.updates, 'current_mode_update')).toMatchObject([{ currentModeId: 'plan' }]);
  const changed = await editor.agent.request(session.setConfigOption, {
    sessionId,
    configId: 'model',
    value: 'haiku',
  });
  expect(changed.configOptions.map(({ currentValue }) => currentValue)).toEqual(['plan', 'haiku']);
  expect(editor.fake.requests.map(({ subtype }) => subtype)).toEqual(
    expect.arrayContaining(['set_permission_mode', 'set_model']),
  );
  for (const [request, words] of [
    [editor.agent.request(session.setMode, { sessionId, modeId: 'bypassPermissions' }), /allowDangerously/],
    [editor.agent.request(session.setConfigOption, { sessionId, configId: 'model', value: 'gpt' }), /haiku/],
    [editor.agent.request(session.setConfigOption, { sessionId, configId: 'tone', value: 'x' }), /"tone"/],
  ] as const) {
    const { code, message } = await refusal(request);
    expect([code, message]).toEqual([-32602, expect.stringMatching(words)]);
  }
  const bold = await openEditor({
    script: [],
    service: { options: { allowDangerouslySkipPermissions: true } },
  });
  expect((await bold.open()).modes?.availableModes.map(({ id }) => id)).toContain('bypassPermissions');
});

it('loads a session: its history first, then it goes on', async () => {
  const { cwd, env } = makeHome({ [ID]: HISTORY });
  const editor = await openEditor({
    script: [expectPrompt('And pears?'), say('Two.')],
    service: { options: { env } },
  });
  const loaded = await editor.agent.request(methods.agent.session.load, {
    sessionId: ID,
    cwd,
    mcpServers: [],
  });
  expect(loaded?.modes?.currentModeId).toBe('default');
  // All of it was sent before the answer.
  expect(editor.updates.map(({ sessionUpdate }) => sessionUpdate).slice(0, 6)).toEqual([
    'user_message_chunk',
    'agent_thought_chunk',
    'tool_call',
    'tool_call_update',
    'tool_call_update',
    'agent_message_chunk',
  ]);
  expect(textOf(editor.updates, 'user_message_chunk')).toBe('Count the apples.');
  expect(ofKind(editor.updates, 'tool_call_update').at(-1)).toMatchObject({
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text: '7 apples' } }],
  });
  expect(editor.fake.sessions[0]?.args.join(' ')).toContain(ID);
  await editor.prompt(ID, 'And pears?');
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Seven.Two.');
});

it('keeps one CLI for a session that is asked for twice at a time', async () => {
  const { cwd, env } = makeHome({ [ID]: HISTORY });
  const editor = await openEditor({ script: () => [say('Two.')], service: { options: { env } } });
  const resume = () => editor.agent.request(methods.agent.session.resume, { sessionId: ID, cwd });
  await Promise.all([resume(), resume(), resume()]);
  expect(await editor.prompt(ID, 'And pears?')).toMatchObject({ stopReason: 'end_turn' });
  // Whichever was ready last.
  expect(editor.fake.sessions.filter(({ isOver }) => !isOver)).toHaveLength(1);
  expect(editor.fake.sessions).toHaveLength(3);
});

it('resumes a session without showing it again', async () => {
  const { cwd, env } = makeHome({ [ID]: HISTORY });
  const editor = await openEditor({ script: [say('Two.')], service: { options: { env } } });
  await editor.agent.request(methods.agent.session.resume, { sessionId: ID, cwd });
  await editor.prompt(ID, 'And pears?');
  expect(textOf(editor.updates, 'user_message_chunk')).toBe('');
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Two.');
});

it('lists sessions page by page, and deletes them', async () => {
  const ids = Array.from(
    { length: 51 },
    (_, index) => `${String(index).padStart(8, '0')}-9f5a-4b8e-8f0c-9f5a4b8e8f0c`,
  );
  const { cwd, env } = makeHome(Object.fromEntries(ids.map((id) => [id, HISTORY])));
  const editor = await openEditor({ script: [], service: { options: { env } } });
  const { list } = methods.agent.session;
  const first = await editor.agent.request(list, { cwd });
  expect(first.sessions.length).toBe(50);
  expect(first.sessions[0]).toMatchObject({ cwd, title: 'Count the apples.' });
  expect(Date.parse(first.sessions[0]?.updatedAt ?? '')).toBeGreaterThan(0);
  const rest = await editor.agent.request(list, { cwd, cursor: first.nextCursor });
  expect(rest.nextCursor ?? undefined).toBeUndefined();
  expect(new Set([...first.sessions, ...rest.sessions].map(({ sessionId }) => sessionId))).toEqual(
    new Set(ids),
  );
  await editor.agent.request(methods.agent.session.delete, { sessionId: ids[0] ?? '' });
  await editor.agent.request(methods.agent.session.delete, { sessionId: ids[0] ?? '' });
  expect((await editor.agent.request(list, { cwd })).nextCursor ?? undefined).toBeUndefined();
  expect(await refusal(editor.agent.request(list, { cwd, cursor: 'x' }))).toMatchObject({ code: -32602 });
});

it('refuses sessions that there are not', async () => {
  const { cwd, env } = makeHome();
  const editor = await openEditor({ script: [], service: { options: { env } } });
  const { session } = methods.agent;
  for (const request of [
    editor.agent.request(session.load, { sessionId: ID, cwd, mcpServers: [] }),
    editor.agent.request(session.resume, { sessionId: ID, cwd }),
    editor.prompt(ID, 'Hi.'),
  ]) {
    const { code, message } = await refusal(request);
    expect([code, message]).toEqual([-32002, expect.stringContaining(ID)]);
  }
  expect(editor.fake.sessions.length).toBe(0);
});

it('asks for a login where the CLI has none, and tries again when it is told to', async () => {
  let account: object = { tokenSource: 'none', apiProvider: 'firstParty' };
  const editor = await openEditor({
    script: [],
    cli: { controls: { initialize: () => ({ commands: [], models: [], account }) } },
  });
  const { code, message } = await refusal(editor.open());
  expect([code, message]).toEqual([-32000, expect.stringMatching(/no login.*claude.*ANTHROPIC_API_KEY/s)]);
  const again = await refusal(editor.agent.request(methods.agent.authenticate, { methodId: 'claude' }));
  expect(again.code).toBe(-32000);
  account = { tokenSource: 'claude.ai', email: 'ann@example.com' };
  await editor.agent.request(methods.agent.authenticate, { methodId: 'claude' });
  expect((await editor.open()).sessionId).toMatch(/./);
  expect(editor.fake.sessions.filter(({ isOver }) => !isOver).length).toBe(1);
});

it('works with an old CLI, which has no questions of MCP servers', async () => {
  const editor = await openEditor({ script: [say('Here.')], cli: { version: '2.1.33' } });
  const { sessionId } = await editor.open();
  await expect(editor.prompt(sessionId, 'Hi.')).resolves.toEqual({ stopReason: 'end_turn' });
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Here.');
});

it('says why a CLI does not start', async () => {
  const editor = await openEditor({
    script: [],
    service: { options: { transport: undefined, pathToClaudeCodeExecutable: '/nowhere/claude' } },
  });
  const { code, message } = await refusal(editor.open());
  expect([code, message]).toEqual([-32603, expect.stringMatching(/\/nowhere\/claude.*inboard doctor/s)]);
});

it('answers a prompt whose CLI crashes with an error, and goes on with another one', async () => {
  const editor = await openEditor({
    script: ({ index }) => (index === 0 ? [say('Well, '), crash({ code: 3 })] : [say('Back.')]),
  });
  const { sessionId } = await editor.open();
  const { code, message } = await refusal(editor.prompt(sessionId, 'one'));
  expect(code).toBe(-32603);
  expect(message).toMatch(/./);
  await expect(editor.prompt(sessionId, 'two')).resolves.toEqual({ stopReason: 'end_turn' });
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Well, Back.');
});

it('replaces the servers of sessions that are open', async () => {
  const made = (answer: string) =>
    createSdkMcpServer({
      name: 'shop',
      tools: [tool({ name: 'count', description: 'Counts', inputSchema: {}, run: () => answer })],
    });
  const editor = await openEditor({
    script: [expectPrompt('again'), useTool('mcp__shop__count', {}, { permission: 'skip' }), say('Done.')],
    service: { servers: { shop: made('7') } },
  });
  const { sessionId } = await editor.open();
  await editor.served?.replaceServers({ shop: made('8') });
  await editor.prompt(sessionId, 'again');
  expect(ofKind(editor.updates, 'tool_call_update').at(-1)).toMatchObject({
    content: [{ content: { text: '8' } }],
  });
});
