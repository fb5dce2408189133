// Tests without a CLI: the fake CLI in memory and as a program, and tools called on the bench.
import assert from 'node:assert/strict';
import { createSdkMcpServer, query, tool } from 'inboard';
import { callTool, createFakeCli, createToolHarness, expectPrompt, text, toolUse } from 'inboard/testing';
import { z } from 'zod';
import { isRunning, pidOf } from './stage.mjs';

const double = tool('double', 'Doubles', { n: z.number() }, ({ n }) => String(2 * n));
const script = [expectPrompt('Double 21.'), toolUse('mcp__math__double', { n: 21 }), text('It is 42.')];

async function play(options) {
  const math = createSdkMcpServer({ name: 'math', tools: [double] });
  const q = query({
    prompt: 'Double 21.',
    options: { ...options, mcpServers: { math }, allowedTools: [math], settingSources: [] },
  });
  const messages = [];
  let pid;
  for await (const message of q) {
    if (options.transport === undefined) pid ??= pidOf(q);
    messages.push(message);
  }
  assert.equal(messages.at(-1).result, 'It is 42.');
  const text = JSON.stringify(messages);
  assert.ok(text.includes('"42"'), `the tool's answer is not among the messages: ${text}`);
  if (pid !== undefined) assert.equal(isRunning(pid), false);
}

for (const kind of ['in memory', 'as a program']) {
  const fake = createFakeCli(script);
  await play(
    kind === 'in memory'
      ? { transport: fake.transport }
      : { pathToClaudeCodeExecutable: await fake.executable(), env: { PATH: process.env.PATH } },
  );
  // Throws when the host broke the protocol or left steps over.
  await fake.close();
}

const outcome = await callTool(double, { n: 4 });
assert.equal(outcome.ok, true);
assert.equal(outcome.text, '8');
const harness = await createToolHarness([double]);
assert.equal((await harness.call('double', { n: 'four' })).ok, false);
assert.equal((await harness.call('double', { n: 5 })).text, '10');
await harness.close();
