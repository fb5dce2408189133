// What a reader of the README does first, in plain JavaScript: an answer, text as it comes, a tool, a session, on the fake.
import assert from 'node:assert/strict';
import { createSdkMcpServer, openSession, query, run, tool } from 'inboard';
import { callTool, createFakeCli, structuredOutput, text, toolUse } from 'inboard/testing';

const count = tool(
  'count',
  'How many of an article are in stock',
  { article: 'string' },
  ({ article }) => `7 ${article}`,
);
const shop = createSdkMcpServer({ name: 'shop', tools: [count] });
const tools = { mcpServers: { shop }, allowedTools: [shop] };

assert.equal((await callTool(count, { article: 'apples' })).text, '7 apples');

const script = [
  toolUse('mcp__shop__count', { article: 'apples' }),
  ({ answer }) => text(['There are ', `${answer.text}.`]),
];
const fake = createFakeCli(script);
let streamed = '';
for await (const piece of query({
  prompt: 'How many?',
  options: { ...tools, transport: fake.transport },
}).textStream())
  streamed += piece;
assert.equal(streamed, 'There are 7 apples.');
fake.verify();

const talking = createFakeCli([text('One.'), text('Two.')]);
const session = openSession({ options: { transport: talking.transport } });
assert.equal(await session.send('First').text(), 'One.');
const { turnCostUsd, totalCostUsd, text: second } = await session.send('Second').outcome();
assert.equal(second, 'Two.');
assert.ok(turnCostUsd <= totalCostUsd);
await session.close();
talking.verify();

const answering = createFakeCli([structuredOutput({ city: 'Lund' })]);
const { output } = await run({
  prompt: 'Where?',
  options: { output: { city: 'string' }, transport: answering.transport },
});
assert.deepEqual(output, { city: 'Lund' });
