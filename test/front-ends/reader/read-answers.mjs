// What the AI SDK's own reader makes of our streams: each kind of answer, played by a fake CLI, sent as a Response, parsed and
// checked by the package's transport, and read into a message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DefaultChatTransport, readUIMessageStream } from 'ai';
import { createSdkMcpServer, deny, query, tool } from 'inboard';
import {
  apiError,
  createFakeCli,
  endTurn,
  reply,
  structuredOutput,
  text,
  thinking,
  toolUse,
} from 'inboard/testing';
import { toUiResponse } from 'inboard/ui';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool({ name: 'count', description: 'Counts', inputSchema: { article: 'string' }, run: () => '7' }),
    tool({
      name: 'fail',
      description: 'Fails',
      inputSchema: {},
      run: () => {
        throw new Error('no such article');
      },
    }),
    tool({
      name: 'draw',
      description: 'Draws',
      inputSchema: {},
      run: () => ({ content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] }),
    }),
  ],
});

/** Every state the message goes through, the last of them whole, and what the reader reported as errors. */
async function readAnswer(script, { options = {}, act } = {}) {
  const fake = createFakeCli(script, { allowEarlyEnd: true });
  const asked = query({
    prompt: 'Go.',
    options: {
      transport: fake.transport,
      mcpServers: { shop },
      allowedTools: [shop],
      includePartialMessages: true,
      ...options,
    },
  });
  const read = await readResponse(toUiResponse(asked), (message) => act?.(message, asked));
  await fake.close();
  return read;
}

/** The same for messages that exist already, from any source. */
async function readMessages(messages) {
  const result = { type: 'result', subtype: 'success', is_error: false, result: '', session_id: 's' };
  const source = (async function* () {
    yield* [...messages, result];
  })();
  return await readResponse(toUiResponse(source));
}

async function readResponse(response, act) {
  assert.equal(response.headers.get('x-vercel-ai-ui-message-stream'), 'v1');
  const transport = new DefaultChatTransport({
    api: 'http://127.0.0.1/api/chat',
    fetch: async () => response,
  });
  const stream = await transport.sendMessages({
    chatId: 'c',
    messages: [],
    trigger: 'submit-message',
    messageId: undefined,
    abortSignal: undefined,
  });
  const states = [];
  const errors = [];
  for await (const message of readUIMessageStream({ stream, onError: (error) => errors.push(error) })) {
    states.push(structuredClone(message));
    await act?.(message);
  }
  return { message: states.at(-1), states, errors };
}

const kindsOf = ({ parts }) => parts.map(({ type }) => type);
const partOf = ({ parts }, type) => parts.find((part) => part.type === type);

test('text comes piece by piece', async () => {
  const { message, states, errors } = await readAnswer([text(['One, ', 'two, ', 'three.'])]);
  assert.deepEqual(errors, []);
  assert.equal(message.role, 'assistant');
  assert.deepEqual(kindsOf(message), ['step-start', 'text']);
  assert.deepEqual(
    { text: partOf(message, 'text').text, state: partOf(message, 'text').state },
    { text: 'One, two, three.', state: 'done' },
  );
  const seen = states.map((state) => partOf(state, 'text')?.text);
  assert.ok(seen.includes('One, ') && seen.includes('One, two, '), String(seen));
});

test('thinking is reasoning, before the text', async () => {
  const { message, errors } = await readAnswer([reply(thinking(['Hm', '.']), text('Yes.'))]);
  assert.deepEqual(errors, []);
  assert.deepEqual(kindsOf(message), ['step-start', 'reasoning', 'text']);
  const { text: thought, state } = partOf(message, 'reasoning');
  assert.deepEqual({ thought, state }, { thought: 'Hm.', state: 'done' });
});

test('the input of a tool call is seen while it streams, then its output', async () => {
  const { message, states, errors } = await readAnswer([
    toolUse('mcp__shop__count', { article: 'apples' }),
    text('Seven.'),
  ]);
  assert.deepEqual(errors, []);
  assert.deepEqual(kindsOf(message), ['step-start', 'dynamic-tool', 'step-start', 'text']);
  const call = partOf(message, 'dynamic-tool');
  assert.equal(call.toolName, 'mcp__shop__count');
  assert.equal(call.state, 'output-available');
  assert.deepEqual(call.input, { article: 'apples' });
  assert.match(JSON.stringify(call.output), /7/);
  const passed = states.map((state) => partOf(state, 'dynamic-tool')?.state);
  assert.deepEqual(
    ['input-streaming', 'input-available', 'output-available'].filter((state) => passed.includes(state)),
    ['input-streaming', 'input-available', 'output-available'],
  );
});

test('a tool that fails', async () => {
  const { message, errors } = await readAnswer([toolUse('mcp__shop__fail'), text('It failed.')]);
  assert.deepEqual(errors, []);
  const call = partOf(message, 'dynamic-tool');
  assert.equal(call.state, 'output-error');
  assert.match(call.errorText, /no such article/);
});

test('a call that is denied', async () => {
  const { message, errors } = await readAnswer(
    [toolUse('Bash', { command: 'rm -rf /' }, { result: 'gone' }), text('I may not.')],
    { options: { canUseTool: async () => deny('Nothing is deleted.') } },
  );
  assert.deepEqual(errors, []);
  const call = partOf(message, 'dynamic-tool');
  assert.match(call.state, /^output-(denied|error)$/);
  assert.match(JSON.stringify(call), /Nothing is deleted/);
});

test('an image that a tool returns is a file', async () => {
  const { message, errors } = await readAnswer([toolUse('mcp__shop__draw'), text('Drawn.')]);
  assert.deepEqual(errors, []);
  assert.equal(partOf(message, 'dynamic-tool').state, 'output-available');
  const { mediaType, url } = partOf(message, 'file');
  assert.deepEqual({ mediaType, url }, { mediaType: 'image/png', url: `data:image/png;base64,${PIXEL}` });
});

test('what a subagent does is what its call has given so far', async () => {
  const said = (id, content, parent = null) => ({
    type: 'assistant',
    message: { id, role: 'assistant', content: [content] },
    parent_tool_use_id: parent,
  });
  const { message, states, errors } = await readMessages([
    said('one', { type: 'tool_use', id: 'task', name: 'Task', input: { prompt: 'Look.' } }),
    said('two', { type: 'text', text: 'I look.' }, 'task'),
    {
      type: 'user',
      parent_tool_use_id: null,
      message: { content: [{ type: 'tool_result', tool_use_id: 'task', content: 'Found.' }] },
    },
    said('three', { type: 'text', text: 'There.' }),
  ]);
  assert.deepEqual(errors, []);
  assert.deepEqual(kindsOf(message), ['step-start', 'dynamic-tool', 'step-start', 'text']);
  const calls = states.map((state) => partOf(state, 'dynamic-tool')).filter(Boolean);
  const early = calls.find(({ preliminary }) => preliminary);
  assert.deepEqual([early?.state, early?.output], ['output-available', 'I look.']);
  assert.deepEqual([calls.at(-1).output, calls.at(-1).preliminary ?? false], ['Found.', false]);
});

test('what a search found are sources', async () => {
  const found = [{ type: 'web_search_result', url: 'https://tea.example/', title: 'Tea' }];
  const { message, errors } = await readMessages([
    {
      type: 'assistant',
      parent_tool_use_id: null,
      message: {
        id: 'one',
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'w', name: 'web_search', input: { query: 'tea' } },
          { type: 'web_search_tool_result', tool_use_id: 'w', content: found },
          { type: 'text', text: 'Tea.' },
        ],
      },
    },
  ]);
  assert.deepEqual(errors, []);
  const { url, title } = partOf(message, 'source-url');
  assert.deepEqual({ url, title }, { url: 'https://tea.example/', title: 'Tea' });
});

test('an error has a text for people, and nothing of ours in it', async () => {
  const { errors } = await readAnswer([apiError(400, { message: 'no credit on account 4711' })]);
  assert.equal(errors.length, 1);
  assert.match(errors[0].message, /^[A-Z][^\n]*\.$/);
  assert.doesNotMatch(errors[0].message, /4711|node_modules/);
});

test('an answer that is stopped ends as it stands', async () => {
  let isAsked = false;
  const { message, errors } = await readAnswer([text('One'), toolUse('mcp__shop__count', { article: 'a' })], {
    act: async (state, asked) => {
      if (isAsked || partOf(state, 'text') === undefined) return;
      isAsked = true;
      await asked.interrupt();
    },
  });
  assert.deepEqual(errors, []);
  assert.equal(partOf(message, 'text').text, 'One');
});

test('structured output', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const { message, errors } = await readAnswer([structuredOutput({ city: 'Lund' })], {
    options: { output: schema },
  });
  assert.deepEqual(errors, []);
  assert.deepEqual(partOf(message, 'data-output').data, { city: 'Lund' });
});

test('a turn that reached its limit', async () => {
  const { message, errors } = await readAnswer([text('Wait.'), endTurn('error_max_turns')]);
  assert.equal(partOf(message, 'text').text, 'Wait.');
  assert.deepEqual(
    errors.map((error) => error.message),
    ['The answer took too many steps and was stopped.'],
  );
});

test('usage is metadata', async () => {
  const { message } = await readAnswer([text('Hello.')]);
  const { sessionId, model, usage } = message.metadata;
  assert.match(sessionId, /^[\da-f-]{36}$/);
  assert.equal(typeof model, 'string');
  assert.ok(usage.totalTokens > 0);
});

// Sentences for visitors; what the reader itself complains of reads otherwise.
const OUR_ERRORS = /^(?:The (?:answer|model) |Something went wrong )[^"`]*\.$/;

// Answers of all kinds in any order, by a seed that a failure names: none may end the reader, or leave a part open.
test('any answer can be read', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 100_000);
  let state = seed;
  const draw = (count) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return (state >> 8) % count;
  };
  const calls = [
    () => toolUse('mcp__shop__count', { article: 'pears' }),
    () => toolUse('mcp__shop__count', {}),
    () => toolUse('mcp__shop__fail'),
    () => toolUse('mcp__shop__draw'),
    () => toolUse('Bash', { command: 'ls' }, { result: '' }),
  ];
  const words = [
    () => text(['', 'Some ', 'words.']),
    () => thinking(['', 'Hm.']),
    () => reply(text('One.'), text('Two.')),
  ];
  const some = (from, most) => Array.from({ length: draw(most + 1) }, () => from[draw(from.length)]());
  const ends = [
    () => text('Done.'),
    () => apiError(500),
    () => endTurn('error_during_execution'),
    () => reply(),
  ];
  for (let count = 0; count < 40; count += 1) {
    const where = `seed ${seed}, answer ${count}`;
    const steps = Array.from({ length: draw(4) }, () =>
      reply(...some(words, 2), calls[draw(calls.length)](), ...some(calls, 2)),
    );
    const end = ends[draw(ends.length)]();
    const { message, errors } = await readAnswer([...steps, end], {
      options: {
        includePartialMessages: draw(2) === 0,
        canUseTool: async () => (draw(2) === 0 ? deny('No.') : { behavior: 'allow' }),
      },
    });
    for (const error of errors) assert.match(error.message, OUR_ERRORS, where);
    for (const part of message?.parts ?? [])
      assert.doesNotMatch(part.state ?? '', /streaming|input-available/, `${where}: ${JSON.stringify(part)}`);
  }
});
