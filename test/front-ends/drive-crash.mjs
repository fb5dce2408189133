// A server that is killed while a person is asked: the page keeps the question, the next server goes on with the turn, and the
// answer that is given then counts.
import assert from 'node:assert/strict';
import { Tab } from './client.mjs';

/** The model never makes its call again: it reads the result of the one that was cut off. */
export function writeCrashScript({ text, toolUse }) {
  const refund = toolUse('mcp__shop__refund', { order: '7', amount: 84 });
  return [refund, ({ answer }) => text(`Done: ${answer.text}`)];
}

/** Throws when the approval is lost with its server. */
export async function driveCrash({ api, crash }) {
  const before = new Tab(api, crypto.randomUUID());
  await before.sendMessage({ text: 'Pay order 7 back.' });
  const [asked] = before.calls;
  assert.equal(asked.state, 'approval-requested');

  const tab = new Tab(await crash(), before.id, before.messages);
  tab.edits = { [asked.approval.id]: { order: '7', amount: 30 } };
  await tab.addToolApprovalResponse({ id: asked.approval.id, approved: true });
  await tab.until('the rest of the answer', ({ status, text }) => status === 'ready' && text !== '');
  assert.equal(tab.text, 'Done: Paid back 30 euros for order 7.');
  assert.equal(tab.messages.length, 2);
  assert.equal(tab.lastMessage.id, before.lastMessage.id);
}
