// Mistakes of the first hour: each is refused at once by an error that names it, or told by a warning of the process.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createApprovals, createSdkMcpServer, openSession, query, run, tool } from 'inboard';
import { createFakeCli, createIsolatedEnvironment, startScriptedModel, text, toolUse } from 'inboard/testing';

const refusal = { code: 'INVALID_OPTIONS' };
assert.throws(() => query({}), refusal);
assert.throws(() => query('hi'), { ...refusal, message: /query\(\{ prompt: "hi" \}\)/ });
await assert.rejects(async () => run({ prompt: 3 }), refusal);
// However small the files are made, a stack trace tells what was going on.
assert.throws(() => query({ prompt: 'hi', options: { maxTurns: 'x' } }), {
  ...refusal,
  name: 'InvalidOptionsError',
  stack: /at checkOptions.*at new LiveCli.*at query /s,
});
await assert.rejects(run({ prompt: 'hi', options: { pathToClaudeCodeExecutable: '/nowhere' } }), {
  code: 'EXECUTABLE_NOT_FOUND',
  stack: /at findExecutable.*at async LiveStart\.run /s,
});
assert.throws(() => openSession('hi'), { ...refusal, message: /session\.send/ });
assert.throws(() => tool('count', 'Counts', { article: 'strng' }, () => 7), { message: /strng/ });
await assert.rejects(createApprovals().answer('id', { behaviour: 'allow' }), {
  message: /allow\(\) or deny/,
});
await assert.rejects(createIsolatedEnvironment({ baseUrl: 'https://example.org' }), { message: /loopback/ });

for (const wrong of [['hi'], [text()], [toolUse()], 'hi', text('not in a list')]) {
  assert.throws(() => createFakeCli(wrong), refusal);
  await assert.rejects(startScriptedModel(wrong), refusal);
}

// The next warning of the process, and what led to it.
async function warningOf(action) {
  const [[warning]] = await Promise.all([once(process, 'warning'), action()]);
  return `${warning.code}: ${warning.message}`;
}
async function play(script, options) {
  const { transport } = createFakeCli(script, { allowEarlyEnd: true });
  return (await run({ prompt: 'Go.', options: { transport, ...options } })).text;
}

assert.match(
  await warningOf(() => tool({ name: 'slow', description: 'Slow', timeout: 5, run: () => 1 })),
  /"timeoutMs"/,
);
const shop = createSdkMcpServer({ name: 'shop', tools: [tool('count', 'Counts', {}, () => 7)] });
const misspelled = { mcpServers: { shop }, allowedTools: ['mcp__shop__cuont'] };
assert.match(
  await warningOf(() => play([text('Done.')], misspelled)),
  /UNKNOWN_TOOL_NAME.*"mcp__shop__count"/,
);

// The host is told why a callback failed; the model only that it did.
let told = '';
const failing = {
  canUseTool: async () => {
    throw new Error('no route to db.internal');
  },
};
const asking = [toolUse('Bash', { command: 'ls' }, { result: 'files' }), ({ answer }) => text(answer.text)];
assert.match(
  await warningOf(async () => (told = await play(asking, failing))),
  /PERMISSION_CALLBACK_FAILED.*db\.internal/,
);
assert.doesNotMatch(told, /db\.internal/);
