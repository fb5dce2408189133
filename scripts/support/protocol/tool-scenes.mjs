// Tools inside the host, permissions, hooks, and questions of servers outside.
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { createSdkMcpServer, tool } from '../../../dist/entry/index.js';
import { text, toolUse } from '../../../dist/entry/testing.js';
import { NEWEST, OLDEST } from './recorded-versions.mjs';

const BOTH = [OLDEST, NEWEST];
const NEW = [NEWEST];
const allow = (_name, input) => Promise.resolve({ behavior: 'allow', updatedInput: input });

function demoTools() {
  return createSdkMcpServer({
    name: 'demo_tools',
    tools: [
      tool('greet', 'Greet someone by name', { name: 'string' }, ({ name }) => `Hello, ${name}! Welcome.`),
    ],
  });
}
const greeting = [toolUse('mcp__demo_tools__greet', { name: 'Alice' }), text('Alice is greeted.')];
const greetOptions = () => ({
  prompt: 'Greet Alice.',
  mcpServers: { demo_tools: demoTools() },
  canUseTool: allow,
  model: 'haiku',
  maxTurns: 2,
});

export const TOOL_SCENES = {
  greet: {
    on: BOTH,
    script: greeting,
    async act({ start, noteLaunch }) {
      const act = start(greetOptions());
      // At once: the older CLI writes its name over its arguments.
      while (act.query.pid === undefined) await wait(1);
      noteLaunch(act.query.pid);
      await act.end();
    },
  },

  'greet-by-flag': {
    on: [OLDEST],
    script: greeting,
    act: ({ start }) =>
      start({
        ...greetOptions(),
        extraArgs: { 'mcp-config': '{"mcpServers":{"demo_tools":{"type":"sdk","name":"demo_tools"}}}' },
      }).end(),
  },

  permissions: {
    on: BOTH,
    script: [
      toolUse('Bash', { command: 'touch one', description: 'Make a file' }),
      toolUse('Write', { file_path: 'made.txt', content: 'made' }),
      text('Done.'),
      toolUse('Bash', { command: 'touch two', description: 'Make another' }),
      text('Never said.'),
    ],
    async act({ start }) {
      const asked = [];
      let withdrawn;
      const isWithdrawn = new Promise((resolve) => (withdrawn = resolve));
      const act = start({
        canUseTool: (name, input, { signal }) => {
          asked.push(name);
          if (asked.length === 1) return Promise.resolve({ behavior: 'deny', message: 'Not now.' });
          if (asked.length === 2)
            return Promise.resolve({ behavior: 'allow', updatedInput: { ...input, content: 'edited' } });
          // The question gets no answer: the turn is interrupted, and the CLI withdraws the question.
          return new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              withdrawn();
              resolve({ behavior: 'deny', message: 'Too late.' });
            });
            void act.query.interrupt();
          });
        },
      });
      await act.ask('Do it.');
      act.say('And now this.');
      await isWithdrawn;
      await act.until(({ type }) => type === 'result');
      await act.end();
    },
  },

  tools: {
    on: BOTH,
    script: [
      toolUse('mcp__shop__count', { article: 'lamp' }),
      text('Counted.'),
      toolUse('mcp__shop__wait', {}),
      text('Never said.'),
    ],
    async act({ start, isNew }) {
      let act;
      const shop = createSdkMcpServer({
        name: 'shop',
        tools: [
          tool('count', 'How many there are', { article: 'string' }, async (_input, { progress }) => {
            progress('counting');
            await wait(50);
            throw new Error('The warehouse does not answer');
          }),
          tool('wait', 'Waits until it is told to stop', {}, (_input, { signal }) => {
            void act.query.interrupt();
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
          }),
        ],
      });
      act = start({ mcpServers: { shop }, allowedTools: [shop] });
      await act.ask('Count.');
      if (isNew) {
        const other = createSdkMcpServer({
          name: 'other',
          tools: [tool('ping', 'Answers', {}, () => 'pong')],
        });
        await act.query.setMcpServers({ shop, other });
      }
      await act.ask('Wait.');
      await act.end();
    },
  },

  hooks: {
    on: BOTH,
    script: [toolUse('Bash', { command: 'echo hello', description: 'Say hello' }), text('Said.')],
    async act({ start, isNew }) {
      const goOn = (input) =>
        Promise.resolve(input.hook_event_name === 'UserPromptSubmit' ? { systemMessage: 'Noted.' } : {});
      const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'];
      const command = { type: 'command', command: 'echo first; sleep 1.5; echo second' };
      const act = start({
        allowedTools: ['Bash'],
        hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [goOn] }]])),
        ...(isNew && {
          includeHookEvents: true,
          settings: { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [command] }] } },
        }),
      });
      await act.ask('Say hello.');
      await act.end();
    },
  },

  questions: {
    on: NEW,
    script: ['ask_form', 'ask_url', 'ask_and_withdraw']
      .map((name) => toolUse(`mcp__eliciting__${name}`, {}))
      .concat(text('Asked.')),
    async act({ start, root }) {
      let count = 0;
      const act = start({
        prompt: 'Ask.',
        mcpServers: {
          eliciting: {
            command: process.execPath,
            args: [join(root, 'test', 'fixtures', 'eliciting-server.mjs')],
            alwaysLoad: true,
          },
        },
        allowedTools: ['mcp__eliciting'],
        onElicitation: (_request, { signal }) => {
          count += 1;
          if (count === 1) return Promise.resolve({ action: 'accept', content: { name: 'Ada', age: 36 } });
          if (count === 2) return Promise.resolve({ action: 'accept' });
          return new Promise((resolve) =>
            signal.addEventListener('abort', () => resolve({ action: 'cancel' })),
          );
        },
      });
      await act.end();
    },
  },

  denied: {
    on: NEW,
    script: [toolUse('Bash', { command: 'rm -rf everything', description: 'Remove' }), text('I may not.')],
    act: ({ start }) => start({ prompt: 'Remove it.', permissionMode: 'dontAsk' }).end(),
  },

  dialog: {
    on: NEW,
    script: [
      toolUse('AskUserQuestion', {
        questions: [
          {
            question: 'Which colour?',
            header: 'Colour',
            options: [
              { label: 'Blue', description: 'Like the sea' },
              { label: 'Red', description: 'Like a rose' },
            ],
            multiSelect: false,
          },
        ],
      }),
      text('Blue it is.'),
    ],
    async act({ start }) {
      const act = start({
        prompt: 'Ask me.',
        canUseTool: (_name, input) =>
          Promise.resolve({
            behavior: 'allow',
            updatedInput: { ...input, answers: { 'Which colour?': 'Blue' } },
          }),
        onUserDialog: () => Promise.resolve({ behavior: 'cancelled' }),
        supportedDialogKinds: ['refusal_fallback_prompt'],
      });
      await act.end();
    },
  },
};
