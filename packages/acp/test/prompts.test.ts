// What an editor sees of a turn: texts, thoughts, calls, differences, the plan, usage, and how it ends.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSdkMcpServer, tool } from '@inboard/inboard/index.js';
import {
  compact,
  endTurn,
  expectPrompt,
  reply,
  send,
  text,
  thinking,
  toolUse,
} from '@inboard/inboard/testing.js';
import { say, think, useTool } from '@inboard/testing/fake-cli/script/build-steps.js';
import { methods, ofKind, openEditor, refusal, textOf } from './open-editor.js';

function shop() {
  const count = tool({
    name: 'count',
    description: 'Counts',
    inputSchema: { what: 'string' },
    run: ({ what }) => `7 ${what}`,
  });
  return createSdkMcpServer({ name: 'shop', tools: [count] });
}

it('streams texts and thoughts, each once and with the id of its message, and ends the turn after them', async () => {
  const editor = await openEditor({ script: [reply(thinking('Let me see. '), text(['Good ', 'morning.']))] });
  const { sessionId } = await editor.open();
  const answer = await editor.prompt(sessionId, 'Hello');
  expect(answer).toEqual({ stopReason: 'end_turn' });
  expect(editor.fake.sessions[0]?.prompts).toEqual(['Hello']);
  expect(textOf(editor.updates, 'agent_thought_chunk')).toBe('Let me see. ');
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Good morning.');
  const chunks = ofKind(editor.updates, 'agent_message_chunk');
  expect(chunks.length).toBe(2);
  expect(new Set(chunks.map(({ messageId }) => messageId)).size).toBe(1);
  expect(chunks[0]?.messageId).toMatch(/./);
  expect(new Set(editor.owners)).toEqual(new Set([sessionId]));
});

it('shows a call of an in-process tool from its announcement to its result', async () => {
  const editor = await openEditor({
    script: [useTool('mcp__shop__count', { what: 'apples' }, { id: 'c1' }), say('Seven.')],
    service: { servers: { shop: shop() } },
  });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'How many?');
  const [call] = ofKind(editor.updates, 'tool_call');
  expect(call).toMatchObject({ toolCallId: 'c1', title: 'count (shop)', kind: 'other', status: 'pending' });
  expect(call?.name).toBe('mcp__shop__count');
  const changes = ofKind(editor.updates, 'tool_call_update').filter(({ toolCallId }) => toolCallId === 'c1');
  // Asked about before or after its message was read: it waits until it is allowed, and runs then.
  const statuses = changes.flatMap(({ status }) => status ?? []);
  expect(statuses.filter((status) => status !== 'pending').slice(-2)).toEqual(['in_progress', 'completed']);
  expect(statuses.at(-1)).toBe('completed');
  expect([call, ...changes].find((one) => one?.rawInput !== undefined)?.rawInput).toEqual({ what: 'apples' });
  expect(changes.at(-1)?.content).toEqual([{ type: 'content', content: { type: 'text', text: '7 apples' } }]);
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Seven.');
});

it('shows changes of files as differences, and output of commands as text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-acp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.txt');
  writeFileSync(file, 'old\n');
  const options = { permission: 'skip' } as const;
  const editor = await openEditor({
    script: [
      useTool('Write', { file_path: file, content: 'new\n' }, { ...options, id: 'w', result: 'Written.' }),
      useTool(
        'Edit',
        { file_path: 'b.txt', old_string: 'x', new_string: 'y' },
        { ...options, id: 'e', result: '<tool_use_error>No such file</tool_use_error>', isError: true },
      ),
      useTool('Bash', { command: 'ls -la' }, { ...options, id: 'b', result: 'a.txt\n```\n' }),
      useTool('Read', { file_path: file, offset: 3 }, { ...options, id: 'r', result: '1 old' }),
      say('Done.'),
    ],
  });
  const { sessionId } = await editor.open({ cwd: folder });
  await editor.prompt(sessionId, 'Go.');
  const shown = (id: string) =>
    editor.updates.flatMap((update) => ('toolCallId' in update && update.toolCallId === id ? [update] : []));
  expect(shown('w').find((one) => 'content' in one)).toMatchObject({
    title: 'Write a.txt',
    kind: 'edit',
    locations: [{ path: file }],
    content: [{ type: 'diff', path: file, oldText: 'old\n', newText: 'new\n' }],
  });
  // What was there before stays, without the model's text about it.
  expect(shown('w').at(-1)).toMatchObject({ status: 'completed' });
  expect(shown('w').at(-1)).not.toHaveProperty('content');
  expect(shown('e').at(-1)).toMatchObject({
    status: 'failed',
    content: [
      { type: 'diff', path: join(folder, 'b.txt'), oldText: 'x', newText: 'y' },
      { type: 'content', content: { type: 'text', text: 'No such file' } },
    ],
  });
  expect(shown('b').find((one) => 'rawInput' in one)).toMatchObject({ title: 'ls -la', kind: 'execute' });
  expect(shown('b').at(-1)).toMatchObject({
    content: [{ type: 'content', content: { type: 'text', text: '````console\na.txt\n```\n````' } }],
  });
  expect(shown('r').find((one) => 'locations' in one)).toMatchObject({
    kind: 'read',
    locations: [{ path: file, line: 3 }],
  });
});

it('makes a plan of the task list, in place of calls', async () => {
  const todos = [
    { content: 'Look', status: 'completed', activeForm: 'Looking' },
    { content: 'Mend', status: 'in_progress', activeForm: 'Mending' },
  ];
  const editor = await openEditor({
    script: [useTool('TodoWrite', { todos }, { permission: 'skip', result: 'Saved.' }), say('Yes.')],
  });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Plan.');
  expect(ofKind(editor.updates, 'plan')).toEqual([
    {
      sessionUpdate: 'plan',
      entries: [
        { content: 'Look', priority: 'medium', status: 'completed' },
        { content: 'Mend', priority: 'medium', status: 'in_progress' },
      ],
    },
  ]);
  expect(ofKind(editor.updates, 'tool_call')).toEqual([]);
});

it('reports how full the context is, and what the session cost', async () => {
  const editor = await openEditor({
    script: [
      say('Hi.'),
      endTurn({
        fields: { total_cost_usd: 0.25, modelUsage: { 'fake-model': { contextWindow: 200_000 } } },
      }),
    ],
  });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Hi.');
  const [usage] = ofKind(editor.updates, 'usage_update');
  expect(usage).toMatchObject({ size: 200_000, cost: { amount: 0.25, currency: 'USD' } });
  expect(usage?.used).toBeGreaterThan(0);
});

it.each([
  [{ stopReason: 'max_tokens' }, 'max_tokens'],
  [{ stopReason: 'refusal' }, 'refusal'],
  [{ subtype: 'error_max_turns', isError: true }, 'max_turn_requests'],
  [{ fields: { terminal_reason: 'hook_stopped' } }, 'end_turn'],
])('ends as %j with the reason %s', async (end, stopReason) => {
  const editor = await openEditor({ script: [say('So far.'), endTurn(end)] });
  const { sessionId } = await editor.open();
  await expect(editor.prompt(sessionId, 'Go.')).resolves.toEqual({ stopReason });
});

it('answers a turn that failed with an error that says what to do, and the next prompt works', async () => {
  const editor = await openEditor({
    script: [
      expectPrompt('one'),
      endTurn({ apiError: { status: 529, type: 'overloaded_error', message: 'Overloaded' } }),
      expectPrompt('two'),
      endTurn({ apiError: { status: 401, message: 'Invalid API key · Please run /login' } }),
      expectPrompt('three'),
      say('Here I am.'),
    ],
  });
  const { sessionId } = await editor.open();
  const busy = await refusal(editor.prompt(sessionId, 'one'));
  expect(busy.code).toBe(-32603);
  expect(busy.message).toMatch(/Overloaded.*may succeed later/s);
  // What the CLI writes in the model's place is not shown as an answer, too.
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('');
  const unknown = await refusal(editor.prompt(sessionId, 'two'));
  expect(unknown.code).toBe(-32000);
  expect(unknown.message).toMatch(/ANTHROPIC_API_KEY/);
  await expect(editor.prompt(sessionId, 'three')).resolves.toEqual({ stopReason: 'end_turn' });
});

it('passes on images, links and attached texts, and refuses what no model reads', async () => {
  const editor = await openEditor({ script: [say('Seen.')] });
  const { sessionId } = await editor.open();
  const ask = (prompt: unknown) =>
    editor.agent.request(methods.agent.session.prompt, { sessionId, prompt } as never);
  await ask([
    { type: 'text', text: 'Compare' },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'resource_link', name: 'a.ts', uri: 'file:///tmp/a%20b.ts' },
    { type: 'resource', resource: { uri: 'file:///tmp/b.ts', text: 'let b = `x`;' } },
    { type: 'resource', resource: { uri: 'https://x/c.pdf', mimeType: 'application/pdf', blob: 'aGk=' } },
  ]);
  const line = editor.fake.log.find(({ frame }) => frame?.['type'] === 'user');
  expect((line?.frame?.['message'] as { content: unknown } | undefined)?.content).toEqual([
    { type: 'text', text: 'Compare' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
    { type: 'text', text: '[a.ts](/tmp/a b.ts)' },
    { type: 'text', text: 'Attached: /tmp/b.ts\n```\nlet b = `x`;\n```' },
    {
      type: 'document',
      title: 'https://x/c.pdf',
      source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
    },
  ]);
  for (const [prompt, words] of [
    [[], /empty/],
    [[{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }], /audio/],
    [[{ type: 'image', data: 'aGk=', mimeType: 'image/tiff' }], /image\/tiff/],
    [[{ type: 'resource', resource: { uri: 'file:///x.bin', blob: 'aGk=' } }], /x\.bin/],
  ] as const) {
    const { code, message } = await refusal(ask(prompt));
    expect({ code, message }).toEqual({ code: -32602, message: expect.stringMatching(words) as string });
  }
});

it('tells of retries and compactions where the editor can show them, and keeps quiet elsewhere', async () => {
  const script = [
    send({
      type: 'system',
      subtype: 'api_retry',
      attempt: 2,
      max_retries: 10,
      retry_delay_ms: 4200,
      error_status: 529,
    }),
    send({ type: 'system', subtype: 'session_title_changed', title: 'Apples' }),
    send({
      type: 'system',
      subtype: 'commands_changed',
      commands: [{ name: 'tidy', description: 'Tidies', argumentHint: '<where>' }],
    }),
    send({ type: 'system', subtype: 'local_command_output', content: 'Cost: 1' }),
    think('Hm.'),
    say('Yes.'),
    expectPrompt('/compact'),
    compact(),
  ];
  const loud = await openEditor({ script, capabilities: { session: { notices: {}, compaction: {} } } });
  const quiet = await openEditor({ script });
  for (const editor of [loud, quiet]) {
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, 'Go.');
    await editor.prompt(sessionId, '/compact');
    expect(ofKind(editor.updates, 'session_info_update')).toMatchObject([{ title: 'Apples' }]);
    expect(ofKind(editor.updates, 'available_commands_update').at(-1)?.availableCommands).toEqual([
      { name: 'tidy', description: 'Tidies', input: { hint: '<where>' } },
    ]);
    expect(textOf(editor.updates, 'agent_message_chunk')).toMatch(/Cost: 1/);
  }
  expect(ofKind(loud.updates, 'notice')).toMatchObject([
    { severity: 'warning', title: 'The API answered 529; trying again in 4 s' },
  ]);
  expect(
    ofKind(loud.updates, 'compaction_update').map(({ status, compactionId }) => [compactionId, status]),
  ).toEqual([
    ['compaction-1', 'in_progress'],
    ['compaction-1', 'completed'],
  ]);
  expect(ofKind(quiet.updates, 'notice')).toEqual([]);
  expect(ofKind(quiet.updates, 'compaction_update')).toEqual([]);
});

it('announces a call while its input is still being written', async () => {
  const editor = await openEditor({
    script: [toolUse('Bash', { command: 'ls' }, { id: 'b', permission: 'skip', result: 'x' }), text('Ok.')],
  });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Go.');
  const [call] = ofKind(editor.updates, 'tool_call');
  expect(call).toMatchObject({ toolCallId: 'b', kind: 'execute', status: 'pending' });
});
