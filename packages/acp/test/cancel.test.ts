// A prompt that is cancelled, at every moment: it is answered with `cancelled`, and the session goes on.
import { expect, it } from 'vitest';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { expectPrompt, held, stall, text } from '@inboard/inboard/testing.js';
import { say, useTool } from '@inboard/testing/fake-cli/script/build-steps.js';
import { CANCELLED, methods, ofKind, openEditor, textOf, type Editor } from './open-editor.js';

const STOPPED = { stopReason: 'cancelled' };

async function cancel(editor: Editor, sessionId: string): Promise<void> {
  await editor.agent.notify(methods.agent.session.cancel, { sessionId });
}

it('while the model writes', async () => {
  const begun = createDeferred<void>();
  const editor = await openEditor({
    script: [expectPrompt('one'), say('Well, '), stall(), expectPrompt('two'), say('Again.')],
    onUpdate: ({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk' && begun.resolve(),
  });
  const { sessionId } = await editor.open();
  const answer = editor.prompt(sessionId, 'one');
  await begun.promise;
  await cancel(editor, sessionId);
  await expect(answer).resolves.toEqual(STOPPED);
  await expect(editor.prompt(sessionId, 'two')).resolves.toEqual({ stopReason: 'end_turn' });
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('Well, Again.');
});

it('as soon as it is sent', async () => {
  const editor = await openEditor({ script: [expectPrompt(), stall()] });
  const { sessionId } = await editor.open();
  const answer = editor.prompt(sessionId, 'one');
  await cancel(editor, sessionId);
  await expect(answer).resolves.toEqual(STOPPED);
});

it('while another one is under way: both end', async () => {
  const begun = createDeferred<void>();
  const editor = await openEditor({
    script: [expectPrompt('one'), say('Well, '), stall(), expectPrompt('three'), say('Here.')],
    onUpdate: ({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk' && begun.resolve(),
  });
  const { sessionId } = await editor.open();
  const first = editor.prompt(sessionId, 'one');
  await begun.promise;
  const second = editor.prompt(sessionId, 'two');
  await cancel(editor, sessionId);
  await expect(Promise.all([first, second])).resolves.toEqual([STOPPED, STOPPED]);
  await expect(editor.prompt(sessionId, 'three')).resolves.toEqual({ stopReason: 'end_turn' });
  expect(editor.fake.sessions[0]?.prompts).toEqual(['one', 'three']);
});

it('while a person is asked: the question is withdrawn, whatever the editor answers to it', async () => {
  const asked = createDeferred<void>();
  const withdrawn = createDeferred<void>();
  const editor = await openEditor({
    script: [useTool('Bash', { command: 'ls' }, { id: 'b', permission: 'ask', result: 'x' }), say('Never.')],
    onPermission: async (_request, signal) => {
      asked.resolve();
      signal.addEventListener('abort', () => withdrawn.resolve(), { once: true });
      await withdrawn.promise;
      return CANCELLED;
    },
  });
  const { sessionId } = await editor.open();
  const answer = editor.prompt(sessionId, 'Go.');
  await asked.promise;
  await cancel(editor, sessionId);
  await expect(answer).resolves.toEqual(STOPPED);
  await withdrawn.promise;
  expect(textOf(editor.updates, 'agent_message_chunk')).toBe('');
});

it('while a tool runs: its signal aborts, and its call is not left running in the editor', async () => {
  const begun = createDeferred<void>();
  const aborted = createDeferred<void>();
  const { tool } = await import('@inboard/inboard/index.js');
  const wait = tool({
    name: 'wait',
    description: 'Waits',
    inputSchema: {},
    run: (_input, { signal }) =>
      new Promise<string>((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.resolve();
          resolve('stopped');
        });
        begun.resolve();
      }),
  });
  const editor = await openEditor({
    script: [useTool('mcp__inboard__wait', {}, { id: 'w', permission: 'skip' }), say('Never.')],
    service: { tools: [wait] },
  });
  const { sessionId } = await editor.open();
  const answer = editor.prompt(sessionId, 'Go.');
  await begun.promise;
  await cancel(editor, sessionId);
  await expect(answer).resolves.toEqual(STOPPED);
  await aborted.promise;
  expect(ofKind(editor.updates, 'tool_call_update').at(-1)).toMatchObject({
    toolCallId: 'w',
    status: 'failed',
  });
});

it('when nothing is under way, or in a session that there is not, is no error', async () => {
  const editor = await openEditor({ script: [say('Here.')] });
  const { sessionId } = await editor.open();
  await cancel(editor, sessionId);
  await cancel(editor, 'nobody');
  await expect(editor.prompt(sessionId, 'Go.')).resolves.toEqual({ stopReason: 'end_turn' });
});

it('by the cancellation of its request', async () => {
  const begun = createDeferred<void>();
  const editor = await openEditor({
    script: [say('Well, '), stall()],
    onUpdate: ({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk' && begun.resolve(),
  });
  const { sessionId } = await editor.open();
  const stop = new AbortController();
  const answer = editor.agent.request(
    methods.agent.session.prompt,
    { sessionId, prompt: [{ type: 'text', text: 'Go.' }] },
    { cancellationSignal: stop.signal },
  );
  await begun.promise;
  stop.abort();
  await expect(answer).resolves.toEqual(STOPPED);
});

it('of a CLI that does not listen: it is ended, and the prompt answered', async () => {
  const begun = createDeferred<void>();
  const editor = await openEditor({
    script: [say('Well, '), stall()],
    cli: { controls: { interrupt: () => new Promise(() => {}) } },
    service: { cancelGraceMs: 1 },
    onUpdate: ({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk' && begun.resolve(),
  });
  const { sessionId } = await editor.open();
  const answer = editor.prompt(sessionId, 'one');
  await begun.promise;
  await cancel(editor, sessionId);
  await expect(answer).resolves.toEqual(STOPPED);
  expect(editor.notes.join()).toMatch(/did not end a cancelled turn/);
});

it('by the end of the session', async () => {
  const begun = createDeferred<void>();
  const editor = await openEditor({
    script: [held(text('Never.'), new Promise(() => {}))],
    onUpdate: () => begun.resolve(),
  });
  const { sessionId } = await editor.open();
  const answer = editor.prompt(sessionId, 'one');
  await begun.promise;
  await editor.agent.request(methods.agent.session.close, { sessionId });
  await expect(answer).resolves.toEqual(STOPPED);
});
