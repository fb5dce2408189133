// What a person at the editor is asked: permissions, plans, questions of the model and of MCP servers.
import { expect, it } from 'vitest';
import type { CreateElicitationResponse } from '@agentclientprotocol/sdk';
import { createDeferred } from '@inboard/core/util/deferred.js';
import {
  askPermission,
  elicit,
  expectPrompt,
  type FakeContext,
  type FakeScriptItem,
} from '@inboard/inboard/testing.js';
import { say, useTool } from '@inboard/testing/fake-cli/script/build-steps.js';
import { LiveScene } from '../../inspector/test/support/live-scene.js';
import { CANCELLED, choose, ofKind, openEditor, textOf } from './open-editor.js';

const RULE = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'ls:*' }],
  behavior: 'allow',
  destination: 'localSettings',
};

/** A script that notes what the host answered to the step before. */
function noted(steps: readonly FakeScriptItem[]): { script: FakeScriptItem[]; replies: unknown[] } {
  const replies: unknown[] = [];
  const note = ({ reply }: FakeContext): void => void replies.push(reply);
  return { script: [...steps.flatMap((step) => [step, note]), say('Done.')], replies };
}

it('offers to allow once, to allow in the session what the CLI suggests, and to reject', async () => {
  const question = askPermission(
    'Bash',
    { command: 'ls' },
    { tool_use_id: 't1', permission_suggestions: [RULE] },
  );
  const { script, replies } = noted([question, question, question]);
  const answers = ['allow', 'allow-always', 'reject'];
  const editor = await openEditor({ script, onPermission: () => choose(answers.shift() ?? '') });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Go.');
  expect(editor.asked[0]).toMatchObject({
    sessionId,
    toolCall: {
      toolCallId: 't1',
      title: 'ls',
      kind: 'execute',
      status: 'pending',
      rawInput: { command: 'ls' },
    },
    options: [
      { optionId: 'allow', kind: 'allow_once', name: 'Allow' },
      {
        optionId: 'allow-always',
        kind: 'allow_always',
        name: 'Allow in this session: Bash calls like Bash(ls:*)',
      },
      { optionId: 'reject', kind: 'reject_once', name: 'Reject' },
    ],
  });
  expect(replies).toMatchObject([
    { behavior: 'allow' },
    // A click in an editor must not change the user's settings.
    { behavior: 'allow', updatedPermissions: [{ ...RULE, destination: 'session' }] },
    { behavior: 'deny', message: 'The user rejected this call.' },
  ]);
});

it('asks no more about a whole tool that was allowed in the session, also after its CLI was changed', async () => {
  const whole = { ...RULE, rules: [{ toolName: 'Bash' }] };
  const question = askPermission('Bash', { command: 'ls' }, { permission_suggestions: [whole] });
  const { script, replies } = noted([question, question]);
  const editor = await openEditor({ script, onPermission: () => choose('allow-always') });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Go.');
  expect(editor.asked.length).toBe(1);
  expect(replies).toMatchObject([{ behavior: 'allow' }, { behavior: 'allow' }]);
});

it('offers no rule where the CLI wants none, and denies what was not offered', async () => {
  const question = askPermission(
    'Bash',
    {},
    { permission_suggestions: [RULE], suppress_always_allow_rule: true },
  );
  const { script, replies } = noted([question]);
  const editor = await openEditor({ script, onPermission: () => choose('allow-always') });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Go.');
  expect(editor.asked[0]?.options.map(({ optionId }) => optionId)).toEqual(['allow', 'reject']);
  expect(replies).toMatchObject([{ behavior: 'deny' }]);
  expect(editor.notes.join()).toMatch(/"allow-always", which was not offered/);
});

it('stops the turn when the person cancels the question', async () => {
  const editor = await openEditor({
    script: [useTool('Bash', { command: 'ls' }, { id: 'b', permission: 'ask', result: 'x' }), say('Never.')],
    onPermission: () => CANCELLED,
  });
  const { sessionId } = await editor.open();
  await expect(editor.prompt(sessionId, 'Go.')).resolves.toEqual({ stopReason: 'cancelled' });
});

it('denies when the editor fails to ask, and goes on', async () => {
  const { script, replies } = noted([askPermission('Bash', { command: 'ls' })]);
  const editor = await openEditor({
    script,
    onPermission: () => {
      throw new Error('no window');
    },
  });
  const { sessionId } = await editor.open();
  await expect(editor.prompt(sessionId, 'Go.')).resolves.toEqual({ stopReason: 'end_turn' });
  expect(replies).toMatchObject([{ behavior: 'deny' }]);
  expect(editor.notes.join()).toMatch(/canUseTool|permission/i);
});

it('withdraws a question that was answered elsewhere, and lets the prompt go on', async () => {
  const { script, replies } = noted([askPermission('Bash', { command: 'ls' }, { tool_use_id: 't1' })]);
  const asked = createDeferred<void>();
  const withdrawn = createDeferred<void>();
  const editor = await openEditor({
    script,
    onPermission: async (_request, signal) => {
      signal.addEventListener('abort', () => withdrawn.resolve(), { once: true });
      asked.resolve();
      await withdrawn.promise;
      return CANCELLED;
    },
  });
  await using scene = new LiveScene();
  scene.follow();
  const { sessionId } = await editor.open();
  const answer = editor.prompt(sessionId, 'Go.');
  await asked.promise;
  const { id, session } = await scene.question();
  await scene.source.act({ action: 'answer', session, id, decision: { kind: 'allow' } });
  await withdrawn.promise;
  await expect(answer).resolves.toEqual({ stopReason: 'end_turn' });
  expect(replies).toMatchObject([{ behavior: 'allow' }]);
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Done.');
});

it('shows a plan to be approved, and the mode in which it is carried out', async () => {
  const { script, replies } = noted([askPermission('ExitPlanMode', { plan: '1. Mend it' })]);
  const editor = await openEditor({ script, onPermission: () => choose('accept-edits') });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Go.');
  expect(editor.asked[0]).toMatchObject({
    toolCall: {
      kind: 'switch_mode',
      content: [{ type: 'content', content: { type: 'text', text: '1. Mend it' } }],
    },
    options: [{ kind: 'allow_always' }, { kind: 'allow_once' }, { kind: 'reject_once' }],
  });
  expect(replies).toMatchObject([
    {
      behavior: 'allow',
      updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    },
  ]);
});

const QUESTIONS = {
  questions: [
    {
      question: 'Which colour?',
      header: 'Colour',
      multiSelect: false,
      options: [
        { label: 'Red', description: 'warm' },
        { label: 'Blue', description: 'cold' },
      ],
    },
    {
      question: 'Which sizes?',
      header: 'Sizes',
      multiSelect: true,
      options: [
        { label: 'S', description: 'small' },
        { label: 'L', description: 'large' },
      ],
    },
  ],
};

it('asks the questions of the model as a form where the editor has forms', async () => {
  const { script, replies } = noted([
    askPermission('AskUserQuestion', QUESTIONS),
    askPermission('AskUserQuestion', QUESTIONS),
  ]);
  const answers: CreateElicitationResponse[] = [
    { action: 'accept', content: { question1: 'Red', other1: 'Green', question2: ['S', 'L'] } },
    { action: 'decline' },
  ];
  const editor = await openEditor({
    script,
    capabilities: { elicitation: { form: {} } },
    onForm: () => answers.shift() ?? { action: 'cancel' },
  });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Go.');
  expect(editor.forms[0]).toMatchObject({
    mode: 'form',
    sessionId,
    message: 'Which colour?\nWhich sizes?',
    requestedSchema: {
      properties: {
        question1: { type: 'string', title: 'Colour', oneOf: [{ const: 'Red' }, { const: 'Blue' }] },
        question2: { type: 'array', items: { anyOf: [{ const: 'S' }, { const: 'L' }] } },
      },
    },
  });
  expect(replies).toMatchObject([
    { behavior: 'allow', updatedInput: { answers: { 'Which colour?': 'Green', 'Which sizes?': 'S, L' } } },
    { behavior: 'deny' },
  ]);
});

it('asks them one by one where it has none', async () => {
  const { script, replies } = noted([
    askPermission('AskUserQuestion', QUESTIONS),
    askPermission('AskUserQuestion', QUESTIONS),
  ]);
  const chosen = ['1', '0', 'skip'];
  const editor = await openEditor({ script, onPermission: () => choose(chosen.shift() ?? '') });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Go.');
  expect(editor.asked.map(({ toolCall }) => toolCall.title)).toEqual([
    'Which colour?',
    'Which sizes?',
    'Which colour?',
  ]);
  expect(editor.asked[0]?.options.map(({ name }) => name)).toEqual(['Red', 'Blue', 'Do not answer']);
  expect(replies).toMatchObject([
    { behavior: 'allow', updatedInput: { answers: { 'Which colour?': 'Blue', 'Which sizes?': 'S' } } },
    { behavior: 'deny', message: 'The user did not answer.' },
  ]);
});

it('passes questions of MCP servers on as forms and pages, or declines and says so', async () => {
  const form = elicit({
    serverName: 'shop',
    message: 'Your size?',
    requestedSchema: { type: 'object', properties: { size: { type: 'string' } } },
  });
  const page = elicit({ serverName: 'shop', message: 'Log in', url: 'https://example.com/login' });
  const able = noted([form, page]);
  const editor = await openEditor({
    script: able.script,
    capabilities: { elicitation: { form: {}, url: {} } },
    onForm: ({ mode }) =>
      mode === 'form' ? { action: 'accept', content: { size: 'L' } } : { action: 'decline' },
  });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Go.');
  expect(editor.forms).toMatchObject([
    { mode: 'form', message: 'shop: Your size?', requestedSchema: { properties: { size: {} } } },
    { mode: 'url', url: 'https://example.com/login' },
  ]);
  expect(able.replies).toMatchObject([{ action: 'accept', content: { size: 'L' } }, { action: 'decline' }]);

  const unable = noted([form]);
  const plain = await openEditor({ script: unable.script });
  await plain.prompt((await plain.open()).sessionId, 'Go.');
  expect(unable.replies).toMatchObject([{ action: 'decline' }]);
  expect(textOf(plain.updates, 'agent_message_chunk')).toMatch(/cannot show.*Your size\?/s);
});

it('tells the editor when the CLI changes the mode by itself', async () => {
  const editor = await openEditor({
    script: [
      expectPrompt(),
      { do: 'send', message: { type: 'system', subtype: 'status', status: null, permissionMode: 'plan' } },
      say('Planning.'),
    ],
  });
  const { sessionId, modes } = await editor.open();
  expect(modes?.currentModeId).toBe('default');
  await editor.prompt(sessionId, 'Plan.');
  expect(ofKind(editor.updates, 'current_mode_update')).toMatchObject([{ currentModeId: 'plan' }]);
  expect(ofKind(editor.updates, 'config_option_update')[0]?.configOptions[0]).toMatchObject({
    id: 'mode',
    currentValue: 'plan',
  });
});
