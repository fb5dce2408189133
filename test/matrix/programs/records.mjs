// What a session leaves on disk on purpose, its trace and its transcript, and lines of megabytes through the pipes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createSdkMcpServer, forkSession, getSessionMessages, listSessions, query, run, tool } from 'inboard';
import { createFakeCli, text, toolUse } from 'inboard/testing';
import { readTrace } from 'inboard/trace';
import { onStage, readAll } from './stage.mjs';

await onStage([text('First.'), text('Second.')], async ({ options, home }) => {
  // Sessions of the past are looked for where the environment of this process says.
  process.env.CLAUDE_CONFIG_DIR = home.configDir;
  const trace = join(home.home, 'trace.jsonl');
  const first = await run({ prompt: 'One.', options: { ...options, trace } });
  const { steps, end, problems } = await readTrace(trace);
  assert.deepEqual(problems, []);
  assert.ok(end !== undefined && JSON.stringify(steps).includes('First.'), 'the trace is not whole');
  const [listed] = await listSessions({ dir: home.cwd, includeProgrammatic: true });
  assert.equal(listed?.sessionId, first.sessionId);
  const { sessionId } = await forkSession(first.sessionId);
  const second = await run({ prompt: 'Two.', options: { ...options, resume: sessionId } });
  assert.equal(second.text, 'Second.');
  const texts = JSON.stringify(await getSessionMessages(sessionId));
  for (const said of ['One.', 'First.', 'Two.', 'Second.'])
    assert.ok(texts.includes(said), `${said} is missing`);
});

const MEGABYTES = 4 * 1024 * 1024;
const lengths = [];
const post = createSdkMcpServer({
  name: 'post',
  tools: [
    tool('send', 'Takes much and gives much', { letter: 'string' }, ({ letter }) => {
      lengths.push(letter.length);
      return 'é'.repeat(MEGABYTES);
    }),
  ],
});
const fake = createFakeCli([
  toolUse('mcp__post__send', { letter: 'ü'.repeat(MEGABYTES) }),
  text('\u{1F9E9}'.repeat(MEGABYTES / 4)),
]);
const warned = [];
const messages = await readAll(
  query({
    prompt: 'Go.',
    options: {
      pathToClaudeCodeExecutable: await fake.executable(),
      env: { PATH: process.env.PATH },
      mcpServers: { post },
      allowedTools: [post],
      onWarning: ({ code }) => warned.push(code),
    },
  }),
);
assert.deepEqual(lengths, [MEGABYTES]);
assert.equal(messages.at(-1).result, '\u{1F9E9}'.repeat(MEGABYTES / 4));
const results = messages.filter(({ type }) => type === 'user').map((message) => JSON.stringify(message));
assert.ok(
  results.some((result) => result.includes('é'.repeat(MEGABYTES))),
  'the answer of the tool was cut',
);
assert.deepEqual(warned, ['TOOL_RESULT_TO_FILE']);
await fake.close();
