// A session with all that is in-process: tools with a zod and with a plain schema, a permission callback, a hook.
import assert from 'node:assert/strict';
import { createSdkMcpServer, outcomeOf, query, tool } from 'inboard';
import { text, toolUse } from 'inboard/testing';
import { z } from 'zod';
import { isRunning, onStage, pidOf } from './stage.mjs';

const stock = new Map([['apples', 7]]);
const asked = [];
const heard = [];
const shop = createSdkMcpServer({
  name: 'shop',
  alwaysLoad: true,
  tools: [
    tool('count', 'How many are in stock', { article: z.string(), least: z.number().default(2) }, (input) => {
      assert.equal(input.least, 2);
      return `${stock.get(input.article)} ${input.article}`;
    }),
    tool(
      'add',
      'Puts an article into stock',
      { article: 'string', amount: 'number' },
      ({ article, amount }) => {
        stock.set(article, amount);
        return { article, amount };
      },
    ),
  ],
});

const script = [
  toolUse('mcp__shop__count', { article: 'apples' }),
  toolUse('mcp__shop__add', { article: 'pears', amount: 3 }),
  toolUse('mcp__shop__add', { article: 'plums', amount: 'many' }),
  text('Done.'),
];

await onStage(script, async ({ options, model }) => {
  const q = query({
    prompt: 'Count, then add.',
    options: {
      ...options,
      mcpServers: { shop },
      canUseTool: async (name, input) => {
        asked.push(name);
        return { behavior: 'allow', updatedInput: input };
      },
      hooks: {
        PreToolUse: [
          { hooks: [async (input) => (heard.push(`${input.hook_event_name} ${input.tool_name}`), {})] },
        ],
      },
    },
  });
  let pid;
  let result;
  let session;
  for await (const message of q) {
    pid ??= pidOf(q);
    if (message.type === 'system' && message.subtype === 'init') session = message;
    if (message.type === 'result') result = message;
  }
  assert.equal(outcomeOf(result).kind, 'ok');
  assert.equal(result.result, 'Done.');
  assert.equal(session?.claude_code_version, process.env.INBOARD_MATRIX_CLI_VERSION ?? '2.1.325');
  assert.deepEqual(asked, ['mcp__shop__count', 'mcp__shop__add', 'mcp__shop__add']);
  assert.deepEqual(
    heard,
    asked.map((name) => `PreToolUse ${name}`),
  );
  assert.equal(stock.get('pears'), 3);
  assert.equal(stock.has('plums'), false, 'a wrong argument reached the tool');
  const answers = model.requests.flatMap(({ toolResults }) => toolResults);
  assert.deepEqual(
    answers.map(({ isError }) => isError),
    [false, false, true],
  );
  assert.equal(answers[0].text, '7 apples');
  assert.equal(isRunning(pid), false, 'the CLI runs on after the last message');
});
