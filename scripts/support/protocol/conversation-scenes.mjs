// What a conversation brings forth: pieces of a reply, errors, commands, tasks and agents, copies of the transcript.
import { randomUUID } from 'node:crypto';
import { InMemorySessionStore } from '../../../dist/entry/index.js';
import {
  apiError,
  gate,
  held,
  reply,
  structuredOutput,
  text,
  thinking,
  toolUse,
} from '../../../dist/entry/testing.js';
import { NEWEST, OLDEST } from './recorded-versions.mjs';

const BOTH = [OLDEST, NEWEST];
const NEW = [NEWEST];
const isSystem = (subtype) => (message) => message.type === 'system' && message.subtype === subtype;

let reached;

export const CONVERSATION_SCENES = {
  partial: {
    on: BOTH,
    script: [
      reply(thinking('Let me think.'), text(['Hello ', 'there.'])),
      reply(text('I look.'), toolUse('Read', { file_path: 'note.txt' })),
      text('It says: note.'),
    ],
    files: { 'note.txt': 'note\n' },
    async act({ start }) {
      const act = start({ includePartialMessages: true });
      await act.ask('Say hello.');
      await act.ask('Read the note.');
      await act.end();
    },
  },

  errors: {
    on: BOTH,
    script: [
      apiError(529, { type: 'overloaded_error', message: 'Overloaded' }),
      text('After a while.'),
      apiError(400, { type: 'invalid_request_error', message: 'That cannot be.' }),
    ],
    async act({ start }) {
      const act = start({});
      await act.ask('Say something.');
      await act.ask('Say something else.');
      await act.end();
    },
  },

  'max-turns': {
    on: BOTH,
    script: [toolUse('Read', { file_path: 'note.txt' }), toolUse('Read', { file_path: 'note.txt' })],
    files: { 'note.txt': 'note\n' },
    act: ({ start }) => start({ prompt: 'Read it again and again.', maxTurns: 1 }).end(),
  },

  'max-budget': {
    on: BOTH,
    script: [
      reply(toolUse('Read', { file_path: 'note.txt' }), { usage: { output_tokens: 100_000 } }),
      text('Never said.'),
    ],
    files: { 'note.txt': 'note\n' },
    act: ({ start }) => start({ prompt: 'Spend it.', maxBudgetUsd: 0.01 }).end(),
  },

  refusal: {
    on: NEW,
    script: [reply(text('I will not.'), { stopReason: 'refusal' })],
    act: ({ start }) => start({ prompt: 'Do something bad.' }).end(),
  },

  structured: {
    on: BOTH,
    script: [structuredOutput({ city: 'Lund' })],
    act: ({ start }) =>
      start({
        prompt: 'Which city?',
        output: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      }).end(),
  },

  commands: {
    on: BOTH,
    script: [text('One.'), text('Two.')],
    model: { onExhausted: () => text('A summary of all that was said.') },
    async act({ start, isNew }) {
      const act = start({});
      await act.ask('Begin.');
      await act.ask('Go on.');
      await act.ask('/cost');
      await act.ask('/compact');
      if (isNew) await act.ask('/clear');
      await act.end();
    },
  },

  queue: {
    on: NEW,
    // A gate opens once, and a scene may be played again.
    get script() {
      reached = gate();
      return [held(text('One.'), reached), text('Two.'), text('Three.')];
    },
    async act({ start }) {
      const act = start({ extraArgs: { 'replay-user-messages': null } });
      act.say('Begin.');
      await reached.reached;
      const [unwanted, wanted] = [randomUUID(), randomUUID()];
      const queued = (words, uuid) => ({
        type: 'user',
        message: { role: 'user', content: words },
        parent_tool_use_id: null,
        session_id: '',
        uuid,
      });
      await act.query.streamInput([queued('Forget this.', unwanted), queued('Do this.', wanted)]);
      await act.query.cancelQueuedMessage(unwanted);
      reached.open();
      await act.until(({ type }) => type === 'result');
      await act.until(({ type }) => type === 'result');
      await act.ask('And the last.');
      await act.end();
    },
  },

  tasks: {
    on: NEW,
    script: [
      toolUse('Bash', { command: 'echo hello; sleep 60', run_in_background: true, description: 'Wait' }),
      text('It runs.'),
      toolUse('Bash', { command: 'node -e "setTimeout(() => {}, 60000)"', description: 'Wait longer' }),
      text('Sent to the background.'),
    ],
    model: { onExhausted: () => text('I see.') },
    async act({ start }) {
      const act = start({ allowedTools: ['Bash'] });
      act.say('Begin.');
      const { task_id: first } = await act.until(isSystem('task_started'));
      await act.until(({ type }) => type === 'result');
      await act.query.getTaskOutput(first);
      await act.query.stopTask(first);
      await act.until(isSystem('task_notification'));
      act.say('Go on.');
      const { task_id: second, tool_use_id: call } = await act.until(isSystem('task_started'));
      await act.query.backgroundTasks(call);
      await act.until(({ type }) => type === 'result');
      await act.query.stopTask(second);
      await act.until(isSystem('task_notification'));
      await act.query.close();
    },
  },

  agents: {
    on: NEW,
    model: {
      conversations: [
        {
          when: /Look around/,
          script: [
            toolUse('Bash', { command: 'sleep 4; echo seen', description: 'Look' }),
            text('There is nothing here.'),
          ],
        },
        {
          when: /Have somebody look/,
          script: [
            toolUse('Agent', {
              description: 'Look around',
              prompt: 'Look around and report.',
              subagent_type: 'general-purpose',
              run_in_background: false,
            }),
            text('The agent found nothing.'),
          ],
        },
      ],
    },
    async act({ start }) {
      const act = start({
        allowedTools: ['Bash', 'Agent'],
        forwardSubagentText: true,
        agentProgressSummaries: true,
      });
      await act.ask('Have somebody look.');
      await act.end();
    },
  },

  suggestions: {
    on: NEW,
    script: [text('One.'), text('Two.')],
    model: { others: [{ when: () => true, reply: text('run the tests') }] },
    async act({ start }) {
      const act = start({ promptSuggestions: true });
      await act.ask('Begin.');
      await act.ask('Go on.');
      await act.until(({ type }) => type === 'prompt_suggestion');
      await act.end();
    },
  },

  mirror: {
    on: NEW,
    script: [text('Kept.')],
    act: ({ start }) => start({ prompt: 'Keep this.', sessionStore: new InMemorySessionStore() }).end(),
  },

  files: {
    on: BOTH,
    script: [toolUse('Write', { file_path: 'made.txt', content: 'made' }), text('Written.')],
    async act({ start }) {
      const act = start({
        enableFileCheckpointing: true,
        permissionMode: 'acceptEdits',
        extraArgs: { 'replay-user-messages': null },
      });
      const id = randomUUID();
      act.say({
        type: 'user',
        message: { role: 'user', content: 'Write it.' },
        parent_tool_use_id: null,
        session_id: '',
        uuid: id,
      });
      await act.until(({ type }) => type === 'result');
      await act.query.rewindFiles(id, { dryRun: true });
      await act.query.rewindFiles(id);
      await act.end();
    },
  },
};
