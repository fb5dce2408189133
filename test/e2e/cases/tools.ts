// Tools that run in this process, called by the real CLI.
import { dirname } from 'node:path';
import { expect } from 'vitest';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  createSdkMcpServer,
  gate,
  held,
  reply,
  text,
  tool,
  toolUse,
  type CanUseTool,
  type SessionToolEvent,
} from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { ask, openTalk, readRest, readTurn, resultsOf } from '../support/talk.js';

/** The input stays open for the answers of tools although the prompt was a string and has ended. */
export async function callATool(cli: Cli): Promise<void> {
  const shelf = new Map([['A1', 'a red book']]);
  const script = [
    toolUse('mcp__shelf__look', { place: 'A1' }),
    toolUse('mcp__shelf__look', { place: 7 }),
    text('A red book.'),
  ];
  const events: SessionToolEvent[] = [];
  const look = tool('look', 'Tells what is there', { place: 'string' }, ({ place }, extra) => {
    extra.progress(1);
    return `${shelf.get(place)}, session ${extra.sessionId}, use ${extra.toolUseId}`;
  });
  const mcpServers = { shelf: createSdkMcpServer({ name: 'shelf', tools: [look] }) };
  await onStage(cli, { script }, async (stage) => {
    const onToolEvent = (event: SessionToolEvent): void => void events.push(event);
    const options = { mcpServers, allowedTools: ['mcp__shelf'], onToolEvent };
    const { query, wire, warnings } = stage.start('What is at A1?', options);
    const { messages, error } = await readRest(query);
    expect(error).toBeUndefined();
    expect(resultsOf(messages)).toMatchObject([{ subtype: 'success', result: 'A red book.' }]);
    const [first, second, third] = stage.model.conversation;
    expect(first?.toolNames).toContain('mcp__shelf__look');
    const session = first?.sessionId;
    expect(second?.toolResults).toMatchObject([
      { isError: false, text: `a red book, session ${session}, use toolu_scripted_0001` },
    ]);
    // The CLI sends any input on; what does not fit the schema is caught here, and named.
    expect(third?.toolResults).toMatchObject([
      { isError: true, text: expect.stringContaining('place') as string },
    ]);
    expect(events.map(({ type, toolUseId }) => [type, toolUseId])).toEqual([
      ['start', 'toolu_scripted_0001'],
      ['progress', 'toolu_scripted_0001'],
      ['end', 'toolu_scripted_0001'],
      ['start', 'toolu_scripted_0002'],
      ['error', 'toolu_scripted_0002'],
    ]);
    expect(wire.listUnanswered()).toEqual([]);
    expect(warnings).toEqual([]);
    // With a manifest the newer CLI asks for nothing but the calls.
    const methods = wire.mcpMessages().map(({ method }) => method);
    const handshake = cli.isNew ? [] : ['initialize', 'notifications/initialized', 'tools/list'];
    expect(methods).toEqual([...handshake, 'tools/call', 'tools/call']);
  });
}

async function callInLaterTurns(cli: Cli): Promise<void> {
  let count = 0;
  const mcpServers = {
    counter: createSdkMcpServer({ name: 'counter', tools: [tool('next', 'Counts', {}, () => ++count)] }),
  };
  const script = [1, 2, 3].flatMap((turn) => [toolUse('mcp__counter__next'), text(`Turn ${turn}.`)]);
  await onStage(cli, { script, options: { mcpServers, allowedTools: ['mcp__counter'] } }, async (stage) => {
    const talk = openTalk();
    const act = stage.start(talk.prompt);
    for (const turn of [1, 2, 3]) {
      const { result } = await ask(act, talk, 'Next.');
      expect(result).toMatchObject({ result: `Turn ${turn}.` });
      expect(stage.lastRequest().toolResults).toMatchObject([{ text: String(turn) }]);
    }
    talk.end();
    expect(await readRest(act.query)).toMatchObject({ error: undefined });
  });
}

async function callInParallel(cli: Cli): Promise<void> {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const together = reply(...names.map((name) => toolUse('mcp__desk__meet', { name })));
  const oneByOne = reply(...names.map((name) => toolUse('mcp__desk__visit', { name })));
  const waiting: (() => void)[] = [];
  let inside = 0;
  let most = 0;
  const schema = { name: 'string' } as const;
  const meet = tool.readOnly('meet', 'Waits for the others', schema, async ({ name }) => {
    // Each handler waits for all others. If they were called one by one, this would never end.
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === names.length) for (const leave of waiting) leave();
    });
    return `met ${name}`;
  });
  const visit = tool('visit', 'Comes alone', schema, async ({ name }) => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
    return `saw ${name}`;
  });
  const mcpServers = { desk: createSdkMcpServer({ name: 'desk', tools: [meet, visit] }) };
  const plan = {
    script: [together, oneByOne, text('Done.')],
    options: { mcpServers, allowedTools: ['mcp__desk'] },
  };
  await onStage(cli, plan, async (stage) => {
    expect((await readRest(stage.start('Go.').query)).error).toBeUndefined();
    const [, second, third] = stage.model.conversation;
    const textsIn = (request: typeof second): string[] =>
      (request?.toolResults ?? []).map((result) => result.text);
    expect(textsIn(second).sort()).toEqual(names.map((name) => `met ${name}`));
    expect(textsIn(third)).toEqual(names.map((name) => `saw ${name}`));
    expect(most).toBe(1);
  });
}

async function askThenCall(cli: Cli): Promise<void> {
  const script = [
    toolUse('mcp__till__pay', { amount: 5 }),
    toolUse('mcp__till__pay', { amount: 500 }),
    text('Paid.'),
  ];
  const log: string[] = [];
  const pay = tool('pay', 'Pays', { amount: 'number' }, ({ amount }) => {
    log.push(`pay ${amount}`);
    return 'paid';
  });
  const canUseTool: CanUseTool = (name, input, { toolUseID }) => {
    log.push(`ask ${name} ${toolUseID}`);
    const amount = Number(input['amount']);
    return Promise.resolve(
      amount > 100
        ? { behavior: 'deny', message: 'Too much.' }
        : { behavior: 'allow', updatedInput: { amount: amount + 1 } },
    );
  };
  const mcpServers = { till: createSdkMcpServer({ name: 'till', tools: [pay] }) };
  await onStage(cli, { script, options: { mcpServers, canUseTool } }, async (stage) => {
    expect((await readRest(stage.start('Pay.').query)).error).toBeUndefined();
    expect(log).toEqual([
      'ask mcp__till__pay toolu_scripted_0001',
      'pay 6',
      'ask mcp__till__pay toolu_scripted_0002',
    ]);
    expect(stage.lastRequest().toolResults).toMatchObject([{ isError: true, text: 'Too much.' }]);
  });
}

async function callFromTheBackground(cli: Cli): Promise<void> {
  const door = gate();
  const isAgent = (request: { systemText: string }): boolean =>
    request.systemText.includes('I am the helper.');
  const order = { subagent_type: 'helper', description: 'Help', prompt: 'Help.', run_in_background: true };
  const plan = {
    script: [toolUse('Task', order), text('It is on its way.')],
    conversations: [
      { when: isAgent, script: [held(toolUse('mcp__local__ping'), door), text('I have helped.')] },
    ],
    // What the main agent makes of the news.
    onExhausted: text('It has come.'),
    options: {
      agents: { helper: { description: 'Helps', prompt: 'I am the helper.' } },
      allowedTools: ['mcp__local', 'Task'],
      mcpServers: {
        local: createSdkMcpServer({ name: 'local', tools: [tool('ping', 'Answers', {}, () => 'pong')] }),
      },
    },
  };
  await onStage(cli, plan, async (stage) => {
    // The older CLI says nothing of agents in the background, so that only an open prompt keeps its input open.
    const talk = openTalk('Go.');
    const isNew = cli.isNew;
    const { query } = stage.start(isNew ? 'Go.' : talk.prompt);
    expect((await readTurn(query)).result).toMatchObject({ result: 'It is on its way.' });
    // Whatever it writes down on the way stays inside the stage.
    const [launched] = stage.model.conversation.flatMap(({ toolResults }) => toolResults);
    expect(launched?.text).toContain(`output_file: ${dirname(stage.home.home)}/`);
    await door.reached;
    door.open();
    const told = await stage.model.waitFor((request) => isAgent(request) && request.toolResults.length > 0);
    expect(told.toolResults).toMatchObject([{ isError: false, text: 'pong' }]);
    talk.end();
    const { messages, error } = await readRest(query);
    expect(error).toBeUndefined();
    if (isNew) expect(resultsOf(messages)).toMatchObject([{ subtype: 'success', result: 'It has come.' }]);
  });
}

export const toolCases: CaseSet = {
  'calls a tool with a prompt that was a string': callATool,
  'calls a tool in later turns': callInLaterTurns,
  'calls read-only tools at once, and others one by one': callInParallel,
  'asks for permission, then calls': askThenCall,
  'calls a tool from an agent in the background': callFromTheBackground,
};
