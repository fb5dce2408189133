// Servers of tools: changing while they are used, shared, of other makes, outside this process.
import { fileURLToPath } from 'node:url';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { expect } from 'vitest';
import { z } from 'zod';
import { isRunning } from '../../support/is-running.js';
import { waitUntil } from '../../support/wait-until.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { createSdkMcpServer, mcpPrompt, mcpResource, text, tool, toolUse } from '../support/inboard.js';
import type { SdkMcpServer, SessionToolEvent } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { ask, openTalk, readRest, resultsOf } from '../support/talk.js';

const stdioServer = fileURLToPath(new URL('../support/stdio-server.mjs', import.meta.url));

/** A server with one tool that says who it is. */
function createNamed(name: string, answer = name): SdkMcpServer {
  const who = tool({ name: 'who', description: 'Tells its name', run: () => `I am ${answer}` });
  return createSdkMcpServer({ name, tools: [who] });
}

async function addAToolInATurn(cli: Cli): Promise<void> {
  const isNew = cli.isNew;
  const calls = isNew ? [toolUse('mcp__shop__cellar')] : [];
  const script = [toolUse('mcp__shop__unlock'), ...calls, text('One.'), text('Two.')];
  await onStage(cli, { script, options: { allowedTools: ['mcp__shop'] } }, async (stage) => {
    const talk = openTalk();
    const shop: SdkMcpServer = createSdkMcpServer({
      name: 'shop',
      alwaysLoad: true,
      tools: [
        tool('unlock', 'Unlocks the cellar', {}, async () => {
          const listsBefore = countLists();
          shop.instance.registerTool(
            'cellar',
            { description: 'What is below', inputSchema: {}, alwaysLoad: true },
            () => 'Wine.',
          );
          // The older CLI takes the news and does not look.
          if (isNew) await act.wire.waitFor(() => countLists() > listsBefore);
          return 'It is open.';
        }),
      ],
    });
    const act = stage.start(talk.prompt, { mcpServers: { shop } });
    const countLists = (): number =>
      act.wire.mcpMessages().filter(({ method }) => method === 'tools/list').length;
    await ask(act, talk, 'Unlock it.');
    const [first, second, third] = stage.model.conversation;
    expect(first?.toolNames).not.toContain('mcp__shop__cellar');
    if (isNew) {
      expect(second?.toolNames).toContain('mcp__shop__cellar');
      expect(third?.toolResults).toMatchObject([{ isError: false, text: 'Wine.' }]);
    }
    expect(act.warnings).toEqual([]);
    // Where a tool never arrives, the next turn says so.
    await ask(act, talk, 'And now?');
    if (isNew) {
      expect(act.warnings).toEqual([]);
    } else {
      expect(act.warnings).toMatchObject([{ code: 'TOOLS_MISSING' }]);
      expect(act.warnings[0]?.message).toContain('mcp__shop__cellar');
    }
    talk.end();
    expect(await readRest(act.query)).toMatchObject({ error: undefined });
  });
}

async function shareAServer(cli: Cli): Promise<void> {
  // Each session waits inside its call for the other to be there.
  const inside: string[] = [];
  let tellBoth: () => void = () => {};
  const both = new Promise<void>((resolve) => {
    tellBoth = resolve;
  });
  const meet = tool('meet', 'Meets', {}, async (_args, { sessionId }) => {
    inside.push(String(sessionId));
    if (inside.length === 2) tellBoth();
    await both;
    return `session ${sessionId}`;
  });
  const mcpServers = { hall: createSdkMcpServer({ name: 'hall', tools: [meet] }) };
  const conversation = {
    when: () => true,
    perSession: true,
    script: [toolUse('mcp__hall__meet'), text('Met.')],
  };
  const options = { mcpServers, allowedTools: ['mcp__hall'] };
  await onStage(cli, { conversations: [conversation], options }, async (stage) => {
    const ends = await Promise.all(['One.', 'Two.'].map((words) => readRest(stage.start(words).query)));
    expect(ends.map(({ error }) => error)).toEqual([undefined, undefined]);
    const sessions = ends.map(({ messages }) => String(resultsOf(messages)[0]?.session_id));
    expect(new Set(sessions).size).toBe(2);
    expect(inside.toSorted()).toEqual(sessions.toSorted());
    const told = stage.model.conversation.filter(({ toolResults }) => toolResults.length > 0);
    expect(told.map(({ sessionId, toolResults }) => [toolResults[0]?.text, sessionId])).toEqual(
      told.map(({ sessionId }) => [`session ${sessionId}`, sessionId]),
    );
  });
}

async function mixServers(cli: Cli): Promise<void> {
  const first = new McpServerV1({ name: 'first', version: '1.0.0' });
  first.registerTool(
    'add',
    { description: 'Adds', inputSchema: { a: z.number(), b: z.number() } },
    ({ a, b }) => {
      const { name, version } = first.server.getClientVersion() ?? {};
      return { content: [{ type: 'text', text: `v1 says ${a + b} to ${name} ${version}` }] };
    },
  );
  // Resolves only when the CLI has shaken hands, as FastMCP's does.
  const connectFirst = (transport: never): Promise<void> =>
    new Promise((resolve, reject) => {
      first.server.oninitialized = resolve;
      first.connect(transport).catch(reject);
    });
  const second = new McpServerV2({ name: 'second', version: '2.0.0' });
  second.registerTool(
    'add',
    { description: 'Adds', inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => ({ content: [{ type: 'text', text: `v2 says ${a + b}` }] }),
  );
  const mcpServers = {
    ours: createNamed('ours'),
    first: { type: 'sdk' as const, name: 'first', instance: { connect: connectFirst } },
    second: { type: 'sdk' as const, name: 'second', instance: second },
    outside: { command: process.execPath, args: [stdioServer], env: { SAID: 'hello' } },
  };
  const events: string[] = [];
  const onToolEvent = ({ type, toolName, inProcess }: SessionToolEvent): void => {
    events.push(`${type} ${toolName} ${inProcess ? 'here' : 'there'}`);
  };
  const script = [
    toolUse('mcp__ours__who'),
    toolUse('mcp__first__add', { a: 1, b: 2 }),
    toolUse('mcp__second__add', { a: 3, b: 4 }),
    toolUse('mcp__outside__describe', { variable: 'SAID' }),
    text('Done.'),
  ];
  const allowedTools = Object.keys(mcpServers).map((name) => `mcp__${name}`);
  await onStage(cli, { script, options: { mcpServers, allowedTools, onToolEvent } }, async (stage) => {
    const { query, warnings } = stage.start('Go.');
    expect((await readRest(query)).error).toBeUndefined();
    const isDeferring = cli.isNew;
    expect(warnings.map(({ code }) => code)).toEqual(isDeferring ? ['TOOLS_DEFERRED'] : []);
    if (isDeferring) expect(warnings[0]?.message).toContain('(mcp__first__add, mcp__second__add)');
    const told = stage.model.conversation.flatMap(({ toolResults }) =>
      toolResults.map((result) => result.text),
    );
    expect(told).toEqual([
      'I am ours',
      `v1 says 3 to claude-code ${cli.version}`,
      'v2 says 7',
      expect.stringMatching(/^\{"pid":\d+,"length":5\}$/),
    ]);
    // What the CLI has started goes with it.
    const pid = Number(/\d+/.exec(told.at(-1) ?? '')?.[0]);
    await waitUntil(() => !isRunning(pid), 60_000, `the end of the stdio server ${pid}`);
    expect(events).toEqual(
      ['ours__who here', 'first__add here', 'second__add here', 'outside__describe there'].flatMap((call) => [
        `start mcp__${call}`,
        `end mcp__${call}`,
      ]),
    );
  });
}

async function changeServers(cli: Cli): Promise<void> {
  const script = [
    toolUse('mcp__a__who'),
    text('One.'),
    toolUse('mcp__a__who'),
    toolUse('mcp__b__who'),
    text('Two.'),
    text('Three.'),
  ];
  const options = { mcpServers: { a: createNamed('a') }, allowedTools: ['mcp__a', 'mcp__b'] };
  // With tool search on, the CLI goes on naming tools that were called before, also once their server is gone.
  const env = { ENABLE_TOOL_SEARCH: 'false' };
  await onStage(cli, { script, options, env }, async (stage) => {
    const talk = openTalk();
    const act = stage.start(talk.prompt);
    await ask(act, talk, 'One.');
    const next = { a: createNamed('a', 'another a'), b: createNamed('b') };
    expect(await act.query.setMcpServers(next)).toEqual({ added: ['b'], removed: [], errors: {} });
    expect(await act.query.ready({ servers: ['a', 'b'] })).toMatchObject({
      listed: ['mcp__a__who', 'mcp__b__who'],
      missing: [],
    });
    await ask(act, talk, 'Two.');
    const removed = await act.query.setMcpServers({});
    expect(removed).toMatchObject({ added: [], errors: {} });
    expect(removed.removed.toSorted()).toEqual(['a', 'b']);
    await ask(act, talk, 'Three.');
    const told = stage.model.conversation.map(({ toolNames, toolResults }) => [
      toolNames.filter((name) => name.startsWith('mcp__')),
      ...toolResults.map((result) => result.text),
    ]);
    const both = ['mcp__a__who', 'mcp__b__who'];
    expect(told).toEqual([
      [['mcp__a__who']],
      [['mcp__a__who'], 'I am a'],
      [both],
      [both, 'I am another a'],
      [both, 'I am b'],
      [[]],
    ]);
    expect(act.warnings).toEqual([]);
    talk.end();
    expect(await readRest(act.query)).toMatchObject({ error: undefined });
  });
}

async function deferTools(cli: Cli): Promise<void> {
  const always = createSdkMcpServer({
    name: 'always',
    alwaysLoad: true,
    tools: [tool('who', 'Tells its name', {}, () => 'always')],
  });
  const some = createSdkMcpServer({
    name: 'some',
    tools: [
      tool('loaded', 'Is loaded', {}, () => 'loaded', { alwaysLoad: true }),
      tool('hidden', 'Is hidden', {}, () => 'hidden'),
    ],
  });
  const plan = { script: [text('Fine.')] };
  await onStage(cli, plan, async (stage) => {
    const { query, warnings } = stage.start('Go.', { mcpServers: { always, some } });
    const { messages, error } = await readRest(query);
    expect(error).toBeUndefined();
    const all = ['mcp__always__who', 'mcp__some__hidden', 'mcp__some__loaded'];
    const init = messages.find((message) => message.type === 'system' && message.subtype === 'init');
    const listed = init?.tools ?? [];
    expect(ofServers(listed)).toEqual(all);
    // Listed is not seen; only the older CLI sends them all.
    const isNew = cli.isNew;
    const seen = isNew ? all.filter((name) => name !== 'mcp__some__hidden') : all;
    expect(ofServers(stage.lastRequest().toolNames)).toEqual(seen);
    expect(warnings.map(({ code }) => code)).toEqual(isNew ? ['TOOLS_DEFERRED'] : []);
    if (isNew) expect(warnings[0]?.message).toContain('mcp__some__hidden');
  });
}

async function offerResourcesAndPrompts(cli: Cli): Promise<void> {
  const desk = createSdkMcpServer({
    name: 'desk',
    tools: [tool({ name: 'tidy', description: 'Tidies', run: () => 'done' })],
    prompts: [
      mcpPrompt('summarize', 'Sums a note up', { id: 'string' }, ({ id }) => `Sum up note ${id} in a line.`),
    ],
    resources: [
      mcpResource('today', 'desk://today', () => 'Buy bread.'),
      mcpResource('note', 'desk://notes/{id}', (_uri, { id }) => `Note ${id}.`, {
        list: () => [{ uri: 'desk://notes/7', name: 'seven' }],
      }),
    ],
  });
  const isNew = cli.isNew;
  const read = (uri: string) => toolUse('ReadMcpResourceTool', { server: 'desk', uri });
  const calls = [
    toolUse('ListMcpResourcesTool'),
    read('desk://today'),
    read('desk://notes/8'),
    read('desk://no'),
  ];
  const plan = { script: [...(isNew ? calls : []), text('Done.')] };
  await onStage(cli, plan, async (stage) => {
    const { text: words } = await desk.instance.getPrompt('summarize', { id: '7' });
    const { query, warnings } = stage.start(words, { mcpServers: { desk } });
    const { messages, error } = await readRest(query);
    expect(error).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(stage.model.conversation[0]?.userText).toContain('Sum up note 7 in a line.');
    const init = messages.find((message) => message.type === 'system' && message.subtype === 'init');
    // Neither CLI asks an in-process server for prompts, and the older one not for resources.
    expect(init?.slash_commands.filter((name) => name.includes('desk'))).toEqual([]);
    expect(init?.tools.includes('ReadMcpResourceTool')).toBe(isNew);
    const told = stage.model.conversation.flatMap(({ toolResults }) => toolResults.map((each) => each.text));
    const expected = ['"uri":"desk://notes/7"', 'Buy bread.', 'Note 8.', 'Resource not found: desk://no'];
    expect(told).toEqual(isNew ? expected.map((part) => expect.stringContaining(part)) : []);
  });
}

function ofServers(names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith('mcp__')).sort();
}

export const toolServerCases: CaseSet = {
  'shows the model a tool that is added in the middle of a turn': addAToolInATurn,
  'serves two queries at once with one server': shareAServer,
  'serves servers of every make side by side': mixServers,
  'adds, replaces and removes servers while a session runs': changeServers,
  'gives the model resources, and takes a prompt the program fills in': offerResourcesAndPrompts,
  'keeps tools from the model unless they are always loaded': deferTools,
};
