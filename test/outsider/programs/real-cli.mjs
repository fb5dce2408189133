// The real CLI with a scripted model: a tool of this process, seen by the model from the start, and a second message at the result.
import assert from 'node:assert/strict';
import { createSdkMcpServer, query, tool } from 'inboard';
import { createIsolatedEnvironment, startScriptedModel, text, toolUse } from 'inboard/testing';

const model = await startScriptedModel([
  toolUse('mcp__shop__count', { article: 'apples' }),
  ({ answer }) => text(`There are ${answer.text}.`),
  text('Goodbye.'),
]);
const home = await createIsolatedEnvironment({ baseUrl: model.url });
const count = tool('count', 'How many there are', { article: 'string' }, ({ article }) => `7 ${article}`);
const shop = createSdkMcpServer({ name: 'shop', tools: [count] });

const q = query({
  prompt: 'How many?',
  options: { env: home.env, cwd: home.cwd, mcpServers: { shop }, allowedTools: [shop] },
});
const results = [];
for await (const message of q) {
  if (message.type !== 'result') continue;
  results.push(message.result);
  const next = { type: 'user', message: { role: 'user', content: 'Goodbye!' }, parent_tool_use_id: null };
  if (results.length === 1) await q.streamInput([next]);
}
assert.deepEqual(results, ['There are 7 apples.', 'Goodbye.']);
const seen = model.conversation[0].body.tools.map(({ name }) => name);
assert.ok(seen.includes('mcp__shop__count'), `the model saw ${seen.join(', ')}`);
await model.close();
await home.remove();
