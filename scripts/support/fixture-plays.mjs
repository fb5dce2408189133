// What the sessions of `record-fixtures.mjs` are made of: scripts of the model, tools, and people who decide.
import { setTimeout as wait } from 'node:timers/promises';
import { createSdkMcpServer, tool } from '../../dist/entry/index.js';
import { apiError, delayed, reply, text, thinking, toolUse } from '../../dist/entry/testing.js';
import { drawBars } from './draw-bars.mjs';

const SONNET = 'claude-sonnet-4-5-20250929';

/** A text in pieces of a few words, as a model streams it. */
function pieces(content) {
  return content.match(/\S+\s*(?:\S+\s*)?/g) ?? [];
}

const streamed = (content) => text(pieces(content));
const thought = (content) => thinking(pieces(content));
const used = (input, output, cached = 0) => ({
  usage: { input_tokens: input, output_tokens: output, cache_read_input_tokens: cached },
});
const slowly = { eventDelayMs: 18 };

function createShop() {
  const stock = { Lund: 412, Ghent: 388, Porto: undefined };
  return createSdkMcpServer({
    name: 'shop',
    alwaysLoad: true,
    tools: [
      tool(
        'count_stock',
        'How many of an article a warehouse holds',
        { warehouse: 'string', article: 'string' },
        async ({ warehouse, article }) => {
          await wait(warehouse === 'Porto' ? 420 : 160);
          if (stock[warehouse] === undefined)
            throw new Error(`${warehouse} does not answer: connect ETIMEDOUT 10.4.0.7:5432`);
          return `${stock[warehouse]} × ${article}`;
        },
        { annotations: { readOnlyHint: true } },
      ),
      tool(
        'list_orders',
        'Open orders of an article',
        { article: 'string', limit: 'number?' },
        ({ article }) => ({
          article,
          open: 3,
          orders: [
            { id: 'A-1041', customer: 'Ines Duarte', pieces: 24, due: '2026-11-18', express: true },
            { id: 'A-1043', customer: 'Jonas Berg', pieces: 6, due: '2026-11-20', express: false },
            { id: 'A-1050', customer: 'Sofie Maes', pieces: 120, due: '2026-11-21', express: false },
          ],
        }),
      ),
      tool('sales_chart', 'Sales by week, as a picture', { article: 'string', weeks: 'number' }, async () => {
        await wait(90);
        return {
          content: [
            { type: 'text', text: 'Sales per week, the last eight weeks.' },
            {
              type: 'image',
              mimeType: 'image/png',
              data: drawBars([41, 38, 52, 47, 60, 75, 88, 97]).toString('base64'),
            },
          ],
        };
      }),
      tool('refund_order', 'Pays an order back', { order: 'string', amount: 'number' }, () => 'refunded'),
      tool(
        'send_mail',
        'Sends a mail',
        { to: 'string', subject: 'string', body: 'string' },
        async ({ to }) => {
          await wait(120);
          return `Queued for ${to}, message 7f3a.`;
        },
      ),
    ],
  });
}

const SUMMARY = `We can deliver **all three** open orders, but only just.

| place | pieces |
|---|---|
| Lund | 412 |
| Ghent | 388 |

Porto did not answer, so I left it out. Sales have doubled in eight weeks; at this rate the stock in \`Lund\` lasts until *early December*.

What I did:

- wrote to Ines Duarte, as you edited it
- left order \`A-1043\` alone, as you said

To see it again:

\`\`\`sh
inboard call shop.ts count_stock '{"warehouse":"Porto","article":"blue lamp"}'
\`\`\``;

/** Everything a story is made of, in two turns. */
function story() {
  const shop = createShop();
  return {
    files: {
      'notes.md':
        '# Lamps\n\nExpress orders go out from Lund before noon.\nPorto is being moved this week.\n',
    },
    conversations: [
      {
        when: /Look at the notes and the folder/,
        script: [
          reply(
            thought('I will read the notes first, then see what else lies here.'),
            toolUse('Read', { file_path: 'notes.md' }),
            toolUse('mcp__shop__list_orders', { article: 'blue lamp', limit: 10 }),
            used(1900, 96, 900),
            slowly,
          ),
          reply(
            streamed(
              'Express orders go out from Lund before noon. Porto is being moved this week, which explains the time-out. One of three open orders is express: A-1041.',
            ),
            used(2300, 60, 1900),
            slowly,
          ),
        ],
      },
    ],
    script: [
      reply(
        thought(
          'The question is about blue lamps in three warehouses. The counts do not depend on each other, so I ask for all of them at once.\nThen the orders, and how fast they sell.',
        ),
        streamed('I will count the lamps in all three warehouses at once.'),
        toolUse('mcp__shop__count_stock', { warehouse: 'Lund', article: 'blue lamp' }),
        toolUse('mcp__shop__count_stock', { warehouse: 'Ghent', article: 'blue lamp' }),
        toolUse('mcp__shop__count_stock', { warehouse: 'Porto', article: 'blue lamp' }),
        used(3200, 210, 2100),
        slowly,
      ),
      reply(
        streamed('Lund has 412 and Ghent 388; Porto does not answer. I will have a helper find out why.'),
        toolUse('Task', {
          description: 'Find out about Porto',
          prompt: 'Look at the notes and the folder, and say what is known about Porto and express orders.',
          subagent_type: 'general-purpose',
          run_in_background: false,
        }),
        used(3600, 130, 3200),
        slowly,
      ),
      reply(
        toolUse('TaskCreate', {
          subject: 'Tell the customer',
          description: 'Write to Ines Duarte about order A-1041',
        }),
        toolUse('mcp__shop__sales_chart', { article: 'blue lamp', weeks: 8 }),
        toolUse('Bash', { command: 'ls -1 && wc -l notes.md', description: 'List the folder' }),
        used(4100, 160, 3600),
        slowly,
      ),
      reply(
        streamed(
          'Sales have doubled. I will tell the customer of the express order, and pay back the one that waited.',
        ),
        toolUse('mcp__shop__send_mail', {
          to: 'ines.duarte@example.com',
          subject: 'Your lamps',
          body: 'Dear Ines, your 24 blue lamps leave Lund today.',
        }),
        toolUse('mcp__shop__refund_order', { order: 'A-1043', amount: 79.5 }),
        used(4700, 190, 4100),
        slowly,
      ),
      reply(streamed(SUMMARY), used(5200, 320, 4700), slowly),
      reply(
        thought('A short answer will do.'),
        streamed('At 97 a week and 800 in stock: about eight weeks, so until the second week of January.'),
        used(5600, 48, 5200),
        slowly,
      ),
    ],
    prompts: [
      'Can we deliver all open orders for the blue lamp? Check the three warehouses, tell the customer of the express order, and sum it up.',
      'And how long will the stock last if sales stay as they are?',
    ],
    options: {
      model: SONNET,
      includePartialMessages: true,
      mcpServers: { shop },
      allowedTools: [
        'mcp__shop__count_stock',
        'mcp__shop__list_orders',
        'mcp__shop__sales_chart',
        'Read',
        'Task',
        'Bash',
      ],
      canUseTool: async (name, input) => {
        if (name.endsWith('refund_order')) {
          await wait(640);
          return { behavior: 'deny', message: 'Jonas asked us to keep the order open. Do not pay it back.' };
        }
        await wait(1500);
        return {
          behavior: 'allow',
          updatedInput: { ...input, subject: 'Your 24 blue lamps leave today' },
        };
      },
    },
  };
}

/** A short session of the oldest CLI that is supported. */
function old() {
  const shop = createShop();
  return {
    isOld: true,
    script: [
      reply(
        streamed('I count them.'),
        toolUse('mcp__shop__count_stock', { warehouse: 'Lund', article: 'blue lamp' }),
        toolUse('Bash', { command: 'echo two; exit 3' }),
        used(900, 70, 100),
      ),
      reply(streamed('There are 412 in Lund. The command failed.'), used(1000, 30, 900)),
    ],
    prompts: ['How many blue lamps are in Lund?'],
    options: {
      includePartialMessages: true,
      mcpServers: { shop },
      canUseTool: async (name, input) => ({ behavior: 'allow', updatedInput: input }),
    },
  };
}

/** What happens to a session beside the conversation: retries, a blocking hook, a helper in the background, changes, an interrupt. */
function marks() {
  const shop = createShop();
  let results = 0;
  return {
    conversations: [
      { when: /Read the folder slowly/, script: [{ ...streamed('The folder is empty.'), delayMs: 300 }] },
      {
        when: /Your task is to create a detailed summary/,
        script: [text('<summary>We counted lamps.</summary>')],
      },
    ],
    script: [
      apiError(529, { message: 'Overloaded' }),
      reply(
        streamed('I start a helper, and try to remove the folder.'),
        toolUse('Task', {
          description: 'Read the folder',
          prompt: 'Read the folder slowly.',
          subagent_type: 'general-purpose',
          run_in_background: true,
        }),
        toolUse('Bash', { command: 'rm -rf build', description: 'Remove what was built' }),
        used(3000, 80, 1000),
      ),
      delayed(reply(streamed('The helper works; the folder stays.'), used(3200, 20, 3000)), 900),
      reply(streamed('The helper says that the folder is empty.'), used(3300, 20, 3000)),
      reply(
        streamed('I count for a long time.'),
        toolUse('mcp__slow__wait_long', { seconds: 30 }),
        used(3400, 20, 3000),
      ),
      reply(streamed('After compacting, I go on.'), used(900, 20, 0)),
    ],
    // The helper's report begins a turn of its own.
    resultsOfFirst: 2,
    prompts: ['Tidy up.', 'Count everything.', '/compact', 'Go on.'],
    options: {
      model: SONNET,
      mcpServers: { shop, slow: createSlow() },
      allowedTools: ['Bash', 'Task', 'mcp__slow__wait_long'],
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [
              async ({ tool_input: input }) =>
                /rm -rf/.test(input.command)
                  ? { decision: 'block', reason: 'Nothing is removed without a person.' }
                  : {},
            ],
          },
        ],
      },
    },
    during: async (message, running) => {
      if (message.type === 'result') results += 1;
      if (message.type === 'result' && results === 2) {
        await running.setModel('claude-opus-4-1-20250805');
        await running.setPermissionMode('acceptEdits');
      }
      const call = message.message?.content?.[0];
      if (message.type === 'assistant' && call?.type === 'tool_use' && call.name.endsWith('wait_long')) {
        await running.interrupt();
      }
    },
  };
}

function createSlow() {
  return createSdkMcpServer({
    name: 'slow',
    alwaysLoad: true,
    tools: [
      tool('wait_long', 'Waits', { seconds: 'number' }, async ({ seconds }, { signal }) => {
        await wait(seconds * 1000, undefined, { signal });
        return 'waited';
      }),
    ],
  });
}

/** By the name of their file. */
export const PLAYS = { story, old, marks };
