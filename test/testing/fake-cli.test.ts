// The fake CLI as a user of the test kit meets it: one script, in memory and as a program.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSdkMcpServer, query, tool, type Options, type SDKMessage } from '../../src/index.js';
import {
  useTool,
  createFakeCli,
  endTurn,
  say,
  type FakeCli,
  type FakeCliOptions,
  type FakeScript,
} from '../../src/testing/index.js';

const STAGES = ['memory', 'executable'] as const;
type StageKind = (typeof STAGES)[number];

function stageFake(script: FakeScript, options: FakeCliOptions = {}): FakeCli {
  const fake = createFakeCli(script, options);
  onTestFinished(() => fake.close({ verify: false }));
  return fake;
}

async function pointTo(kind: StageKind, fake: FakeCli): Promise<Options> {
  if (kind === 'memory') return { transport: fake.transport };
  return {
    pathToClaudeCodeExecutable: await fake.executable(),
    env: { PATH: process.env['PATH'] ?? '' },
  };
}

async function readAll(messages: AsyncIterable<SDKMessage>): Promise<SDKMessage[]> {
  const all: SDKMessage[] = [];
  for await (const message of messages) all.push(message);
  return all;
}

const kindsOf = (messages: readonly SDKMessage[]): string[] =>
  messages.map((message) => ('subtype' in message ? `${message.type}/${message.subtype}` : message.type));

const shop = (): ReturnType<typeof createSdkMcpServer> =>
  createSdkMcpServer({
    name: 'shop',
    tools: [tool('count', 'Counts', { article: 'string' }, ({ article }) => `7 ${article}`)],
  });

describe.each(STAGES)('a fake CLI (%s)', (kind) => {
  it('answers a prompt', async () => {
    const fake = stageFake([say('Hello.')]);
    const options = await pointTo(kind, fake);
    const messages = await readAll(query({ prompt: 'Hi', options }));
    expect(kindsOf(messages)).toEqual(['system/init', 'assistant', 'result/success']);
    expect(messages.at(-1)).toMatchObject({ result: 'Hello.', num_turns: 1 });
    fake.verify();
    expect(fake.sessions).toMatchObject([{ prompts: ['Hi'], isOver: true }]);
  });

  it('calls a tool of the host and uses its answer', async () => {
    const fake = stageFake([
      useTool('mcp__shop__count', { article: 'apples' }),
      ({ answer }) => say(`There are ${answer.text}.`),
    ]);
    const options = await pointTo(kind, fake);
    const messages = await readAll(
      query({
        prompt: 'How many?',
        options: { ...options, mcpServers: { shop: shop() }, allowedTools: ['mcp__shop'] },
      }),
    );
    expect(messages.at(-1)).toMatchObject({ result: 'There are 7 apples.', num_turns: 2 });
    fake.verify();
  });

  it('talks in turns', async () => {
    const fake = stageFake([say('one'), endTurn(), say('two')]);
    const options = await pointTo(kind, fake);
    const messages = await readAll(query({ prompt: ['a', 'b'], options }));
    expect(messages.flatMap((m) => (m.type === 'result' && m.subtype === 'success' ? m.result : []))).toEqual(
      ['one', 'two'],
    );
    fake.verify();
  });
});
