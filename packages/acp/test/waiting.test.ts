// A session that is loaded again while one of its calls waits for a person: the call is shown as pending, the question is asked
// again, and the turn goes on with the answer.
import { expect, it } from 'vitest';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { tool } from '@inboard/inboard/index.js';
import { crash, expectPrompt } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { LiveScene } from '../../inspector/test/support/live-scene.js';
import {
  ASKED,
  CALL,
  COVERED,
  createCutStore,
  SESSION,
} from '../../core/test/flows/completed/cut-session.js';
import { CANCELLED, choose, methods, ofKind, openEditor, textOf, type EditorInput } from './open-editor.js';

/** An editor, and a saved session in which the tool `pay` is about to be called. */
async function openCut({
  script = [say('Paid.')],
  facts = [COVERED, ASKED],
  ...input
}: Partial<EditorInput> & { facts?: Parameters<typeof createCutStore>[0] } = {}) {
  const { store } = await createCutStore(facts);
  const ran: string[] = [];
  const pay = tool('pay', 'Pays.', { order: 'string' }, ({ order }) => ran.push(order) && 'paid');
  const asked = createDeferred<void>();
  const editor = await openEditor({
    ...input,
    script,
    onPermission: async (request, signal) => {
      asked.resolve();
      return (await input.onPermission?.(request, signal)) ?? choose('allow');
    },
    service: { name: 'shop', tools: [pay], options: { sessionStore: store }, ...input.service },
  });
  const load = () =>
    editor.agent.request(methods.agent.session.load, {
      sessionId: SESSION,
      cwd: process.cwd(),
      mcpServers: [],
    });
  /** The states of the call, as the editor was told of them. */
  const states = (): unknown[] =>
    editor.updates.flatMap((update) =>
      'toolCallId' in update && update.toolCallId === CALL && 'status' in update ? [update.status] : [],
    );
  const heard = async (text: string): Promise<void> =>
    await expect.poll(() => textOf(editor.updates, 'agent_message_chunk')).toContain(text);
  return { editor, ran, load, states, heard, asked: asked.promise };
}

/** An answer that the test gives later. */
function heldAnswer() {
  const answer = createDeferred<RequestPermissionResponse>();
  const withdrawn = createDeferred<void>();
  const onPermission: EditorInput['onPermission'] = async (_request, signal) => {
    signal.addEventListener('abort', () => withdrawn.resolve(), { once: true });
    return await Promise.race([answer.promise, withdrawn.promise.then(() => CANCELLED)]);
  };
  return { onPermission, answer: answer.resolve, withdrawn: withdrawn.promise };
}

it('shows the call as pending, asks again without a CLI, and goes on with the answer', async () => {
  const { onPermission, answer } = heldAnswer();
  const { editor, ran, load, states, heard, asked } = await openCut({ onPermission });
  const loaded = await load();
  expect(loaded.modes?.currentModeId).toBe('default');
  expect(states()).toEqual(['pending']);
  await asked;
  expect(editor.asked).toMatchObject([
    {
      sessionId: SESSION,
      toolCall: { toolCallId: CALL, status: 'pending', title: 'pay (shop)', rawInput: { order: '7' } },
      options: [{ kind: 'allow_once' }, { kind: 'reject_once' }],
    },
  ]);
  expect(editor.fake.sessions).toHaveLength(0);
  expect(ran).toEqual([]);
  answer(choose('allow'));
  await heard('Paid.');
  expect(ran).toEqual(['7']);
  expect(states()).toEqual(['pending', 'in_progress', 'completed']);
  const [last] = ofKind(editor.updates, 'tool_call_update').slice(-1);
  expect(last).toMatchObject({
    content: [{ content: { text: 'paid' } }],
    _meta: { 'inboard/completed': { how: 'ran' } },
  });
  expect(editor.fake.sessions).toHaveLength(1);
  // What only a CLI knows comes later.
  await expect.poll(() => ofKind(editor.updates, 'config_option_update').length).toBe(1);
  expect(ofKind(editor.updates, 'available_commands_update').at(-1)?.availableCommands[0]?.name).toBe(
    'compact',
  );
});

it('tells the model of a denial, and runs nothing', async () => {
  const { editor, ran, load, states, heard } = await openCut({
    script: [say('Then not.')],
    onPermission: () => choose('reject'),
  });
  await load();
  await heard('Then not.');
  expect(ran).toEqual([]);
  expect(states()).toEqual(['pending', 'failed']);
  expect(editor.asked).toHaveLength(1);
});

it('asks again in a session that is resumed without its history', async () => {
  const { editor, ran, heard, states } = await openCut();
  await editor.agent.request(methods.agent.session.resume, { sessionId: SESSION, cwd: process.cwd() });
  await heard('Paid.');
  expect(ran).toEqual(['7']);
  expect(states()).toEqual(['pending', 'in_progress', 'completed']);
});

it('stops the turn when it is cancelled: the question is withdrawn, and the session goes on', async () => {
  const { onPermission, withdrawn } = heldAnswer();
  const { editor, ran, load, states, asked } = await openCut({
    onPermission,
    script: [expectPrompt('Hello'), say('Here.')],
  });
  await load();
  await asked;
  await editor.agent.notify(methods.agent.session.cancel, { sessionId: SESSION });
  await withdrawn;
  await expect(editor.prompt(SESSION, 'Hello')).resolves.toEqual({ stopReason: 'end_turn' });
  expect(states()).toEqual(['pending', 'failed']);
  expect(ran).toEqual([]);
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Here.');
});

it('stops the turn when the person dismisses the question', async () => {
  const { editor, ran, load, states } = await openCut({
    onPermission: () => CANCELLED,
    script: [expectPrompt('Hello'), say('Here.')],
  });
  await load();
  await expect.poll(states).toEqual(['pending', 'failed']);
  await expect(editor.prompt(SESSION, 'Hello')).resolves.toEqual({ stopReason: 'end_turn' });
  expect(ran).toEqual([]);
});

it('answers a prompt after the turn that waits, and takes a mode at once', async () => {
  const { onPermission, answer } = heldAnswer();
  const { editor, ran, load, asked } = await openCut({
    onPermission,
    script: [say('Paid.'), expectPrompt('And now?'), say('Done.')],
  });
  await load();
  await asked;
  const next = editor.prompt(SESSION, 'And now?');
  await editor.agent.request(methods.agent.session.setMode, { sessionId: SESSION, modeId: 'acceptEdits' });
  answer(choose('allow'));
  await expect(next).resolves.toEqual({ stopReason: 'end_turn' });
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Paid.Done.');
  expect(ran).toEqual(['7']);
  expect(editor.fake.requests.map(({ subtype }) => subtype)).toContain('set_permission_mode');
});

it('takes the answer that was given elsewhere, and withdraws the question at the editor', async () => {
  const { onPermission, withdrawn } = heldAnswer();
  const { editor, ran, load, asked, heard, states } = await openCut({
    onPermission,
    script: [say('Paid.'), expectPrompt('Thanks'), say('Welcome.')],
  });
  await using scene = new LiveScene();
  scene.follow();
  await load();
  await asked;
  const { id, session } = await scene.question();
  const next = editor.prompt(SESSION, 'Thanks');
  const taken = await scene.source.act({ action: 'answer', session, id, decision: { kind: 'allow' } });
  expect(taken).toEqual({ ok: true });
  await withdrawn;
  await heard('Paid.');
  expect(ran).toEqual(['7']);
  expect(states().at(-1)).toBe('completed');
  // The prompt that waits is not cancelled with the question.
  await expect(next).resolves.toEqual({ stopReason: 'end_turn' });
});

it('says so where the turn cannot go on', async () => {
  const { load, heard, states } = await openCut({ script: [crash({ code: 3 })] });
  await load();
  await heard('could not go on');
  expect(states().at(-1)).toBe('completed');
});

it('goes on with nothing where no question is open: a call that was cut off has failed', async () => {
  const { editor, ran, load, states } = await openCut({
    facts: [COVERED],
    script: [expectPrompt('Hello'), say('Here.')],
  });
  await load();
  expect(states()).toEqual(['pending', 'in_progress', 'failed']);
  await expect(editor.prompt(SESSION, 'Hello')).resolves.toEqual({ stopReason: 'end_turn' });
  expect(editor.asked).toEqual([]);
  expect(ran).toEqual([]);
  expect(editor.fake.sessions).toHaveLength(1);
});
