// What is asked of every server: a chat with a tool call, an approval over two requests, stop, and an answer that is taken up
// again by another tab. The script of the model and the client that reads are one file, because they are one story.
import assert from 'node:assert/strict';
import { Tab } from './client.mjs';

/** The model's side, and the gates that the client opens. */
export function writeScript({ gate, held, reply, text, thinking, toolUse }) {
  const gates = { stopped: gate(), resumed: gate() };
  const script = [
    reply(
      thinking(['First ', 'the order.']),
      text(['I ', 'look.']),
      toolUse('mcp__shop__find_order', { order: '7' }),
    ),
    text(['It came ', 'back to us.']),
    toolUse('mcp__shop__refund', { order: '7', amount: 84 }),
    ({ answer }) => text(`Done: ${answer.text}`),
    held(text(['A very ', 'long story.']), { until: gates.stopped, at: { insideBlock: 0 } }),
    held(text(['One, ', 'two, ', 'three.']), { until: gates.resumed, at: { insideBlock: 0 } }),
  ];
  return { script, gates };
}

/** Talks to the chat at `api` and throws when something is not as it should be. */
export async function driveChat(api, gates) {
  const tab = new Tab(api, crypto.randomUUID());
  await callTool(tab);
  await approveEdited(tab);
  await stop(tab, gates.stopped);
  await resume(tab, api, gates.resumed);
  await refuse(api);
}

async function callTool(tab) {
  await tab.sendMessage({ text: 'Where is order 7?' });
  assert.equal(tab.status, 'ready', String(tab.error?.stack));
  const kinds = tab.lastMessage.parts.map(({ type }) => type);
  assert.deepEqual(kinds, ['step-start', 'reasoning', 'text', 'dynamic-tool', 'step-start', 'text']);
  assert.equal(tab.text, 'I look.It came back to us.');
  const [call] = tab.calls;
  assert.equal(call.toolName, 'mcp__shop__find_order');
  assert.equal(call.state, 'output-available');
  assert.deepEqual(call.input, { order: '7' });
  assert.match(JSON.stringify(call.output), /Ines Moser/);
  assert.ok(tab.lastMessage.metadata, 'usage comes as metadata');
}

async function approveEdited(tab) {
  await tab.sendMessage({ text: 'Pay it back.' });
  const [asked] = tab.calls;
  assert.equal(asked.state, 'approval-requested');
  assert.deepEqual(asked.input, { order: '7', amount: 84 });
  const { id: message } = tab.lastMessage;
  const count = tab.messages.length;

  tab.edits = { [asked.approval.id]: { order: '7', amount: 30 } };
  await tab.addToolApprovalResponse({ id: asked.approval.id, approved: true });
  await tab.until('the answer after the approval', ({ status, text }) => status === 'ready' && text !== '');
  const [call] = tab.calls;
  assert.equal(call.state, 'output-available');
  assert.deepEqual(call.input, { order: '7', amount: 30 });
  assert.equal(tab.text, 'Done: Paid back 30 euros for order 7.');
  assert.equal(tab.lastMessage.id, message, 'the same message goes on');
  assert.equal(tab.messages.length, count);
}

async function stop(tab, gate) {
  const sent = tab.sendMessage({ text: 'Tell me a story.' });
  await tab.until('the first words', ({ text }) => text.startsWith('A very '));
  await tab.ask('stop', {});
  await sent;
  assert.equal(tab.status, 'ready');
  assert.equal(tab.text, 'A very ');
  gate.open();
}

async function resume(tab, api, gate) {
  const sent = tab.sendMessage({ text: 'Count.' });
  await tab.until('the first number', ({ text }) => text.startsWith('One, '));
  // Closes the connection and no more: as when the page is loaded again.
  await tab.stop();
  await sent;

  const next = new Tab(api, tab.id, tab.messages.slice(0, -1));
  const resumed = next.resumeStream();
  await next.until('what was said before', ({ text }) => text.startsWith('One, '));
  gate.open();
  await resumed;
  assert.equal(next.text, 'One, two, three.');
  assert.equal(next.lastMessage.id, tab.lastMessage.id);

  const messages = next.messages.length;
  await next.resumeStream();
  assert.equal(next.messages.length, messages, 'nothing runs, so there is nothing to take up');
}

/** What must not get through, whatever the server makes of a request on its way. */
async function refuse(api) {
  const post = async (body, headers) => {
    const response = await fetch(api, { method: 'POST', body, headers });
    return [response.status, (await response.json()).code];
  };
  const json = { 'content-type': 'application/json' };
  assert.deepEqual(await post('{', json), [400, 'BAD_REQUEST']);
  assert.deepEqual(await post('id=1', { 'content-type': 'text/plain' }), [415, 'NOT_JSON']);
  const foreign = { ...json, origin: 'https://evil.example' };
  assert.deepEqual(await post('{}', foreign), [403, 'FOREIGN_ORIGIN']);
  assert.deepEqual(await post('{}', { ...json, origin: new URL(api).origin }), [400, 'BAD_REQUEST']);
}
